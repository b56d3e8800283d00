import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { describeHours, describeSchedule, endingOf } from './describe-schedule.ts';
import {
  frequencyCases,
  occurrenceCases,
  scheduleDescriptionCases,
  scheduleProblemCases,
} from './repeating-schedule.cases.ts';
import {
  chooseFrequency,
  defaultEndMs,
  defaultSchedule,
  deriveFrequency,
  type IntervalFrequency,
  maxOccurrences,
  nextOccurrences,
  scheduleFrequencies,
  scheduleProblem,
} from './repeating-schedule.ts';
import { dayNames, formatWall, momentOf, parseWall, wallMsAt } from './wall-clock.ts';

const zone = 'America/New_York';
const wall = (text: string) => parseWall(text) ?? Number.NaN;

testRuleTable(frequencyCases, deriveFrequency);
testRuleTable(occurrenceCases, ({ schedule, start, after, limit = 1 }) =>
  nextOccurrences(schedule, wall(start), zone, {
    limit,
    ...(after === undefined ? {} : { afterMs: momentOf(wall(after), zone).epochMs }),
  }).map(({ epochMs, reading }) => {
    const text = formatWall(wallMsAt(epochMs, zone)).slice(0, 16);
    return reading === 'once' ? text : `${text} ${reading}`;
  }),
);
testRuleTable(scheduleDescriptionCases, ({ schedule, start }) =>
  describeSchedule(schedule, wall(start), zone),
);
testRuleTable(scheduleProblemCases, ({ schedule, start }) => scheduleProblem(schedule, wall(start), zone));

/** The same by brute force over Temporal's calendar: walks day by day and asks whether the day is in. */
function slowOccurrences(
  {
    Interval,
    IntervalFrequency,
    DaysOfWeek,
  }: { Interval: number; IntervalFrequency: IntervalFrequency; DaysOfWeek: readonly string[] },
  startText: string,
  days: number,
): number[] {
  const start = Temporal.PlainDateTime.from(startText);
  const firstDate = start.toPlainDate();
  const sunday = firstDate.subtract({ days: firstDate.dayOfWeek % 7 });
  const found: number[] = [];
  for (let index = 0; index < days; index++) {
    const date = firstDate.add({ days: index });
    let isIn = false;
    if (IntervalFrequency === 'days') isIn = index % Interval === 0;
    if (IntervalFrequency === 'weeks') {
      const week = Math.floor(sunday.until(date).days / 7);
      isIn = week % Interval === 0 && DaysOfWeek.includes(dayNames[date.dayOfWeek % 7] ?? 'Sunday');
    }
    if (IntervalFrequency === 'months') {
      const apart = (date.year - firstDate.year) * 12 + date.month - firstDate.month;
      // Temporal's own clamping says which day of that month it is.
      isIn = apart % Interval === 0 && firstDate.add({ months: apart }).equals(date);
    }
    if (isIn) found.push(date.toPlainDateTime(start.toPlainTime()).toZonedDateTime(zone).epochMilliseconds);
  }
  return found;
}

describe('repeating schedules', () => {
  const schedule = fc.record({
    Interval: fc.integer({ min: 1, max: 12 }),
    IntervalFrequency: fc.constantFrom<IntervalFrequency>('days', 'weeks', 'months'),
    DaysOfWeek: fc.subarray([...dayNames]),
  });
  const start = fc
    .integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 0, 1) })
    .map((ms) => Math.floor(ms / 60_000) * 60_000);

  it('have the occurrences that a walk through Temporal’s calendar finds', () => {
    fc.assert(
      fc.property(schedule, start, (one, startWallMs) => {
        const slow = slowOccurrences(one, formatWall(startWallMs), 400);
        const fast = nextOccurrences(one, startWallMs, zone, { limit: Math.max(slow.length, 1) });
        expect(fast.map((moment) => moment.epochMs).slice(0, slow.length)).toEqual(slow);
      }),
      { numRuns: 100 },
    );
  });

  it('give the same occurrences when asked from any moment in between', () => {
    fc.assert(
      fc.property(schedule, start, fc.integer({ min: 0, max: 2000 }), (one, startWallMs, hours) => {
        const afterMs = startWallMs + hours * 3_600_000;
        const all = nextOccurrences(one, startWallMs, zone, { limit: 100 }).map((moment) => moment.epochMs);
        const expected = all.filter((epochMs) => epochMs > afterMs).slice(0, 3);
        const later = nextOccurrences(one, startWallMs, zone, { afterMs, limit: 3 }).map(
          (moment) => moment.epochMs,
        );
        expect(later.slice(0, expected.length)).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  it('answer at once however long ago the start was, and never more than the bound', () => {
    const old = wall('1970-01-05T09:00');
    const [next] = nextOccurrences(defaultSchedule(), old, zone, { afterMs: Date.UTC(2026, 10, 16) });
    expect(next && formatWall(wallMsAt(next.epochMs, zone))).toBe('2026-11-16T09:00:00');
    expect(nextOccurrences(defaultSchedule(), old, zone, { limit: 1e9 })).toHaveLength(maxOccurrences);
    expect(
      nextOccurrences(defaultSchedule(), old, zone, { afterMs: Number.POSITIVE_INFINITY, limit: 5 }),
    ).toEqual([]);
    expect(
      nextOccurrences({ ...defaultSchedule(), Interval: Number.MAX_SAFE_INTEGER }, old, zone, { limit: 5 }),
    ).toHaveLength(1);
  });

  it('Repeating defaults to daily, interval 1. Default end is 7 days after the start.', () => {
    expect(deriveFrequency(defaultSchedule())).toBe('Daily');
    const startWallMs = wall('2027-03-10T09:00');
    expect(formatWall(wallMsAt(defaultEndMs(startWallMs, zone), zone))).toBe('2027-03-17T09:00:00');
  });

  it('A custom frequency keeps its own interval', () => {
    const every3Weeks = { Interval: 3, IntervalFrequency: 'weeks', DaysOfWeek: ['Monday'] } as const;
    const startWallMs = wall('2026-11-20T09:00');
    expect(chooseFrequency(every3Weeks, 'Custom', startWallMs)).toEqual(every3Weeks);
    expect(chooseFrequency(every3Weeks, 'Weekly', startWallMs)).toEqual({
      Interval: 1,
      IntervalFrequency: 'weeks',
      DaysOfWeek: ['Friday'],
    });
    for (const frequency of scheduleFrequencies.filter((one) => one !== 'Custom')) {
      expect(deriveFrequency(chooseFrequency(every3Weeks, frequency, startWallMs))).toBe(frequency);
    }
  });

  it('are said in words', () => {
    expect([1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 31, 111].map((n) => `${n}${endingOf(n)}`)).toEqual([
      '1st',
      '2nd',
      '3rd',
      '4th',
      '11th',
      '12th',
      '13th',
      '21st',
      '22nd',
      '23rd',
      '31st',
      '111th',
    ]);
    expect(describeHours(['Monday', 'Tuesday', 'Wednesday'], '9:00 AM', '9:00 PM')).toBe(
      'Monday to Wednesday, 9:00 AM to 9:00 PM',
    );
    expect(describeHours(dayNames, '9:00 AM', '9:00 PM')).toBe('Every day, 9:00 AM to 9:00 PM');
    expect(describeHours([], '9:00 AM', '9:00 PM')).toBe('No day, 9:00 AM to 9:00 PM');
  });
});
