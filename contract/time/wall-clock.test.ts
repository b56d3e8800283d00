import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../text/testing/cpu-ms.ts';
import {
  calendarDate,
  dayNameOf,
  dayNumber,
  dayOfCalendarDate,
  formatWall,
  momentOf,
  parseMoment,
  parseWall,
  wallMsAt,
} from './wall-clock.ts';

/** Zones with every kind of change: an hour, half an hour (Lord Howe), at midnight (Cairo, Beirut), none. */
const sample = [
  'America/New_York',
  'America/Chicago',
  'America/St_Johns',
  'America/Phoenix',
  'Europe/London',
  'Europe/Dublin',
  'Africa/Cairo',
  'Asia/Beirut',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Pacific/Honolulu',
  'Asia/Kathmandu',
];
const wallTime = fc
  .integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2036, 0, 1) })
  .map((ms) => Math.floor(ms / 1000) * 1000);

/** Readings within two hours of a change of clocks, where bugs are likely. */
const nearChange = fc
  .tuple(
    fc.constantFrom(...sample),
    fc.integer({ min: 2015, max: 2035 }),
    fc.integer({ min: -7200, max: 7200 }),
  )
  .map(([zone, year, seconds]) => {
    const start = Temporal.PlainDate.from({ year, month: 1, day: 1 }).toZonedDateTime(zone);
    const change = start.getTimeZoneTransition('next') ?? start;
    return {
      zone,
      wallMs: Date.parse(`${change.toPlainDateTime().toString().slice(0, 19)}Z`) + seconds * 1000,
    };
  });

function temporalReading(wallMs: number, zone: string): { epochMs: number; reading: string } {
  const wall = Temporal.PlainDateTime.from(formatWall(wallMs));
  const earlier = wall.toZonedDateTime(zone, { disambiguation: 'earlier' });
  const later = wall.toZonedDateTime(zone, { disambiguation: 'later' });
  const epochMs = wall.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds;
  if (earlier.epochMilliseconds === later.epochMilliseconds) return { epochMs, reading: 'once' };
  const isShown = earlier.toPlainDateTime().equals(wall);
  return { epochMs, reading: isShown ? 'repeated' : 'skipped' };
}

describe('wall clocks', () => {
  it('become instants as Temporal makes them', () => {
    fc.assert(
      fc.property(fc.constantFrom(...sample), wallTime, (zone, wallMs) => {
        expect([zone, momentOf(wallMs, zone)]).toEqual([zone, temporalReading(wallMs, zone)]);
      }),
      { numRuns: 1000 },
    );
  });

  it('become instants as Temporal makes them, around every change of clocks', () => {
    fc.assert(
      fc.property(nearChange, ({ zone, wallMs }) => {
        expect([zone, formatWall(wallMs), momentOf(wallMs, zone)]).toEqual([
          zone,
          formatWall(wallMs),
          temporalReading(wallMs, zone),
        ]);
      }),
      { numRuns: 1000 },
    );
  });

  it('come back from instants, except in the hour that is shown twice', () => {
    fc.assert(
      fc.property(fc.constantFrom(...sample), wallTime, (zone, epochMs) => {
        const moment = momentOf(wallMsAt(epochMs, zone), zone);
        expect(moment.reading).not.toBe('skipped');
        if (moment.reading === 'once') expect(moment.epochMs).toBe(epochMs);
        else expect(moment.epochMs).toBeLessThanOrEqual(epochMs);
      }),
      { numRuns: 1000 },
    );
  });

  it('counts days as the calendar does', () => {
    fc.assert(
      fc.property(fc.integer({ min: -40_000, max: 60_000 }), (day) => {
        const date = Temporal.PlainDate.from('1970-01-01').add({ days: day });
        expect(calendarDate(day)).toEqual({ year: date.year, month: date.month, day: date.day });
        expect(dayOfCalendarDate(calendarDate(day))).toBe(day);
        expect(dayNameOf(day)).toBe(date.toLocaleString('en-US', { weekday: 'long' }));
      }),
    );
    expect(dayNumber(-1)).toBe(-1);
  });

  it('reads dates without an offset in the zone, and dates with one as they are', () => {
    expect(parseMoment('2026-07-01T09:00', 'America/Chicago')?.epochMs).toBe(Date.UTC(2026, 6, 1, 14));
    expect(parseMoment('2026-07-01', 'America/Chicago')?.epochMs).toBe(Date.UTC(2026, 6, 1, 5));
    expect(parseMoment('2026-07-01T09:00:00Z', 'America/Chicago')?.epochMs).toBe(Date.UTC(2026, 6, 1, 9));
    expect(parseMoment('2026-07-01T09:00:00-04:00', 'America/Chicago')?.epochMs).toBe(
      Date.UTC(2026, 6, 1, 13),
    );
    for (const wrong of [
      '',
      'tomorrow',
      '2026-02-30',
      '2026-13-01',
      '2026-01-01T24:00',
      '2026-01-01T10:60',
      '1',
      '2026-02-30T00:00:00Zz',
    ]) {
      expect([wrong, parseMoment(wrong, 'America/Chicago')]).toEqual([wrong, undefined]);
    }
  });

  it('refuses 100,000 hostile characters at once', () => {
    const ms = cpuMs(() => {
      for (const hostile of [
        '2'.repeat(100_000),
        `2026-01-01T00:00:00.${'1'.repeat(100_000)}`,
        '-'.repeat(100_000),
      ]) {
        expect(parseWall(hostile)).toBeUndefined();
        expect(parseMoment(hostile, 'UTC')).toBeUndefined();
      }
    });
    expect(ms).toBeLessThan(900);
  });
});
