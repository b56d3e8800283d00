import { expect, it } from 'vitest';
import { createStartPace } from './start-pace.ts';

/** The shortest time in which one more than the pace went. */
function shortest(times: number[], most: number): number {
  return Math.min(...times.slice(most).map((at, index) => at - (times[index] ?? 0)));
}

it.each([
  [1, 3],
  [20, 50],
])('lets no more than %i go in any second, also when all ask at once', async (perSecond, count) => {
  const pace = createStartPace();
  pace.set(perSecond);
  const times: number[] = [];
  const asked = Array.from({ length: count }, async (_, index) => {
    await pace.turn();
    times.push(performance.now());
    return index;
  });
  expect(await Promise.all(asked)).toHaveLength(count);
  expect(times).toHaveLength(count);
  expect(shortest(times, perSecond)).toBeGreaterThan(1000);
});

it('lets late ones go with the next, as long as a second has room for them', async () => {
  const pace = createStartPace();
  pace.set(5);
  const startMs = performance.now();
  for (let index = 0; index < 3; index++) await pace.turn();
  expect(pace.freeAtMs()).toBe(0);
  for (let index = 0; index < 2; index++) await pace.turn();
  expect(pace.freeAtMs()).toBeGreaterThanOrEqual(startMs + 1000);
});

it('takes on a changed pace while calls wait', async () => {
  const pace = createStartPace();
  pace.set(1);
  await pace.turn();
  const waiting = pace.turn();
  expect(pace.freeAtMs()).toBeGreaterThan(performance.now());
  pace.set(100);
  await waiting;
  expect(pace.freeAtMs()).toBe(0);
});

it('leaves more room in a worker’s first seconds, when its requests still take long', async () => {
  const pace = createStartPace();
  pace.set(5);
  const times: number[] = [];
  for (let index = 0; index < 25; index++) {
    await pace.turn();
    times.push(performance.now());
  }
  const since = (index: number) => (times[index] ?? 0) - (times[index - 5] ?? 0);
  expect(since(5)).toBeGreaterThanOrEqual(1149);
  expect(since(15)).toBeGreaterThanOrEqual(1149);
  expect(since(20)).toBeGreaterThanOrEqual(1016);
  expect(since(20)).toBeLessThan(1149);
});
