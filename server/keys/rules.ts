import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A prefix that scanners for leaked secrets recognize. */
const prefix = 'mk_live_';
const secretLength = 43;
const checksumLength = 6;
const format = new RegExp(
  `^${prefix}([0-9a-f]{16})_([0-9A-Za-z]{${secretLength}})([0-9A-Za-z]{${checksumLength}})$`,
);
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export interface NewKey {
  publicId: string;
  secretHash: Buffer;
  /** The whole key, shown only once. */
  text: string;
}

/** A new secret of 43 letters and digits (256 bits), under a new name or the key's existing one. */
export function makeKey(publicId = randomBytes(8).toString('hex')): NewKey {
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength);
  const text = `${prefix}${publicId}_${secret}`;
  return { publicId, secretHash: hashSecret(secret), text: text + checksumOf(text) };
}

/** The parts of a key. Undefined when it is invalid: a typo, or an incomplete one. This needs no query. */
export function readKey(text: string): { publicId: string; secretHash: Buffer } | undefined {
  const [, publicId, secret, checksum] = format.exec(text) ?? [];
  if (publicId === undefined || secret === undefined) return undefined;
  if (checksumOf(text.slice(0, -checksumLength)) !== checksum) return undefined;
  return { publicId, secretHash: hashSecret(secret) };
}

/** A key's display form: its beginning. */
export function keyPrefix(publicId: string): string {
  return prefix + publicId;
}

function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function checksumOf(text: string): string {
  return base62(BigInt(crc32(text)), checksumLength);
}

function base62(value: bigint, length: number): string {
  let left = value;
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text = digits[Number(left % 62n)] + text;
    left /= 62n;
  }
  return text;
}

/** An address in PostgreSQL's format; null without one. IPv4 written as IPv6 is IPv4. */
export function comparableAddress(address: string): string | null {
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '');
  return /^[\da-f.:]{2,45}$/i.test(plain) && /[.:]/.test(plain) ? plain : null;
}
