import { expect, it } from 'vitest';
import { paymentLine } from './payment-line.ts';

it('a payment is taken off, a refund was paid back', () => {
  const of = (Amount: number, Method: string) => paymentLine({ Amount, Method }, 'March 10, 2028');
  expect(of(54.63, 'Visa ending in 4242')).toEqual({
    label: 'Paid March 10, 2028, Visa ending in 4242',
    value: '−$54.63',
  });
  expect(of(-10, 'Refund to Visa ending in 4242')).toEqual({
    label: 'Refund to Visa ending in 4242, March 10, 2028',
    value: '$10.00',
  });
});
