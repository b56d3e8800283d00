import { formatCents } from '../../contract/money/cents.ts';
import type { InvoiceStatusCategory } from '../../contract/states/invoice-status.ts';

export interface InvoiceState {
  total_cents: number;
  paid_cents: number;
  voided_at: Date | null;
}

/** The category of an invoice. Pending: a payment for it is in progress. */
export function categoryOf(
  invoice: InvoiceState,
  hasPendingPayment = false,
): Exclude<InvoiceStatusCategory, 'outstanding'> {
  if (invoice.voided_at !== null) return 'Voided';
  if (invoice.paid_cents >= invoice.total_cents) return 'Paid';
  if (hasPendingPayment) return 'Pending';
  return invoice.paid_cents > 0 ? 'Partially Paid' : 'Unpaid';
}

/**
 * The tax part of a payment. Calculated from the amounts paid before and after it, so that the parts add up
 * to the tax of the invoice whatever the payments are.
 */
export function taxOfPayment(
  invoice: { total_cents: number; tax_cents: number; paid_cents: number },
  paymentCents: number,
): number {
  const upTo = (paid: number) =>
    invoice.total_cents === 0 ? 0 : Math.floor((invoice.tax_cents * paid) / invoice.total_cents);
  return upTo(invoice.paid_cents + paymentCents) - upTo(invoice.paid_cents);
}

/** "3 months for up to 500 people" */
export function monthsFor(months: number, people: number): string {
  return months === 1
    ? `1 month for up to ${people.toLocaleString('en-US')} people`
    : `${months} months for up to ${people.toLocaleString('en-US')} people`;
}

const mailTitles = {
  Created: (id: number, amount: string) => `Invoice ${id} for ${amount}`,
  Resent: (id: number, amount: string) => `Invoice ${id} for ${amount}`,
  SendPaymentReceived: (id: number) => `We received your payment of invoice ${id}`,
  SendVoided: (id: number) => `Invoice ${id} was voided`,
  Refunded: (id: number) => `We refunded your payment of invoice ${id}`,
} as const;
export type InvoiceMailKind = keyof typeof mailTitles;

export function invoiceMailTitle(kind: InvoiceMailKind, invoiceId: number, totalCents: number): string {
  return mailTitles[kind](invoiceId, formatCents(totalCents));
}
