import type { WholeInvoice } from '../../contract/invoices.ts';
import { formatDollars } from '../pieces/purchases/money-words.ts';
import { said } from '../ui/said.ts';

type Payment = WholeInvoice['Payments'][number];

/** A payment as a line of the invoice. A refund is a payment below zero, and the line shows the amount paid back. */
export function paymentLine(
  { Amount, Method }: Pick<Payment, 'Amount' | 'Method'>,
  day: string,
): { label: string; value: string } {
  const method = said(Method);
  return Amount < 0
    ? { label: `${method}, ${day}`, value: formatDollars(-Amount) }
    : { label: `Paid ${day}, ${method}`, value: `−${formatDollars(Amount)}` };
}
