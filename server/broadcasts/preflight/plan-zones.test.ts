import { describe, expect, it } from 'vitest';
import { recipientHours } from '../../../contract/time/quiet-hours.ts';
import { dayMs, hourMs, minuteMs } from '../../../contract/time/wall-clock.ts';
import { type Cap, planZones, type Sending } from './plan-zones.ts';

const eastern = 'America/New_York';
const pacific = 'America/Los_Angeles';

function plan(start: string, more: Partial<Sending> = {}) {
  const sending = {
    startMs: Date.parse(start),
    zones: [{ zone: eastern, count: 60 }],
    perMinute: 60,
    hours: recipientHours,
    accountZone: eastern,
    cap: undefined,
    ...more,
  };
  const { startsMs, endsMs, zones } = planZones(sending);
  const iso = (ms: number) => new Date(ms).toISOString().replace(':00.000Z', 'Z');
  return {
    starts: iso(startsMs),
    ends: iso(endsMs),
    zones: Object.fromEntries(zones.map(({ zone, opensMs, doneMs }) => [zone, [iso(opensMs), iso(doneMs)]])),
  };
}

const none = Array.from({ length: 30 }, () => 0);
const cap = (perDay: number, more: Partial<Cap> = {}): Cap => ({
  perDay,
  perWeek: 1e9,
  perMonth: 1e9,
  used: none,
  ...more,
});

describe('when each zone gets it', () => {
  it('takes as long as the pace says', () => {
    expect(plan('2026-11-16T15:00:00Z')).toMatchObject({
      starts: '2026-11-16T15:00Z',
      ends: '2026-11-16T15:01Z',
    });
    expect(plan('2026-11-16T15:00:00Z', { perMinute: 5 }).ends).toBe('2026-11-16T15:12Z');
  });

  it('waits in zones where it is still night, and the others go first', () => {
    const zones = [
      { zone: pacific, count: 60 },
      { zone: eastern, count: 60 },
    ];
    expect(plan('2026-11-16T13:30:00Z', { zones }).zones).toEqual({
      [eastern]: ['2026-11-16T13:30Z', '2026-11-16T13:31Z'],
      [pacific]: ['2026-11-16T16:00Z', '2026-11-16T16:01Z'],
    });
  });

  it('starts with the zone whose evening comes first, with one pace for both', () => {
    const zones = [
      { zone: pacific, count: 60 },
      { zone: eastern, count: 60 },
    ];
    expect(plan('2026-11-16T20:00:00Z', { zones }).zones).toEqual({
      [eastern]: ['2026-11-16T20:00Z', '2026-11-16T20:01Z'],
      [pacific]: ['2026-11-16T20:00Z', '2026-11-16T20:02Z'],
    });
  });

  it('stops at 9:00 PM and continues at 8:00 AM', () => {
    // An hour's worth, half an hour before the evening.
    const zones = [{ zone: eastern, count: 3600 }];
    expect(plan('2026-11-17T01:30:00Z', { zones }).ends).toBe('2026-11-17T13:30Z');
  });

  it('ignores the clock when quiet hours are off', () => {
    expect(plan('2026-11-16T07:00:00Z', { hours: undefined }).ends).toBe('2026-11-16T07:01Z');
  });

  it('uses the account’s own zone for phones of unknown location', () => {
    const zones = [{ zone: '', count: 60 }];
    expect(plan('2026-11-16T13:30:00Z', { zones, accountZone: pacific }).starts).toBe('2026-11-16T16:00Z');
  });

  it('waits for the strictest zone of an area code that spans two', () => {
    const zones = [{ zone: `${eastern},${pacific}`, count: 60 }];
    expect(plan('2026-11-16T13:30:00Z', { zones }).starts).toBe('2026-11-16T16:00Z');
  });

  it('texts people whose zones never share an allowed hour at any hour', () => {
    const zones = [{ zone: 'America/Los_Angeles,Europe/Berlin,Asia/Tokyo', count: 60 }];
    expect(plan('2026-11-16T13:30:00Z', { zones }).ends).toBe('2026-11-16T13:31Z');
  });

  it('spreads over the days of a cap, including today’s texts', () => {
    const used = [...none.slice(1), 40];
    const days = plan('2026-11-16T15:00:00Z', { cap: cap(50, { used }), hours: undefined });
    // Ten today; fifty from midnight in New York on.
    expect(days.ends).toBe('2026-11-17T05:00:50.000Z');
  });

  it('also respects the caps of seven and of thirty days', () => {
    const week = plan('2026-11-16T15:00:00Z', { cap: cap(10, { perWeek: 20 }), hours: undefined });
    // Twenty in the first two days of each week: the last ten on the second day of the third.
    expect(week.ends).toBe('2026-12-01T05:00:10.000Z');
    const month = plan('2026-11-16T15:00:00Z', { cap: cap(30, { perMonth: 30 }), hours: undefined });
    expect(month.ends).toBe('2026-12-16T05:00:30.000Z');
  });

  it('extrapolates what takes longer than a year', () => {
    const zones = [{ zone: eastern, count: 730 }];
    const { ends } = plan('2026-01-01T15:00:00Z', { zones, cap: cap(1), hours: undefined });
    expect(Math.abs(Date.parse(ends) - Date.parse('2028-01-01T15:00:00Z'))).toBeLessThan(3 * dayMs);
  });

  it('returns the start where there is nobody', () => {
    expect(plan('2026-11-16T15:00:00Z', { zones: [] })).toEqual({
      starts: '2026-11-16T15:00Z',
      ends: '2026-11-16T15:00Z',
      zones: {},
    });
  });

  it('never sends faster than its pace, and never at night', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const count = seed * 977;
      const perMinute = [5, 50, 500, 1000][seed % 4] ?? 5;
      const startMs = Date.parse('2026-11-16T00:00:00Z') + seed * 37 * minuteMs;
      const { endsMs, startsMs } = planZones({
        startMs,
        zones: [{ zone: eastern, count }],
        perMinute,
        hours: recipientHours,
        accountZone: eastern,
        cap: undefined,
      });
      const openMs = (count / perMinute) * minuteMs;
      expect(endsMs - startsMs).toBeGreaterThanOrEqual(Math.floor(openMs));
      // Thirteen hours of each day are open: the total is the open time plus a night for each day of it.
      expect(endsMs - startsMs).toBeLessThanOrEqual(
        openMs + (Math.ceil(openMs / (13 * hourMs)) + 1) * 11 * hourMs,
      );
    }
  });
});
