import { expect, it } from 'vitest';
import { timeOfDay, zoneSetting } from './rules.ts';

const july = Date.UTC(2026, 6, 4);
const january = Date.UTC(2026, 0, 4);

it.each([
  ['America/Chicago', 0, 0, true],
  ['America/New_York', 1, 1, true],
  ['Pacific/Honolulu', -4, -4, false],
  ['America/Phoenix', -1, -1, false],
  ['Australia/Adelaide', 1550, 15.5, true],
  ['Australia/Darwin', 1550, 15.5, false],
])('%s is %d from US Central', (zone, TimeZoneOffset, TimeZoneOffsetDecimal, ObservesDaylightSavings) => {
  expect(zoneSetting(zone, july)).toMatchObject({
    TimeZoneOffset,
    TimeZoneOffsetDecimal,
    ObservesDaylightSavings,
  });
});

it('says whether daylight saving time is in effect', () => {
  expect([zoneSetting('America/New_York', july), zoneSetting('America/New_York', january)]).toMatchObject([
    { DaylightSavings: true },
    { DaylightSavings: false },
  ]);
});

it('reads a time of day', () => {
  expect(timeOfDay('09:30:00')).toEqual({ Hour: 9, Minute: 30 });
});
