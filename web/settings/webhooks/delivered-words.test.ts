import { expect, it } from 'vitest';
import { deliveredWords } from './delivered-words.ts';

it.each([
  [{ Delivered: 0, Failed: 0, Waiting: 3 }, 'nothing delivered in 7 days'],
  [{ Delivered: 0, Failed: 0, Waiting: 10_000 }, 'the latest 10,000 deliveries are waiting'],
  [{ Delivered: 1, Failed: 0, Waiting: 1 }, '100% of 1 delivery arrived in 7 days'],
  [{ Delivered: 9, Failed: 1, Waiting: 0 }, '90% of 10 deliveries arrived in 7 days'],
  [{ Delivered: 999, Failed: 1, Waiting: 9000 }, '99.9% of the latest 1,000 deliveries arrived'],
])('says how many deliveries arrived: %o', (counts, words) => {
  expect(deliveredWords(counts)).toBe(words);
});
