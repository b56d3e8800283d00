import { expect, it } from 'vitest';
import { messagesPerDayOf } from './messaging-limits.ts';

it.each([
  [{ messagesPerDay: null, isRegistered: false }, 6_000],
  [{ messagesPerDay: null, isRegistered: true }, 200_000],
  [{ messagesPerDay: 50, isRegistered: true }, 50],
  [{ messagesPerDay: 500_000, isRegistered: false }, 500_000],
])('an account with %o may send %d texts a day', (account, limit) => {
  expect(messagesPerDayOf(account)).toBe(limit);
});
