import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** argon2id with the OWASP figures: about 25 ms and 19 MB a try. */
const hashing = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A password to hash, or one to compare with a hash. */
export type HashTask = { password: string; hashed?: string };

/** The hash, or whether the two match. */
export function hashPasswordHere({ password, hashed }: HashTask): Promise<string | boolean> {
  return hashed === undefined ? hash(password, hashing) : verify(hashed, password);
}

/**
 * The hash of a password that nobody has, computed in advance so that nobody waits for it: comparing with it
 * takes as long as usual.
 */
export function hashOfNobody(): string {
  const { memoryCost, timeCost, parallelism } = hashing;
  const part = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${part(16)}$${part(32)}`;
}
