import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type { updateInvoice as definition, WholeInvoice } from '../../contract/invoices.ts';
import { invoiceResendStatus } from '../../contract/states/invoice-status.ts';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';
import { mailInvoice } from './mail-invoice.ts';
import { getInvoice } from './queries.ts';
import { categoryOf } from './rules.ts';

/** Voids an invoice, or mails it again with the text for its state. */
export async function updateInvoice(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof definition>,
  publicUrl: string,
): Promise<WholeInvoice> {
  if (body.AccountID !== undefined && body.AccountID !== actor.accountId) throw new Refusal('notFound');
  const invoice = await trx
    .selectFrom('invoices')
    .select(['total_cents', 'paid_cents', 'voided_at', 'delivered_at', 'tax_quote_id'])
    .where('account_id', '=', actor.accountId)
    .where('invoice_id', '=', params.InvoiceID)
    .forUpdate()
    .executeTakeFirst();
  if (invoice === undefined) throw new Refusal('notFound');
  const of = { accountId: actor.accountId, invoiceId: params.InvoiceID, publicUrl };
  if (body.NewStatus === 'Voided') {
    await voidInvoice(trx, of, invoice);
  } else {
    const fitting = invoiceResendStatus(categoryOf(invoice));
    if (body.NewStatus !== fitting)
      throw new Refusal('refused', 'The invoice has changed in the meantime. Look at it again.');
    if (!(await mailInvoice(trx, { ...of, kind: fitting })))
      throw new Refusal('refused', 'No account owner has an email, so the invoice can’t be sent.');
  }
  await notify(trx, actor.accountId, [{ type: 'billing.changed' }]);
  return getInvoice(trx, actor.accountId, params.InvoiceID);
}

async function voidInvoice(
  trx: Trx,
  of: { accountId: number; invoiceId: number; publicUrl: string },
  invoice: {
    total_cents: number;
    paid_cents: number;
    voided_at: Date | null;
    delivered_at: Date | null;
    tax_quote_id: string | null;
  },
): Promise<void> {
  if (invoice.voided_at !== null) return;
  if (invoice.paid_cents > 0) throw new Refusal('refused', 'An invoice with payments can’t be voided.');
  if (invoice.delivered_at !== null)
    throw new Refusal('refused', 'Its credits are on your account already, so it can’t be voided.');
  const underWay = await trx
    .selectFrom('charges')
    .select('charge_id')
    .where('account_id', '=', of.accountId)
    .where('invoice_id', '=', of.invoiceId)
    .where('state', 'in', ['open', 'action'])
    .executeTakeFirst();
  if (underWay !== undefined)
    throw new Refusal('refused', 'A payment of this invoice is being processed. Try again in a moment.');
  await trx
    .updateTable('invoices')
    .set({ voided_at: now() })
    .where('account_id', '=', of.accountId)
    .where('invoice_id', '=', of.invoiceId)
    .execute();
  if (invoice.tax_quote_id !== null)
    await enqueue(trx, 'reverse_voided_tax', { accountId: of.accountId, invoiceId: of.invoiceId });
  await mailInvoice(trx, { ...of, kind: 'SendVoided' });
}
