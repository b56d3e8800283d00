import type { Selectable } from 'kysely';
import { defaults } from '../../contract/reference/limits.ts';
import {
  accountCondition,
  accountTypes,
  isMonthly,
  mayReactivate,
} from '../../contract/states/account-status.ts';
import { addMonths } from '../billing/add-months.ts';
import { changePlan, type Plan } from '../billing/change-plan.ts';
import { moveCredits } from '../billing/move-credits.ts';
import { earnDeferred, subscriptionSubject } from '../billing/post-money.ts';
import type { Trx } from '../db.ts';
import { endFlatRates } from '../numbers/set-flat-rate.ts';
import type { DB } from '../schema.types.ts';
import { anchorDayOf } from './anchor-day.ts';

/** Delivers the content of an invoice: its credits, or its subscription. Once. */
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
    await changePlan(trx, accountId, await statusAfterPaying(trx, accountId, at));
    return;
  }
  await giveMonths(trx, invoice, at);
}

type InvoiceRow = Selectable<DB['invoices']>;

/**
 * An account that pays is no longer a trial, and works again if it had stopped. One that the operator
 * suspended or closed stays so, and a canceled subscription still ends on its day: buying credits doesn't
 * restart it.
 */
async function statusAfterPaying(trx: Trx, accountId: number, at: Date): Promise<Plan> {
  const account = await getPeriod(trx, accountId);
  return {
    is_free_trial: false,
    ...(account.is_free_trial ? { free_trial_conversion: true } : {}),
    ...(mayReactivate(stateOf(account), at.getTime())
      ? { status_id: 0, reactivation_at: at, ...(isMonthly({ AccountTypeID: account.type_id }) && byCredits) }
      : {}),
  };
}

/** An expired subscription isn't renewed by credits: the account pays by credits from now on. */
const byCredits = {
  type_id: accountTypes.credits,
  monthly_level: null,
  next_monthly_level: null,
  next_monthly_fee_cents: null,
  subscription_end_at: null,
  subscription_cycle_start_at: null,
  subscription_cycle_end_at: null,
} as const;

/** Months begin when the previous ones end, or with the payment. The group is counted again every month. */
async function giveMonths(trx: Trx, invoice: InvoiceRow, at: Date): Promise<void> {
  const accountId = invoice.account_id;
  const account = await getPeriod(trx, accountId);
  const zone = account.time_zone;
  const condition = accountCondition(stateOf(account), at.getTime());
  const isStopped = condition === 'suspended' || condition === 'closed';
  const start = invoice.subscription_start_at;
  const months = invoice.subscription_duration ?? defaults.invoice.SubscriptionDuration;
  const runningUntil =
    isMonthly({ AccountTypeID: account.type_id }) && (condition === 'active' || condition === 'ending')
      ? account.subscription_cycle_end_at
      : null;
  // Days before the first month that nobody has paid for are not free: the months begin at once then.
  const isLater = start !== null && start > at && runningUntil !== null && runningUntil > at;
  const begins = isLater ? start : at;
  const anchorDay = await anchorDayOf(trx, accountId, begins, zone);
  const ends = addMonths(begins, months, anchorDay, zone);
  await trx
    .updateTable('invoices')
    .set({ subscription_start_at: begins, subscription_end_at: ends, next_earning_at: begins })
    .where('account_id', '=', accountId)
    .where('invoice_id', '=', invoice.invoice_id)
    .execute();
  // A month that was paid by card ends early, unless these months follow it.
  if (!isLater) await earnDeferred(trx, { accountId, subject: subscriptionSubject, keepCents: 0, at });
  await changePlan(trx, accountId, {
    type_id: accountTypes.invoicedMonthly,
    is_free_trial: false,
    ...(account.is_free_trial ? { free_trial_conversion: true } : {}),
    ...(isStopped ? {} : { status_id: 0 }),
    ...(mayReactivate(stateOf(account), at.getTime()) ? { reactivation_at: at } : {}),
    // The period already paid runs to its end, with its size and the people that it has reached.
    ...(isLater
      ? {}
      : {
          monthly_level: invoice.max_people,
          subscription_cycle_start_at: at,
          subscription_cycle_end_at: addMonths(begins, 1, anchorDay, zone),
          unique_call_count: 0,
        }),
    next_monthly_level: null,
    next_monthly_fee_cents: null,
    subscription_end_at: ends,
    invoice_duration: months,
    invoice_auto_renewal: invoice.auto_renew,
    invoice_renewal_at: renewalDate(ends),
  });
  await endFlatRates(trx, accountId);
}

/**
 * The next month of a subscription that was paid by invoice: with the size of its invoice, and nobody reached
 * in it yet.
 */
export async function beginInvoicedMonth(trx: Trx, accountId: number, at: Date): Promise<boolean> {
  const account = await getPeriod(trx, accountId);
  const start = account.subscription_cycle_end_at;
  if (start === null || start > at) return false;
  const paid = await trx
    .selectFrom('invoices')
    .select(['subscription_start_at', 'max_people'])
    .where('account_id', '=', accountId)
    .where('is_payg', '=', false)
    .where('delivered_at', 'is not', null)
    .where('subscription_start_at', '<=', start)
    .orderBy('subscription_start_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  // The previous month may have been paid by card.
  await earnDeferred(trx, { accountId, subject: subscriptionSubject, keepCents: 0, at: start });
  const zone = account.time_zone;
  const day = await anchorDayOf(trx, accountId, paid?.subscription_start_at ?? start, zone);
  await changePlan(trx, accountId, {
    subscription_cycle_start_at: start,
    subscription_cycle_end_at: addMonths(start, 1, day, zone),
    unique_call_count: 0,
    ...(paid?.max_people == null ? {} : { monthly_level: paid.max_people }),
  });
  return true;
}

function getPeriod(trx: Trx, accountId: number) {
  return trx
    .selectFrom('accounts')
    .select([
      'type_id',
      'status_id',
      'is_free_trial',
      'time_zone',
      'subscription_end_at',
      'subscription_cycle_end_at',
    ])
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

function stateOf(account: { status_id: number; subscription_end_at: Date | null }) {
  return {
    AccountStatusID: account.status_id,
    SubscriptionEndDate: account.subscription_end_at?.toISOString() ?? null,
  };
}

/** The next invoice comes a month before the subscription ends, so that there is time to pay it. */
const renewDaysBefore = 31;

function renewalDate(end: Date): Date {
  return new Date(end.getTime() - renewDaysBefore * 86_400_000);
}
