import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Secrets that have to be read again (of an authenticator app, of another company) are encrypted in the
 * database: AES-256-GCM with a key that is derived from the installation's secret. `place` identifies its
 * kind and owner; a secret that was moved to another row can't be decrypted there.
 */
const nonceBytes = 12;
const tagBytes = 16;

function keyOf(installationSecret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', installationSecret, '', 'muster secrets at rest', 32));
}

export function sealSecret(installationSecret: Buffer, place: string, plain: string | Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', keyOf(installationSecret), nonce);
  cipher.setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Throws when it was changed, or encrypted for another place or by another installation. */
export function openSecret(installationSecret: Buffer, place: string, sealed: Buffer): Buffer {
  const decipher = createDecipheriv(
    'aes-256-gcm',
    keyOf(installationSecret),
    sealed.subarray(0, nonceBytes),
    { authTagLength: tagBytes },
  );
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
}
