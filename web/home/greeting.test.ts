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
    [0, 'Tuesday, March 10. Nobody is waiting for a reply.'],
    [1, 'Tuesday, March 10. 1 person is waiting for a reply.'],
    [7, 'Tuesday, March 10. 7 people are waiting for a reply.'],
    [1300, 'Tuesday, March 10. 1,300 people are waiting for a reply.'],
  ])('with %i waiting', (waiting, words) => {
    expect(waitingSentence(at('2026-03-11T03:00:00Z'), zone, waiting)).toBe(words);
  });

  it('says what goes out first', () => {
    expect(waitingSentence(at('2026-03-11T03:00:00Z'), zone, 7, 1)).toBe(
      'Tuesday, March 10. 1 broadcast is going out, and 7 people are waiting for a reply.',
    );
    expect(waitingSentence(at('2026-03-11T03:00:00Z'), zone, 0, 2)).toBe(
      'Tuesday, March 10. 2 broadcasts are going out, and nobody is waiting for a reply.',
    );
  });
});
