import { expect, it } from 'vitest';
import { isInPlainLetters, spellPhones, toPlainWords } from './speech-words.ts';

it.each([
  ['Call (423) 555-0143.', 'Call 4 2 3, 5 5 5, 0 1 4 3.'],
  ['Call 1-423-555-0143 now', 'Call 4 2 3, 5 5 5, 0 1 4 3 now'],
  ['+1 423.555.0143', '4 2 3, 5 5 5, 0 1 4 3'],
  ['4235550143', '4 2 3, 5 5 5, 0 1 4 3'],
  ['Room 555-0143, order 42355501431', 'Room 555-0143, order 42355501431'],
  ['March 11, 2026 at 6:00 PM', 'March 11, 2026 at 6:00 PM'],
])('spells the digits of phones: %s', (text, spoken) => {
  expect(spellPhones(text)).toBe(spoken);
});

it('writes in the letters that a voice knows', () => {
  expect(toPlainWords('“José’s café” — 8–9 AM… & more 🙂')).toBe('"Jose\'s cafe" , 8, 9 AM. and more');
});

it.each([
  ['Schools are closed.', true],
  ['José, bring the naïve résumé', true],
  ['Школа закрыта', false],
  ['…!?', false],
])('detects whether %s can be read', (text, can) => {
  expect(isInPlainLetters(text)).toBe(can);
});
