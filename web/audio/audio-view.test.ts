import { expect, it } from 'vitest';
import { filterOf, readSort, readView, usedWords } from './audio-view.ts';

const now = Date.parse('2026-03-10T15:00:00Z');

it.each([
  [0, null, 'Never used'],
  [1, '2025-11-24T15:00:00Z', '1 time, on November 24, 2025'],
  [14, '2026-01-22T15:00:00Z', '14 times, last on January 22'],
])('used %i times is said', (UseCount, LastUsedTimestamp, words) => {
  expect(usedWords({ UseCount, LastUsedTimestamp }, now, 'America/New_York')).toBe(words);
});

it('knows the views by the ends of their paths', () => {
  expect([undefined, 'all', 'starred', 'shared', 'never-used', 'nothing'].map(readView)).toEqual([
    'all',
    'all',
    'starred',
    'shared',
    'never-used',
    undefined,
  ]);
});

it('asks for what the address says', () => {
  expect(filterOf('never-used', { q: 'snow', filter: 'survey' })).toEqual({
    unused: true,
    q: 'snow',
    type: 'survey',
  });
  expect(filterOf('all', { q: '', filter: 'nonsense' })).toEqual({});
  expect([readSort('newest'), readSort('; drop')]).toEqual(['newest', 'name']);
});
