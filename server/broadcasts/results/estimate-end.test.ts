import { expect, it } from 'vitest';
import { speedOf, withCalls } from './estimate-end.ts';

const at = Date.parse('2026-11-16T15:10:00Z');
const ago = (minutes: number) => new Date(at - minutes * 60_000);

const moving: Parameters<typeof speedOf>[0] = {
  ...{ status: 'broadcasting', HeldReason: '', startedAt: ago(10), goingCount: 1000, PerMinute: null },
  ...{ unfed: 380, waiting: 20, sampledAt: ago(2), sampledSent: 400 },
};

const speeds: [string, Partial<typeof moving>, number, string | null][] = [
  ['by what went out since the oldest sample of the last minutes', {}, 100, '2026-11-16T15:14:00.000Z'],
  ['since the start where there is none', { sampledAt: null }, 60, '2026-11-16T15:16:40.000Z'],
  ['no faster than it was told', { PerMinute: 50 }, 50, '2026-11-16T15:18:00.000Z'],
  [
    'as it was told, in the first minute',
    { PerMinute: 500, sampledAt: ago(0.1) },
    500,
    '2026-11-16T15:10:48.000Z',
  ],
  ['none while nothing moves', { sampledSent: 600 }, 0, null],
  ['none while it is held', { HeldReason: 'Quiet hours until 8:00 AM Eastern' }, 0, null],
  ['none while it is paused', { status: 'paused' }, 0, null],
  ['none once all are gone', { unfed: 0, waiting: 0 }, 0, null],
];

it.each(speeds)('the speed of a broadcast: %s', (_name, more, perMinute, end) => {
  const { CurrentPerMinute, EstimatedEnd } = speedOf({ ...moving, ...more }, at);
  expect([CurrentPerMinute, EstimatedEnd?.toISOString() ?? null]).toEqual([perMinute, end]);
});

it('calls end later than texts, at their recent speed and not before the last one is due', () => {
  const texts = { CurrentPerMinute: 60, EstimatedEnd: new Date('2026-03-02T14:01:00Z') };
  const atMs = Date.parse('2026-03-02T14:00:00Z');
  const calling = {
    ...{ status: 'broadcasting' as const, HeldReason: '', startedAt: new Date('2026-03-02T13:50:00Z') },
    ...{ callCount: 100, callFed: 90, callsWaiting: 30, endedLately: 20, lastDue: null },
  };
  const endOf = (more: Partial<typeof calling> | { lastDue: Date } = {}) =>
    withCalls(texts, { ...calling, ...more }, atMs).EstimatedEnd?.toISOString();
  // 40 are left, ten a minute.
  expect(endOf()).toBe('2026-03-02T14:04:00.000Z');
  expect(endOf({ lastDue: new Date('2026-03-02T14:05:00Z') })).toBe('2026-03-02T14:05:00.000Z');
  expect(endOf({ endedLately: 0 })).toBeUndefined();
  expect(endOf({ callFed: 100, callsWaiting: 0 })).toBe('2026-03-02T14:01:00.000Z');
  expect(endOf({ HeldReason: 'No credits' })).toBe('2026-03-02T14:01:00.000Z');
});
