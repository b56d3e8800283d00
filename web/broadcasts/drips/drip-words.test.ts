import { expect, it } from 'vitest';
import {
  afterWords,
  courseWords,
  type EditedStep,
  leftOutWords,
  stepAfter,
  timeHelp,
  waitWords,
  writtenStep,
} from './drip-words.ts';

const zone = 'America/New_York';
const at = { now: Date.parse('2026-03-13T19:30:00Z'), zone };
const step = (date: string, time: string, more: Partial<EditedStep> = {}): EditedStep => ({
  ...{ key: 1, message: '', hasWait: true, afterDays: null, picture: undefined },
  date,
  time,
  ...more,
});

it('begins with a step that goes out at once, and puts others five minutes after', () => {
  const first = stepAfter(undefined, 1, at);
  expect(first).toMatchObject({ hasWait: false, date: '' });
  expect(stepAfter(first, 2, at)).toMatchObject({ hasWait: true, date: '2026-03-13', time: '3:35 PM' });
  expect(stepAfter(step('2026-03-13', '11:58 PM'), 2, at)).toMatchObject({
    date: '2026-03-14',
    time: '12:03 AM',
  });
});

it.each<[[string, string], [string, string], string]>([
  [['2026-03-13', '3:30 PM'], ['2026-03-15', '6:00 PM'], 'Wait 2 days, 2 hours 30 minutes'],
  [['2026-03-15', '6:00 PM'], ['2026-03-18', '4:00 PM'], 'Wait 2 days, 22 hours'],
  [['2026-03-15', '6:00 PM'], ['2026-03-15', '6:05 PM'], 'Wait 5 minutes'],
  // The clocks change in the night before.
  [['2026-03-07', '6:00 PM'], ['2026-03-08', '6:00 PM'], 'Wait 23 hours'],
  [['2026-03-15', '6:00 PM'], ['2026-03-14', '6:00 PM'], ''],
  [['2026-03-15', '6:00 PM'], ['', '6:00 PM'], ''],
])('says the wait between %s and %s', (from, to, words) => {
  const of = ([date, time]: readonly [string, string]) => step(date, time);
  expect(waitWords(of(from), of(to), at)).toBe(words);
});

it('counts days from joining', () => {
  const first = stepAfter(undefined, 1, at);
  expect([first, stepAfter(first, 2, at), { hasWait: true, afterDays: 3 }].map(afterWords)).toEqual([
    'Right away',
    '1 day after joining',
    '3 days after joining',
  ]);
  expect(writtenStep(first)).toEqual({
    ...{ message: '', date: '', time: '', hasWait: false, afterDays: null, mediaIds: [] },
  });
});

it('says how long a campaign takes', () => {
  const dated = { ...at, isRelative: false };
  const [first, last] = [step('2026-03-13', '3:30 PM'), step('2026-03-20', '3:30 PM')];
  expect(courseWords([first, last], dated)).toBe(
    '2 steps over 7 days, from Friday, March 13 to Friday, March 20',
  );
  expect(courseWords([stepAfter(undefined, 1, at), last], dated)).toBe(
    '2 steps over 7 days, from Friday, March 13 to Friday, March 20',
  );
  expect(courseWords([first], dated)).toBe('1 step on Friday, March 13');
  expect(courseWords([first, step('', '')], dated)).toBe('2 steps');
  const joined = [stepAfter(undefined, 1, at), step('', '9:00 AM', { afterDays: 3 })];
  expect(courseWords(joined, { ...at, isRelative: true })).toBe('2 steps over 3 days');
});

it('says what a change of clocks does to a step', () => {
  expect(timeHelp(step('2026-03-13', '9:00 AM'), zone)).toBe('In Eastern Time.');
  expect(timeHelp(step('', ''), zone)).toBe('In Eastern Time.');
  expect(timeHelp(step('2026-03-08', '2:30 AM'), zone)).toBe(
    'In Eastern Time. Clocks go forward that day and skip this time, so the step goes out at 3:30 AM.',
  );
  expect(timeHelp(step('2026-11-01', '1:30 AM'), zone)).toBe(
    'In Eastern Time. Clocks go back that day, so this time comes twice. The step goes out the first time.',
  );
});

it('says why people are left out', () => {
  expect(leftOutWords([])).toBe('');
  expect(
    leftOutWords([
      { Problem: 'opted_out', Count: 4 },
      { Problem: 'duplicate', Count: 2 },
    ]),
  ).toBe('4 opted out, 2 with the same phone');
});
