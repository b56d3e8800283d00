export const invoiceStatusCategories = [
  'Unpaid',
  'Partially Paid',
  'Pending',
  'Paid',
  'Voided',
  'outstanding',
] as const;
export type InvoiceStatusCategory = (typeof invoiceStatusCategories)[number];

/** Invoice resend status mapping: Paid gives SendPaymentReceived, Voided gives SendVoided, otherwise Resent. */
export function invoiceResendStatus(category: string): 'SendPaymentReceived' | 'SendVoided' | 'Resent' {
  if (category === 'Paid') return 'SendPaymentReceived';
  return category === 'Voided' ? 'SendVoided' : 'Resent';
}

/** Ours: the statuses of unpaid invoices. `outstanding` is the filter over all of these. */
export function isOutstanding(category: string): boolean {
  return category === 'Unpaid' || category === 'Partially Paid' || category === 'outstanding';
}
