import { expect, it } from 'vitest';
import { formatLength, lengthWords } from './audio-words.ts';

it.each([
  [0, '0:00', '0 seconds'],
  [0.98, '0:01', '1 second'],
  [26.4, '0:26', '26 seconds'],
  [60, '1:00', '1 minute'],
  [121, '2:01', '2 minutes 1 second'],
])('%f seconds are %s, and read as %s', (seconds, short, words) => {
  expect([formatLength(seconds), lengthWords(seconds)]).toEqual([short, words]);
});
