import { expect, it } from 'vitest';
import { addMonths, dayOfMonth } from './add-months.ts';

const zone = 'America/New_York';

it('renews on the last day of shorter months, and on the 31st again', () => {
  let at = new Date('2026-12-31T15:00:00Z');
  const days: string[] = [];
  for (let month = 0; month < 6; month++) {
    at = addMonths(at, 1, 31, zone);
    days.push(at.toISOString());
  }
  expect(days).toEqual([
    '2027-01-31T15:00:00.000Z',
    '2027-02-28T15:00:00.000Z',
    // Daylight saving began: it is ten in the morning there as before.
    '2027-03-31T14:00:00.000Z',
    '2027-04-30T14:00:00.000Z',
    '2027-05-31T14:00:00.000Z',
    '2027-06-30T14:00:00.000Z',
  ]);
});

it('goes by the calendar of the organization', () => {
  const at = new Date('2026-02-01T02:00:00Z');
  expect(dayOfMonth(at, zone)).toBe(31);
  expect(addMonths(at, 1, 31, zone).toISOString()).toBe('2026-03-01T02:00:00.000Z');
  expect(addMonths(new Date('2028-01-31T12:00:00Z'), 1, 31, zone).toISOString()).toBe(
    '2028-02-29T12:00:00.000Z',
  );
  expect(addMonths(new Date('2026-08-31T12:00:00Z'), 3, 31, zone).toISOString()).toBe(
    '2026-11-30T13:00:00.000Z',
  );
});
