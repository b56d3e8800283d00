import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { gatherFor } from './gather.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('does the first at once, what follows together, and nothing after the end', () => {
  const done: string[][] = [];
  const { add, stop } = gatherFor<string>(1_000, (items) => done.push(items));
  add(['a']);
  expect(done).toEqual([['a']]);
  add(['b']);
  add(['c', 'd']);
  vi.advanceTimersByTime(999);
  expect(done).toEqual([['a']]);
  vi.advanceTimersByTime(1);
  expect(done).toEqual([['a'], ['b', 'c', 'd']]);
  vi.advanceTimersByTime(5_000);
  add(['e']);
  expect(done.at(-1)).toEqual(['e']);
  add(['f']);
  stop();
  vi.advanceTimersByTime(5_000);
  expect(done.at(-1)).toEqual(['e']);
  expect(done).toHaveLength(3);
});

it('is not done twice when there is nothing to gather', () => {
  const done: number[][] = [];
  const { add } = gatherFor<number>(1_000, (items) => done.push(items));
  add([]);
  vi.advanceTimersByTime(3_000);
  expect(done).toEqual([]);
  add([1]);
  expect(done).toEqual([[1]]);
});

it('waits as long as so many ask for', () => {
  const done: number[] = [];
  const { add } = gatherFor<number>(
    (many) => (many > 2 ? 1_000 : 100),
    (items) => done.push(items.length),
  );
  add([1]);
  add([2, 3, 4]);
  vi.advanceTimersByTime(100);
  expect(done).toEqual([1, 3]);
  add([5]);
  vi.advanceTimersByTime(999);
  expect(done).toEqual([1, 3]);
  vi.advanceTimersByTime(1);
  expect(done).toEqual([1, 3, 1]);
});
