import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Codes of an authenticator app (RFC 6238): six digits, SHA-1, a new one every 30 seconds, as every app makes them. */
const stepSeconds = 30;
const secretBytes = 20;

export function newTotpSecret(): Buffer {
  return randomBytes(secretBytes);
}

export function totpStep(nowMs: number): number {
  return Math.floor(nowMs / 1000 / stepSeconds);
}

/** The code of a step (RFC 4226); apps show six digits, the RFC's own examples have eight. */
export function totpCode(secret: Buffer, step: number, digits = 6): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/**
 * The step of a code, one before or after the current one at most: clocks differ. Undefined when the code
 * matches none of them.
 */
export function findTotpStep(secret: Buffer, code: string, nowMs: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const now = totpStep(nowMs);
  return [now, now - 1, now + 1].find((step) =>
    timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code)),
  );
}

const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The form in which apps accept a typed secret (RFC 4648, without padding). */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => base32Letters[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}

/** The content of the QR code: apps show the issuer and the user name. */
export function totpUri(secret: Buffer, userName: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(userName)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}

/** Without letters that look alike, so that they can be copied from paper. */
const recoveryLetters = 'abcdefghjkmnpqrstvwxyz23456789';
const recoveryLength = 12;
const recoveryCount = 10;

/** "k7mw-2xqp-9rta": 58 bits. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCount }, () => {
    let letters = '';
    while (letters.length < recoveryLength) {
      // Bytes beyond a multiple would make some letters more likely.
      const [byte = 255] = randomBytes(1);
      if (byte < 240) letters += recoveryLetters[byte % recoveryLetters.length];
    }
    return letters.replace(/(.{4})(?=.)/g, '$1-');
  });
}

/** The stored hash of a recovery code, which is compared without its dashes. */
export function recoveryHash(secret: Buffer, code: string): Buffer {
  return createHmac('sha256', secret)
    .update(`recovery:${code.replace(/-/g, '')}`)
    .digest();
}
