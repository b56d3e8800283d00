import { describe, expect, it } from 'vitest';
import { recipientHours } from '../../../contract/time/quiet-hours.ts';
import { type FeedState, nextFeed, nextPaceMs } from './next-feed.ts';

const noon = Date.parse('2026-11-16T17:00:00Z'); // 12:00 in New York
const state: FeedState = {
  atMs: noon,
  size: 1000,
  perMinute: undefined,
  pace: undefined,
  hours: recipientHours,
  accountZone: 'America/New_York',
  cap: undefined,
  zones: [{ zone: '', left: 5000 }],
};

describe('how many', () => {
  it.each<[string, Partial<FeedState>, number]>([
    ['a whole slice at Max', {}, 1000],
    ['what the zone has left', { zones: [{ zone: '', left: 7 }] }, 7],
    ['what the cap has left', { cap: { left: 20, name: 'Daily limit' } }, 20],
    ['one, when a paced one begins', { perMinute: 500 }, 1],
    ['a second of its pace', { perMinute: 600, pace: { fromMs: noon - 1000, fed: 1 } }, 10],
    ['what is due of a slow one', { perMinute: 5, pace: { fromMs: noon - 12_000, fed: 1 } }, 1],
    ['what came due while nobody looked', { perMinute: 600, pace: { fromMs: noon - 4000, fed: 11 } }, 30],
    ['no more than five seconds of it', { perMinute: 600, pace: { fromMs: noon - 60_000, fed: 1 } }, 50],
  ])('%s', (_, over, count) => {
    expect(nextFeed({ ...state, ...over })).toMatchObject({ kind: 'feed', count });
  });

  it('restarts its pace after a long stop, and continues with it', () => {
    const next = nextFeed({ ...state, perMinute: 600, pace: { fromMs: noon - 60_000, fed: 1 } });
    if (next.kind !== 'feed' || next.pace === undefined) throw new Error('not fed');
    const after = { fromMs: next.pace.fromMs, fed: next.pace.fed + next.count };
    const later = nextFeed({ ...state, atMs: noon + 1000, perMinute: 600, pace: after });
    expect(later).toMatchObject({ kind: 'feed', count: 10 });
  });

  it('sends at the pace over ten minutes, however irregular the checks are', () => {
    let pace: FeedState['pace'];
    let sent = 0;
    for (let atMs = noon; atMs < noon + 600_000; atMs += 300 + ((atMs * 7) % 1900)) {
      const next = nextFeed({ ...state, atMs, perMinute: 500, pace });
      if (next.kind !== 'feed' || next.pace === undefined) continue;
      pace = { fromMs: next.pace.fromMs, fed: next.pace.fed + next.count };
      sent += next.count;
    }
    expect(Math.abs(sent - 5000)).toBeLessThan(25);
  });
});

describe('when not', () => {
  it('waits for its pace without giving a reason', () => {
    const next = nextFeed({ ...state, perMinute: 60, pace: { fromMs: noon, fed: 1 } });
    expect(next).toMatchObject({ kind: 'wait', untilMs: noon + 1000, reason: '' });
    expect(nextPaceMs(500, { fromMs: noon, fed: 9 })).toBe(noon + 2040);
  });

  it('is over when nobody is left', () => {
    expect(nextFeed({ ...state, zones: [{ zone: '', left: 0 }] })).toEqual({ kind: 'done' });
  });

  it('holds in quiet hours until the first zone opens, and says when', () => {
    const night = Date.parse('2026-11-16T11:00:00Z'); // 6:00 AM in New York
    const next = nextFeed({
      ...state,
      atMs: night,
      zones: [
        { zone: 'America/Los_Angeles', left: 5 },
        { zone: '', left: 5 },
      ],
    });
    expect(next).toMatchObject({
      kind: 'wait',
      untilMs: Date.parse('2026-11-16T13:00:00Z'),
      reason: 'Quiet hours until 8:00 AM Eastern',
    });
  });

  it('waits for all zones that a phone may be in, by the last morning of them', () => {
    const next = nextFeed({
      ...state,
      atMs: Date.parse('2026-11-16T13:30:00Z'),
      zones: [{ zone: 'America/New_York,America/Chicago', left: 5 }],
    });
    expect(next).toMatchObject({ kind: 'wait', reason: 'Quiet hours until 8:00 AM Central' });
  });

  it('sends at any hour when quiet hours are off', () => {
    const atMs = Date.parse('2026-11-16T08:00:00Z');
    expect(nextFeed({ ...state, atMs, hours: undefined })).toMatchObject({ kind: 'feed' });
  });

  it('takes the zone that closes first', () => {
    const zones = ['America/Los_Angeles', '', 'America/Chicago'].map((zone) => ({ zone, left: 5 }));
    expect(nextFeed({ ...state, zones })).toMatchObject({ kind: 'feed', zone: '' });
  });

  it('continues tomorrow, on the account’s clock, when a cap is used up', () => {
    const cap = { left: 0, name: 'Daily limit of toll-free numbers' };
    expect(nextFeed({ ...state, cap })).toMatchObject({
      kind: 'wait',
      untilMs: Date.parse('2026-11-17T05:00:00Z'),
      reason: 'Daily limit of toll-free numbers: goes on tomorrow',
    });
  });
});
