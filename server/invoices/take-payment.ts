import { Refusal } from '../../contract/errors.ts';
import { postMoney } from '../billing/post-money.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import { deliverInvoice } from './deliver-invoice.ts';
import { earnMonths, invoiceSubject } from './earn-months.ts';
import { mailInvoice } from './mail-invoice.ts';
import { taxOfPayment } from './rules.ts';

export interface InvoicePayment {
  accountId: number;
  invoiceId: number;
  amountCents: number;
  method: string;
  at: Date;
  chargeId?: number;
  userId?: number | undefined;
  isOperator?: true;
  publicUrl: string;
}

/**
 * Records a payment for an invoice, by card or otherwise. Applies it to the amount due and returns how much
 * that was; an invoice paid in full is delivered. The row of the account is locked before that of the
 * invoice, because credits are added.
 */
export async function takePayment(trx: Trx, payment: InvoicePayment): Promise<number> {
  const { accountId, invoiceId, at } = payment;
  await trx
    .selectFrom('accounts')
    .select('account_id')
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .execute();
  const invoice = await trx
    .selectFrom('invoices')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('invoice_id', '=', invoiceId)
    .forUpdate()
    .executeTakeFirst();
  if (invoice === undefined) throw new Refusal('notFound');
  const due = invoice.voided_at === null ? invoice.total_cents - invoice.paid_cents : 0;
  const taken = Math.min(due, payment.amountCents);
  if (taken <= 0) return 0;
  const isPaid = taken === due;
  await trx
    .insertInto('invoice_payments')
    .values({
      account_id: accountId,
      invoice_id: invoiceId,
      charge_id: payment.chargeId ?? null,
      amount_cents: taken,
      method: payment.method,
      user_id: payment.userId ?? null,
      created_at: at,
    })
    .execute();
  await trx
    .updateTable('invoices')
    .set({ paid_cents: invoice.paid_cents + taken, ...(isPaid ? { paid_at: at } : {}) })
    .where('account_id', '=', accountId)
    .where('invoice_id', '=', invoiceId)
    .execute();
  const taxCents = taxOfPayment(invoice, taken);
  const isCredits = invoice.is_payg;
  await postMoney(trx, {
    accountId,
    at,
    invoiceId,
    chargeId: payment.chargeId,
    note: `Invoice ${invoiceId}`,
    lines: [
      { book: payment.chargeId === undefined ? 'bank' : 'cash', amountCents: taken },
      {
        book: isCredits ? 'credits' : 'deferred',
        amountCents: -(taken - taxCents),
        subject: isCredits ? '' : invoiceSubject(invoiceId),
      },
      { book: 'tax', amountCents: -taxCents },
    ],
  });
  if (isPaid) await deliverInvoice(trx, accountId, invoiceId, at);
  await earnMonths(trx, { accountId, invoiceId, at });
  await recordEvents(trx, payment, [
    { kind: 'invoice.paid', id: invoiceId, changes: { amountCents: taken } },
  ]);
  if (isPaid)
    await mailInvoice(trx, {
      accountId,
      invoiceId,
      kind: 'SendPaymentReceived',
      publicUrl: payment.publicUrl,
    });
  await notify(trx, accountId, [{ type: 'billing.changed' }, { type: 'credits.changed' }]);
  return taken;
}
