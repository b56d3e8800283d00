import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { afterClosingCases, allDayCases, callingWindowCases } from './calling-window.cases.ts';
import {
  afterClosing,
  type CallingWindow,
  callingEndsMs,
  defaultCallingWindow,
  findOpening,
  finishWithinWindow,
  isAllDay,
  isInsideCallingWindow,
  nextOpeningMs,
  outsideCallingWindowMessage,
  switchAllDay,
} from './calling-window.ts';
import { parseClockTime } from './clock-time.ts';
import { dayNames, formatWall, momentOf, parseWall, wallMsAt } from './wall-clock.ts';

const zone = 'America/New_York';
const instant = (wall: string) => momentOf(parseWall(wall) ?? Number.NaN, zone).epochMs;
const local = (epochMs: number) => formatWall(wallMsAt(epochMs, zone));

function windowOf(days: string, hours: string, ContinueOnNextDay = false): CallingWindow {
  const [start = '', stop = ''] = hours.split('-');
  const StartTimeOfDay = parseClockTime(start);
  const StopTimeOfDay = parseClockTime(stop);
  if (!StartTimeOfDay || !StopTimeOfDay) throw new Error(`no hours: ${hours}`);
  return {
    CallingWindowDays: days === 'every day' ? dayNames : days.split(' '),
    StartTimeOfDay,
    StopTimeOfDay,
    ContinueOnNextDay,
  };
}

testRuleTable(allDayCases, ([StartTimeOfDay, StopTimeOfDay]) => isAllDay({ StartTimeOfDay, StopTimeOfDay }));

testRuleTable(callingWindowCases, ({ days, hours, at }) => {
  const window = windowOf(days, hours);
  const now = instant(at);
  if (isInsideCallingWindow(window, now, zone)) return 'inside';
  const opens = nextOpeningMs(window, now, zone);
  return opens === undefined ? 'never' : `opens ${local(opens)}`;
});

testRuleTable(afterClosingCases, ({ days, hours, ContinueOnNextDay, closes }) => {
  const window = windowOf(days, hours, ContinueOnNextDay);
  const opening = findOpening(window, instant(closes) - 1, zone);
  if (!opening) throw new Error('not open before it closes');
  expect(local(opening.closesMs)).toBe(closes);
  const after = afterClosing(window, opening, zone);
  return after.continues ? `continues ${local(after.atMs)}` : 'ends';
});

const time = fc.record({ Hour: fc.integer({ min: 0, max: 23 }), Minute: fc.integer({ min: 0, max: 59 }) });
const anyWindow = fc.record({
  CallingWindowDays: fc.subarray([...dayNames]),
  StartTimeOfDay: time,
  StopTimeOfDay: time,
});
const anyInstant = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) });
const anyZone = fc.constantFrom(
  'America/New_York',
  'America/Los_Angeles',
  'Africa/Cairo',
  'Australia/Adelaide',
  'Asia/Tokyo',
);

describe('calling windows', () => {
  it('end for good when they close, unless calling goes on', () => {
    const endOf = (days: string, hours: string, isContinued = false) => {
      const endsMs = callingEndsMs(windowOf(days, hours, isContinued), instant('2026-11-16T20:30:00'), zone);
      return endsMs === undefined ? 'never' : local(endsMs);
    };
    expect(endOf('every day', '9:00 AM-9:00 PM')).toBe('2026-11-16T21:00:00');
    expect(endOf('every day', '9:00 AM-9:00 PM', true)).toBe('never');
    // All day: the next day goes on where this one ends.
    expect(endOf('every day', '12:00 AM-11:59 PM')).toBe('never');
    expect(endOf('Monday Tuesday Thursday', '12:00 AM-12:00 AM')).toBe('2026-11-18T00:00:00');
    // Closed now: the next window is the one.
    expect(endOf('Friday', '9:00 AM-9:00 PM')).toBe('2026-11-20T21:00:00');
    expect(endOf('', '9:00 AM-9:00 PM')).toBe('never');
  });

  it('Switching off all-day resets to 9:00 AM to 9:00 PM with ContinueOnNextDay off', () => {
    const allDay = switchAllDay(
      { ...defaultCallingWindow, CallingWindowDays: ['Monday'], ContinueOnNextDay: true },
      true,
    );
    expect(isAllDay(allDay)).toBe(true);
    expect(switchAllDay(allDay, false)).toEqual({ ...defaultCallingWindow, CallingWindowDays: ['Monday'] });
  });

  it('says so when a time lies outside', () => {
    expect(outsideCallingWindowMessage('Start Time')).toBe('Choose a Start Time within your Calling Window');
  });

  it('are open exactly when a clock on the wall says so, away from changes of clocks', () => {
    fc.assert(
      fc.property(anyWindow, anyInstant, anyZone, (window, epochMs, name) => {
        const now = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(name);
        fc.pre(now.hoursInDay === 24 && now.subtract({ days: 1 }).hoursInDay === 24);
        const minute = now.hour * 60 + now.minute;
        const start = window.StartTimeOfDay.Hour * 60 + window.StartTimeOfDay.Minute;
        const stop = window.StopTimeOfDay.Hour * 60 + window.StopTimeOfDay.Minute;
        const isToday = window.CallingWindowDays.includes(dayNames[now.dayOfWeek % 7] ?? 'Sunday');
        const wasYesterday = window.CallingWindowDays.includes(dayNames[(now.dayOfWeek + 6) % 7] ?? 'Sunday');
        let isOpen = false;
        if (start === 0 && (stop === 0 || stop === 1439)) isOpen = isToday;
        else if (start < stop) isOpen = isToday && start <= minute && minute < stop;
        else if (start > stop) isOpen = (isToday && minute >= start) || (wasYesterday && minute < stop);
        expect(isInsideCallingWindow(window, epochMs, name)).toBe(isOpen);
      }),
      { numRuns: 1000 },
    );
  });

  it('the next opening is open, and nothing before it is', () => {
    fc.assert(
      fc.property(
        anyWindow,
        anyInstant,
        anyZone,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (window, epochMs, name, part) => {
          const next = nextOpeningMs(window, epochMs, name);
          if (next === undefined) return;
          expect(next).toBeGreaterThanOrEqual(epochMs);
          expect(isInsideCallingWindow(window, next, name)).toBe(true);
          const between = Math.floor(epochMs + (next - epochMs) * part);
          if (between < next) expect(isInsideCallingWindow(window, between, name)).toBe(false);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('keep their hours on both changes of clocks', () => {
    const window = windowOf('every day', '9:00 AM-9:00 PM');
    for (const day of ['2026-11-01', '2027-03-14']) {
      const opening = findOpening(window, instant(`${day}T00:00:00`), zone);
      expect(opening && [local(opening.opensMs), local(opening.closesMs)]).toEqual([
        `${day}T09:00:00`,
        `${day}T21:00:00`,
      ]);
      expect(opening && opening.closesMs - opening.opensMs).toBe(12 * 3_600_000);
    }
    const night = findOpening(windowOf('Saturday', '10:00 PM-6:00 AM'), instant('2027-03-13T23:00:00'), zone);
    expect(night && (night.closesMs - night.opensMs) / 3_600_000).toBe(7);
    const longNight = findOpening(
      windowOf('Saturday', '10:00 PM-6:00 AM'),
      instant('2026-10-31T23:00:00'),
      zone,
    );
    expect(longNight && (longNight.closesMs - longNight.opensMs) / 3_600_000).toBe(9);
  });

  it('spread long work over the days', () => {
    const window = windowOf('every day', '9:00 AM-9:00 PM', true);
    const finish = finishWithinWindow(window, instant('2026-11-16T20:00:00'), 2 * 3_600_000, zone);
    expect(finish && [local(finish.endsMs), finish.isComplete, finish.openings.length]).toEqual([
      '2026-11-17T10:00:00',
      true,
      2,
    ]);
    const cut = finishWithinWindow(
      { ...window, ContinueOnNextDay: false },
      instant('2026-11-16T20:00:00'),
      2 * 3_600_000,
      zone,
    );
    expect(cut && [local(cut.endsMs), cut.isComplete]).toEqual(['2026-11-16T21:00:00', false]);
    expect(finishWithinWindow(windowOf('', '9:00 AM-9:00 PM'), 0, 1000, zone)).toBeUndefined();
    expect(finishWithinWindow(window, 0, Number.MAX_SAFE_INTEGER, zone)).toBeUndefined();
  });
});
