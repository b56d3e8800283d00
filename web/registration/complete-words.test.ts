import { expect, it } from 'vitest';
import { completeWords } from './complete-words.ts';

it('leads organizations in Canada to a toll-free number, others to a local one', () => {
  const of = { canText: false, isCanadian: true, hasApplied: false };
  expect(completeWords(of)).toContain('apply for a toll-free number');
  expect(completeWords({ ...of, hasApplied: true })).toContain('when you have your toll-free number');
  expect(completeWords({ ...of, isCanadian: false })).toContain('get a local number');
  expect(completeWords({ ...of, canText: true })).toContain('You can send texts now.');
});
