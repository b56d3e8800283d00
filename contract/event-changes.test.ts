import { expect, it } from 'vitest';
import { changesBetween, isNeverKept, notKept, withoutSecrets } from './event-changes.ts';

it('names only the fields that differ, with before and after', () => {
  expect(
    changesBetween({ Role: 'user', Days: ['Monday'], Limit: null }, { Role: 'admin', Days: ['Monday'] }),
  ).toEqual({ Role: ['user', 'admin'] });
  expect(changesBetween({ Role: 'user' }, { Role: 'user' })).toBeUndefined();
  expect(changesBetween({}, { Limit: 3 })).toEqual({ Limit: [null, 3] });
});

it('never keeps a secret or the words of a text, only that they changed', () => {
  const secret = 'correct-horse-7';
  const before = { Password: '', ClientSecret: '', AutoReplyMessage: '', SignatureText: '', ApiKey: '' };
  const after = Object.fromEntries(Object.keys(before).map((field) => [field, secret]));
  const kept = JSON.stringify([changesBetween(before, after), withoutSecrets({ NewPassword: ['', secret] })]);
  expect(kept).not.toContain(secret);
  expect(changesBetween(before, after)?.Password).toEqual([notKept, notKept]);
  expect(withoutSecrets({ Token: secret, Role: 'admin' })).toEqual({ Token: notKept, Role: 'admin' });
});

it('keeps codes that give no access', () => {
  expect(['GroupCode', 'ErrorCode', 'Role', 'Email'].map(isNeverKept)).toEqual([false, false, false, false]);
});
