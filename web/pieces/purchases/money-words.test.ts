import { expect, it } from 'vitest';
import { formatExpiration, formatUnitCost, paceWords } from './money-words.ts';

it('says what a credit costs without losing a fraction of a cent', () => {
  expect([0.05, 0.035, 0.0275, 0.1, 0.01255].map(formatUnitCost)).toEqual([
    ...['5.0¢', '3.5¢', '2.75¢', '10.0¢', '1.255¢'],
  ]);
});

it('says when a card expires', () => {
  expect(formatExpiration('2027-08-01')).toBe('08/27');
});

it('says how long credits last', () => {
  expect(paceWords(18_420, 13_018)).toBe('About six weeks at your pace');
  expect(paceWords(400, 13_018)).toBe('Less than a day at your pace');
  expect(paceWords(450, 13_018)).toBe('About one day at your pace');
  expect(paceWords(5_000, 13_018)).toBe('About eleven days at your pace');
  expect(paceWords(500_000, 13_018)).toBe('More than a year at your pace');
  expect(paceWords(18_420, 0)).toBeUndefined();
});
