import { sql } from 'kysely';
import type { InvoiceStatusCategory } from '../../contract/states/invoice-status.ts';

/** True while a payment of an invoice is in progress. */
export const hasPendingPayment = sql<boolean>`exists (select from charges c where c.account_id = invoices.account_id
  and c.invoice_id = invoices.invoice_id and c.charge_type = 'InvoicePayment' and c.state in ('open', 'action'))`;

const unpaid = sql<boolean>`voided_at is null and paid_cents < total_cents`;

/** The condition on `invoices` for each category. */
export const invoicesIn: Record<InvoiceStatusCategory, ReturnType<typeof sql<boolean>>> = {
  Unpaid: sql<boolean>`${unpaid} and paid_cents = 0 and not ${hasPendingPayment}`,
  'Partially Paid': sql<boolean>`${unpaid} and paid_cents > 0 and not ${hasPendingPayment}`,
  Pending: sql<boolean>`${unpaid} and ${hasPendingPayment}`,
  Paid: sql<boolean>`voided_at is null and paid_cents = total_cents`,
  Voided: sql<boolean>`voided_at is not null`,
  outstanding: unpaid,
};
