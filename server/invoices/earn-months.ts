import { defaults } from '../../contract/reference/limits.ts';
import { addMonths } from '../billing/add-months.ts';
import { earnShare } from '../billing/post-money.ts';
import type { Trx } from '../db.ts';
import { anchorDayOf } from './anchor-day.ts';

/** The subject of payments for the months of an invoice in the books. */
export const invoiceSubject = (invoiceId: number) => `invoice:${invoiceId}`;

/**
 * Earns the elapsed months of an invoice, each on the day on which it ended, however early or late it was
 * paid and whatever was refunded. The caller locks the row of the account.
 */
export async function earnMonths(
  trx: Trx,
  { accountId, invoiceId, at }: { accountId: number; invoiceId: number; at: Date },
): Promise<void> {
  const invoice = await trx
    .selectFrom('invoices')
    .innerJoin('accounts', 'accounts.account_id', 'invoices.account_id')
    .select([
      'is_payg',
      'delivered_at',
      'invoices.subscription_start_at as start',
      'invoices.subscription_end_at as end',
      'invoices.subscription_duration as duration',
      'next_earning_at as next',
      'months_ended_at as ended',
      'time_zone as zone',
    ])
    .where('invoices.account_id', '=', accountId)
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirstOrThrow();
  const { start, end, zone } = invoice;
  if (invoice.is_payg || invoice.delivered_at === null || start === null || end === null) return;
  const months = invoice.duration ?? defaults.invoice.SubscriptionDuration;
  const day = await anchorDayOf(trx, accountId, start, zone);
  const endOf = (month: number) => (month >= months ? end : addMonths(start, month, day, zone));
  const overAt = (moment: Date) => {
    if (invoice.ended !== null || end <= moment) return months;
    let over = 0;
    while (over < months - 1 && endOf(over + 1) <= moment) over += 1;
    return over;
  };
  const earn = (moment: Date) =>
    earnShare(trx, {
      ...{ accountId, invoiceId, subject: invoiceSubject(invoiceId), at: moment },
      ...{ over: overAt(moment), of: months },
    });
  let { next } = invoice;
  for (; next !== null && next <= at; next = overAt(next) < months ? endOf(overAt(next) + 1) : null)
    await earn(next);
  // A payment or refund after the end of its month counts today.
  await earn(at);
  await trx
    .updateTable('invoices')
    .set({ next_earning_at: next })
    .where('account_id', '=', accountId)
    .where('invoice_id', '=', invoiceId)
    .execute();
}

/** Nothing more is delivered for the prepaid amount: all of it is earned now. */
export async function endMonths(trx: Trx, accountId: number, at: Date): Promise<void> {
  const ended = await trx
    .updateTable('invoices')
    .set({ months_ended_at: at, next_earning_at: null })
    .where('account_id', '=', accountId)
    .where('next_earning_at', 'is not', null)
    .returning('invoice_id')
    .execute();
  for (const { invoice_id } of ended) await earnMonths(trx, { accountId, invoiceId: invoice_id, at });
}
