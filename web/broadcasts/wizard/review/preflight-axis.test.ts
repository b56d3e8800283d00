import { describe, expect, it } from 'vitest';
import { formatTime } from '../../../ui/format.ts';
import { axisOf, placeOf, quietStretches } from './preflight-axis.ts';

const eastern = 'America/New_York';
const quiet = { IsOn: true, Start: '8:00 AM', Stop: '9:00 PM' };
/** 8:00 AM in each zone on Wednesday, March 11, 2026. */
const plan = [
  { Opens: '2026-03-11T12:00:00Z', Done: '2026-03-11T12:05:00Z' },
  { Opens: '2026-03-11T15:00:00Z', Done: '2026-03-11T15:01:00Z' },
];

function axis(rows = plan, zone = eastern) {
  const made = axisOf(rows, zone);
  if (!made) throw new Error('there is no axis');
  return made;
}

describe('the hours of a broadcast', () => {
  it('begin at the round hour before the first text and leave room after the last', () => {
    const { ticks } = axis();
    expect(ticks.map((ms) => formatTime(ms, eastern))).toEqual([
      '7:00 AM',
      '8:00 AM',
      '9:00 AM',
      '10:00 AM',
      '11:00 AM',
      '12:00 PM',
      '1:00 PM',
    ]);
    expect(placeOf(Date.parse('2026-03-11T12:00:00Z'), axis())).toBeCloseTo(1 / 6);
  });
  it('are quarter hours for a short broadcast, and days for a long one', () => {
    const [first] = plan;
    expect(axis(first && [first]).stepMs).toBe(15 * 60_000);
    const long = { Opens: '2026-03-11T12:00:00Z', Done: '2026-03-20T12:00:00Z' };
    const { ticks, stepMs } = axis([long]);
    expect(stepMs).toBe(48 * 3_600_000);
    expect(ticks.length).toBeLessThanOrEqual(7);
  });
  it('are round on a clock half an hour beside the others', () => {
    const { ticks } = axis(plan, 'America/St_Johns');
    expect(ticks.every((ms) => formatTime(ms, 'America/St_Johns').includes(':00'))).toBe(true);
  });
  it('are quiet until eight where they live', () => {
    const [pacific] = quietStretches(['America/Los_Angeles'], quiet, axis());
    expect(pacific && formatTime(pacific.fromMs, eastern)).toBe('7:00 AM');
    expect(pacific && formatTime(pacific.toMs, eastern)).toBe('11:00 AM');
    expect(quietStretches(['America/Los_Angeles'], { ...quiet, IsOn: false }, axis())).toEqual([]);
  });
  it('go by the strictest of several zones', () => {
    const [both] = quietStretches([eastern, 'America/Chicago'], quiet, axis());
    expect(both && formatTime(both.toMs, eastern)).toBe('9:00 AM');
  });
});
