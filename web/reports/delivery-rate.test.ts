import { expect, it } from 'vitest';
import { rateOf, rateWords, shortHour } from './delivery-rate.ts';

it('counts only texts whose end is known', () => {
  expect(rateOf({ Delivered: 9, Failed: 1, Unknown: 0 })).toBe(90);
  expect(rateOf({ Delivered: 0, Failed: 0, Unknown: 0 })).toBeNull();
});

it('compares in points', () => {
  expect(rateWords(97.4, 96.2)).toBe('1.2 points more than before');
  expect(rateWords(95, 96)).toBe('1.0 points less than before');
  expect(rateWords(95.01, 95)).toBe('the same as before');
  expect(rateWords(95, null)).toBe('none in the days before');
});

it('names hours', () => {
  expect(['0', '8', '12', '23'].map(shortHour)).toEqual(['12 AM', '8 AM', '12 PM', '11 PM']);
});
