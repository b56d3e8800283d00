import { expect, it } from 'vitest';
import { openSecret, sealSecret } from '../../seal-secret.ts';
import {
  base32,
  findTotpStep,
  newRecoveryCodes,
  recoveryHash,
  totpCode,
  totpStep,
  totpUri,
} from './rules.ts';

const secret = Buffer.from('12345678901234567890');

it.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('at %i seconds the code is the one of RFC 6238', (seconds, code) => {
  expect(totpCode(secret, totpStep(seconds * 1000), 8)).toBe(code);
  expect(totpCode(secret, totpStep(seconds * 1000))).toBe(code.slice(2));
});

it('takes the code of now, of the step before and of the step after, and no other', () => {
  const nowMs = 1_700_000_000_000;
  const step = totpStep(nowMs);
  for (const off of [-1, 0, 1]) {
    expect(findTotpStep(secret, totpCode(secret, step + off), nowMs)).toBe(step + off);
  }
  for (const off of [-2, 2])
    expect(findTotpStep(secret, totpCode(secret, step + off), nowMs)).toBeUndefined();
  for (const wrong of ['', '12345', '1234567', 'abcdef']) {
    expect(findTotpStep(secret, wrong, nowMs)).toBeUndefined();
  }
});

it('writes the secret as apps read it (RFC 4648)', () => {
  expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
  expect(base32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  expect(totpUri(secret, 'pat one', 'Muster')).toBe(
    'otpauth://totp/Muster:pat%20one?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Muster',
  );
});

it('makes ten different recovery codes that are compared without their dashes', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/);
  const [code = ''] = codes;
  expect(recoveryHash(secret, code)).toEqual(recoveryHash(secret, code.replaceAll('-', '')));
  expect(recoveryHash(secret, code)).not.toEqual(recoveryHash(Buffer.alloc(20), code));
});

it('a sealed secret is opened only where it belongs, by this installation, and unchanged', () => {
  const sealed = sealSecret(secret, 'totp:1:2', 'hello');
  expect(sealed.includes('hello')).toBe(false);
  expect(openSecret(secret, 'totp:1:2', sealed).toString()).toBe('hello');
  expect(() => openSecret(secret, 'totp:1:3', sealed)).toThrow();
  expect(() => openSecret(Buffer.alloc(20), 'totp:1:2', sealed)).toThrow();
  const changed = Buffer.from(sealed);
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  expect(() => openSecret(secret, 'totp:1:2', changed)).toThrow();
});
