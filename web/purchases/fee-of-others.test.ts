import { expect, it } from 'vitest';
import { feeOfOthers } from './fee-of-others.ts';

const tiers = [
  { LowerLimit: 1, UpperLimit: 1, Cost: 25 },
  { LowerLimit: 2, UpperLimit: null, Cost: 20 },
];
const number = (TextNumberID: number, FlatRateConversationStatus: 'Active' | 'CancelPending' = 'Active') => ({
  TextNumberID,
  FlatRateConversationStatus,
});

it('says what the other numbers cost when one is canceled, if that changes', () => {
  const canceled = number(1);
  expect(feeOfOthers(tiers, [canceled, number(2)], canceled)).toBe(25);
  expect(feeOfOthers(tiers, [canceled, number(2), number(3)], canceled)).toBeUndefined();
  expect(feeOfOthers(tiers, [canceled, number(2), number(3, 'CancelPending')], canceled)).toBe(25);
  expect(feeOfOthers(tiers, [canceled], canceled)).toBeUndefined();
});
