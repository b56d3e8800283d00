import { describe, expect, it } from 'vitest';
import { safeReturnPath } from './return-path.ts';
import { retryAfterSeconds } from './sign-in-attempt.ts';

describe('the way back after sign-in', () => {
  it.each([
    ['/inbox/42?textNumberId=1', '/inbox/42?textNumberId=1'],
    ['/', '/'],
    ['/loginsights', '/loginsights'],
    [null, '/home'],
    ['', '/home'],
    ['//elsewhere.example', '/home'],
    ['/\\elsewhere.example', '/home'],
    ['/\t/elsewhere.example', '/home'],
    ['https://elsewhere.example', '/home'],
    ['javascript:alert(1)', '/home'],
    ['/login', '/home'],
    ['/login?a=Logout', '/home'],
    ['/login/too-many-attempts', '/home'],
    ['/logout', '/home'],
  ])('%j leads to %s', (path, expected) => expect(safeReturnPath(path)).toBe(expected));
});

describe('too many attempts', () => {
  it.each([
    [{ RetryAfterSeconds: 4.2 }, 5],
    [{ RetryAfterSeconds: 0 }, 60],
    [{ RetryAfterSeconds: 'soon' }, 60],
    [undefined, 60],
  ])('%j waits %i s', (data, seconds) => expect(retryAfterSeconds(data)).toBe(seconds));
});
