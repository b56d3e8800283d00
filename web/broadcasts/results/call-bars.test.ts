import { expect, test } from 'vitest';
import { callBars } from './call-bars.ts';

const item = (At: string, LiveAnswer: number) => ({
  At,
  LiveAnswer,
  Voicemail: 1,
  BusyNoAnswer: 0,
  Other: 0,
});

test('every minute has a bar, even one without a call, and the expected calls add up to those left', () => {
  const items = [item('2026-03-04T18:00:00Z', 4), item('2026-03-04T18:02:00Z', 6)];
  const now = Date.parse('2026-03-04T18:03:20Z');
  const { done, expected } = callBars({
    items,
    stepMs: 60_000,
    now,
    left: 10,
    end: Date.parse('2026-03-04T18:06:00Z'),
  });
  expect(done.map(({ LiveAnswer }) => LiveAnswer)).toEqual([4, 0, 6, 0]);
  expect(expected.map(({ count }) => count)).toEqual([3, 4, 3]);
  expect(new Date(expected[0]?.at ?? 0).toISOString()).toBe('2026-03-04T18:04:00.000Z');
});

test('a finished broadcast ends with its last call, and no calls are expected', () => {
  const items = [item('2026-03-04T18:00:00Z', 4)];
  const now = Date.parse('2026-03-05T18:00:00Z');
  expect(callBars({ items, stepMs: 60_000, now, left: 0, end: undefined }).done).toHaveLength(1);
  expect(callBars({ items: [], stepMs: 60_000, now, left: 5, end: now + 60_000 })).toMatchObject({
    done: [],
  });
});
