import { countOf } from '../../ui/format.ts';

const offered = [1, 2, 3, 6, 9, 12, 24, 36];

/** Numbers of months that an invoice can be for, with the number that is chosen already. */
export function invoiceMonths(chosen: number): { value: number; label: string }[] {
  const all = offered.includes(chosen) ? offered : [...offered, chosen].sort((a, b) => a - b);
  return all.map((months) => ({ value: months, label: countOf(months, 'month', 'months') }));
}
