import { describe, expect, it } from 'vitest';
import { greeting, waitingSentence } from './greeting.ts';

const zone = 'America/New_York';
const at = (time: string) => Date.parse(time);

describe('home’s first words', () => {
  it.each([
    ['2026-03-10T04:00:00Z', 'Good morning, Dana'],
    ['2026-03-10T15:59:00Z', 'Good morning, Dana'],
    ['2026-03-10T16:00:00Z', 'Good afternoon, Dana'],
    ['2026-03-10T22:00:00Z', 'Good evening, Dana'],
  ])('at %s: %s', (time, words) => expect(greeting(at(time), zone, 'Dana')).toBe(words));

  it.each([
    [0, 'Tuesday, March 10. Nobody waits for an answer.'],
    [1, 'Tuesday, March 10. One person waits for an answer.'],
    [7, 'Tuesday, March 10. Seven people wait for an answer.'],
    [1300, 'Tuesday, March 10. 1,300 people wait for an answer.'],
  ])('with %i waiting', (waiting, words) => {
    expect(waitingSentence(at('2026-03-11T03:00:00Z'), zone, waiting)).toBe(words);
  });

  it('says what goes out first', () => {
    expect(waitingSentence(at('2026-03-11T03:00:00Z'), zone, 7, 1)).toBe(
      'Tuesday, March 10. One broadcast is going out, seven people wait for an answer.',
    );
    expect(waitingSentence(at('2026-03-11T03:00:00Z'), zone, 0, 2)).toBe(
      'Tuesday, March 10. Two broadcasts are going out, nobody waits for an answer.',
    );
  });
});
