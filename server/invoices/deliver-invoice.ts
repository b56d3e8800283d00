import { accountTypes } from '../../contract/states/account-status.ts';
import { changePlan } from '../billing/change-plan.ts';
import { moveCredits } from '../billing/move-credits.ts';
import type { Trx } from '../db.ts';

/** Gives what an invoice is for: its credits, or its subscription. Once. */
export async function deliverInvoice(
  trx: Trx,
  accountId: number,
  invoiceId: number,
  at: Date,
): Promise<void> {
  const invoice = await trx
    .updateTable('invoices')
    .set({ delivered_at: at })
    .where('account_id', '=', accountId)
    .where('invoice_id', '=', invoiceId)
    .where('delivered_at', 'is', null)
    .where('voided_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (invoice === undefined) return;
  if (invoice.is_payg) {
    await moveCredits(trx, [
      {
        accountId,
        kind: 'purchase',
        credits: invoice.number_of_credits ?? 0,
        note: `Invoice ${invoiceId}`,
        reference: { kind: 'invoice', ids: [invoiceId] },
        ...(invoice.user_id === null ? {} : { userId: invoice.user_id }),
      },
    ]);
    await changePlan(trx, accountId, { is_free_trial: false, status_id: 0 });
    return;
  }
  await changePlan(trx, accountId, {
    type_id: accountTypes.invoicedMonthly,
    status_id: 0,
    is_free_trial: false,
    monthly_level: invoice.max_people,
    next_monthly_level: null,
    next_monthly_fee_cents: null,
    subscription_cycle_start_at: invoice.subscription_start_at,
    subscription_cycle_end_at: invoice.subscription_end_at,
    subscription_end_at: invoice.subscription_end_at,
    unique_call_count: 0,
    invoice_duration: invoice.subscription_duration ?? 3,
    invoice_auto_renewal: invoice.auto_renew,
    invoice_renewal_at: renewalDate(invoice.subscription_end_at),
  });
}

/** The next invoice comes a month before the subscription ends, so that there is time to pay it. */
const renewDaysBefore = 31;

function renewalDate(end: Date | null): Date | null {
  return end && new Date(end.getTime() - renewDaysBefore * 86_400_000);
}
