import { describe, expect, it } from 'vitest';
import { dayBounds, localDay } from './local-day.ts';

describe('localDay', () => {
  it.each([
    // Midnight in Edmonton is at 06:00 UTC since 2026, in winter too; older zone data says 07:00.
    ['2026-12-15T05:59:59Z', 'America/Edmonton', '2026-12-14'],
    ['2026-12-15T06:00:00Z', 'America/Edmonton', '2026-12-15'],
    ['2026-12-15T05:00:00Z', 'America/Winnipeg', '2026-12-15'],
    ['2026-12-15T06:00:00Z', 'America/Inuvik', '2026-12-15'],
    ['2026-12-15T04:59:59Z', 'America/New_York', '2026-12-14'],
    ['2026-07-15T04:00:00Z', 'America/New_York', '2026-07-15'],
    ['2026-12-15T14:00:00Z', 'Australia/Brisbane', '2026-12-16'],
  ])('%s is in %s on %s', (at, zone, day) => {
    expect(localDay(new Date(at), zone)).toBe(day);
  });
});

describe('dayBounds', () => {
  it.each([
    ['2026-12-15', 'America/Edmonton', '2026-12-15T06:00:00.000Z', '2026-12-16T06:00:00.000Z'],
    ['2026-12-15', 'America/Winnipeg', '2026-12-15T05:00:00.000Z', '2026-12-16T05:00:00.000Z'],
    // The days on which clocks change have 23 and 25 hours.
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
    ['0026-05-01', 'UTC', '0026-05-01T00:00:00.000Z', '0026-05-02T00:00:00.000Z'],
  ])('%s in %s', (day, zone, begins, ends) => {
    expect(dayBounds(day, zone)).toEqual({ begins: new Date(begins), ends: new Date(ends) });
  });

  it('holds exactly the instants of its day', () => {
    for (const zone of ['America/Edmonton', 'America/New_York', 'Australia/Adelaide', 'Africa/Cairo']) {
      for (const day of ['2026-03-08', '2026-04-24', '2026-10-29', '2026-11-01', '2027-01-31']) {
        const { begins, ends } = dayBounds(day, zone);
        expect(localDay(begins, zone)).toBe(day);
        expect(localDay(ends.getTime() - 1, zone)).toBe(day);
        expect(localDay(begins.getTime() - 1, zone)).not.toBe(day);
        expect(localDay(ends, zone)).not.toBe(day);
      }
    }
  });
});
