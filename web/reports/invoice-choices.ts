/** States by which invoices can be listed. Not the contract's own list, which the address must not wait for. */
export const invoiceChoices = [
  { value: 'outstanding', label: 'Outstanding' },
  { value: 'Unpaid', label: 'Unpaid' },
  { value: 'Partially Paid', label: 'Partially paid' },
  { value: 'Pending', label: 'Pending' },
  { value: 'Paid', label: 'Paid' },
  { value: 'Voided', label: 'Voided' },
] as const;
export type InvoiceChoice = (typeof invoiceChoices)[number]['value'];
