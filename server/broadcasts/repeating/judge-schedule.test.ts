import { expect, it } from 'vitest';
import { occurrences } from './judge-schedule.ts';

const zone = 'America/New_York';

/** The times of the series: each occurrence computes the one after it. */
function walk(startWall: string, steps: number): string[] {
  const schedule = { Interval: 1, IntervalFrequency: 'days', DaysOfWeek: [] } as const;
  const found: string[] = [];
  let afterMs = Number.NEGATIVE_INFINITY;
  for (let step = 0; step < steps; step += 1) {
    const [next] = occurrences({ schedule, startWall, zone }, afterMs, 1);
    if (next === undefined) break;
    found.push(new Date(next).toISOString());
    afterMs = next;
  }
  return found;
}

it.each([
  [
    'at an hour that the spring skips: an hour later on that day alone',
    '2027-03-13T02:30:00',
    ['2027-03-13T07:30:00.000Z', '2027-03-14T07:30:00.000Z', '2027-03-15T06:30:00.000Z'],
  ],
  [
    'at an hour that the autumn repeats: once',
    '2026-10-31T01:30:00',
    ['2026-10-31T05:30:00.000Z', '2026-11-01T05:30:00.000Z', '2026-11-02T06:30:00.000Z'],
  ],
  [
    'at nine: at nine before and after',
    '2027-03-13T09:00:00',
    ['2027-03-13T14:00:00.000Z', '2027-03-14T13:00:00.000Z', '2027-03-15T13:00:00.000Z'],
  ],
])('every day %s', (_, startWall, moments) => {
  expect(walk(startWall, moments.length)).toEqual(moments);
});
