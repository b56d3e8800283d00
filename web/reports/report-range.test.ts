import { expect, it } from 'vitest';
import { readRangeSearch } from './range-search.ts';
import { changeWords, rangeOf, rangeWords } from './report-range.ts';

it('reads the address, and leaves out nonsense', () => {
  expect(readRangeSearch({ from: '2026-02-09', to: '2026-03-10' })).toEqual({
    from: '2026-02-09',
    to: '2026-03-10',
  });
  expect(readRangeSearch({ from: '2026-03-10', to: '2026-02-09' })).toEqual({});
  expect(readRangeSearch({ from: '2020-01-01', to: '2026-02-09', days: 90 })).toEqual({ days: 90 });
  expect(readRangeSearch({ days: '7' })).toEqual({ days: 7 });
  expect(readRangeSearch({ days: 8, from: 'today' })).toEqual({});
});

it('counts back from today on the organization’s calendar', () => {
  // Three in the morning of March 11 in Greenwich is still March 10 in New York.
  const at = { now: Date.parse('2026-03-11T03:00:00Z'), zone: 'America/New_York' };
  expect(rangeOf({}, 30, at)).toEqual({ from: '2026-02-09', to: '2026-03-10' });
  expect(rangeOf({ days: 7 }, 30, at)).toEqual({ from: '2026-03-04', to: '2026-03-10' });
  // The wrong way round, as in a link that was cut and pasted.
  const wrong = { from: '2026-03-05', to: '2026-03-01' };
  expect(rangeOf(wrong, 30, at)).toEqual({ from: '2026-02-09', to: '2026-03-10' });
});

it.each([
  ['2026-02-09', '2026-03-10', 'Feb 9 to Mar 10, 30 days'],
  ['2026-03-02', '2026-03-02', 'Monday, March 2'],
  ['2025-12-31', '2026-01-01', 'Dec 31, 2025 to Jan 1, 2026, 2 days'],
  ['2025-02-09', '2025-03-10', 'Feb 9, 2025 to Mar 10, 2025, 30 days'],
  ['2025-03-03', '2025-03-03', 'Monday, March 3, 2025'],
])('says the days from %s to %s', (from, to, words) => {
  expect(rangeWords({ from, to }, '2026-03-10')).toBe(words);
});

it.each([
  [112, 100, 'up 12%'],
  [50, 100, 'down 50%'],
  [100, 100, 'about the same as before'],
  [5, 0, ''],
])('says how %i compares with %i', (now, before, words) => {
  expect(changeWords(now, before)).toBe(words);
});
