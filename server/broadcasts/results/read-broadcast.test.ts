import { expect, it } from 'vitest';
import { speedOf } from './read-broadcast.ts';

const at = Date.parse('2026-11-16T15:10:00Z');
const ago = (minutes: number) => new Date(at - minutes * 60_000);

const moving: Parameters<typeof speedOf>[0] = {
  ...{ status: 'broadcasting', HeldReason: '', startedAt: ago(10), PhoneNumberCount: 1000, PerMinute: null },
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
