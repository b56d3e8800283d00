import { expect, it } from 'vitest';
import { usedWords } from './used-words.ts';

const now = Date.parse('2026-03-10T15:00:00Z');

it.each([
  [0, null, 'Never used'],
  [1, '2025-11-24T15:00:00Z', '1 time, on November 24, 2025'],
  [14, '2026-01-22T15:00:00Z', '14 times, last on January 22'],
])('used %i times is said', (UseCount, LastUsedTimestamp, words) => {
  expect(usedWords({ UseCount, LastUsedTimestamp }, now, 'America/New_York')).toBe(words);
});
