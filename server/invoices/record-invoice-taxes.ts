import { sql } from 'kysely';
import { now } from '../clock.ts';
import type { Database } from '../db.ts';
import type { SalesTax } from '../outside/sales-tax.ts';

interface Context {
  database: Database;
  salesTax: SalesTax;
}

/** Number of invoices recorded at a time. */
const atOnce = 100;

/**
 * Records created invoices with the tax office: their tax is fixed then, and a quote is valid for two days
 * only. Returns whether there may be more.
 */
export async function recordInvoiceTaxes({ database, salesTax }: Context): Promise<boolean> {
  const { rows } = await sql<{ account_id: number; invoice_id: number; quote: string }>`
    select account_id, invoice_id, tax_quote_id as quote from invoices
    where tax_quote_id is not null and tax_recorded_at is null and voided_at is null limit ${atOnce}`.execute(
    database.system,
  );
  for (const { account_id, invoice_id, quote } of rows) {
    const transactionId = await salesTax.record(quote, `invoice-${quote}`);
    const told = await sql<{ isVoided: boolean }>`
      update invoices set tax_recorded_at = ${now()}, tax_transaction_id = ${transactionId}
      where account_id = ${account_id} and invoice_id = ${invoice_id}
      returning voided_at is not null as "isVoided"`.execute(database.system);
    // It was voided while it was being recorded: voiding it found nothing to reverse.
    if (told.rows[0]?.isVoided)
      await reverseVoidedTax({ database, salesTax }, { accountId: account_id, invoiceId: invoice_id });
  }
  return rows.length === atOnce;
}

/** An invoice was voided: no tax is owed for it. */
export async function reverseVoidedTax(
  { database, salesTax }: Context,
  { accountId, invoiceId }: { accountId: number; invoiceId: number },
): Promise<void> {
  const { rows } = await sql<{ quote: string; transaction: string; total: number }>`
    select tax_quote_id as quote, tax_transaction_id as transaction, total_cents as total from invoices
    where account_id = ${accountId} and invoice_id = ${invoiceId} and voided_at is not null
      and tax_transaction_id is not null`.execute(database.system);
  for (const { quote, transaction, total } of rows)
    await salesTax.reverse({
      transactionId: transaction,
      refundKey: `invoice-${quote}-void`,
      totalCents: total,
    });
}
