import { expect, it } from 'vitest';
import { isTextable, zonedTime } from './rules.ts';

it.each([
  [true, null, true],
  [true, 'mobile', true],
  [true, 'voip', true],
  [true, 'tollfree', true],
  [true, 'other', true],
  [true, 'unknown', true],
  [true, 'landline', false],
  [false, null, false],
  [false, 'mobile', false],
] as const)('valid %s, %s: textable %s', (isValid, lineType, expected) => {
  expect(isTextable({ isValid, lineType })).toBe(expected);
});

it.each([
  ['2026-07-01T16:30:05Z', 'America/New_York', '2026-07-01 12:30:05 (UTC-04:00)'],
  ['2026-12-01T16:30:05Z', 'America/New_York', '2026-12-01 11:30:05 (UTC-05:00)'],
  ['2026-12-01T01:30:05Z', 'America/New_York', '2026-11-30 20:30:05 (UTC-05:00)'],
  ['2026-07-01T16:30:05Z', 'Australia/Adelaide', '2026-07-02 02:00:05 (UTC+09:30)'],
])('%s is in %s %s', (at, timeZone, expected) => {
  expect(zonedTime(new Date(at), timeZone)).toBe(expected);
});
