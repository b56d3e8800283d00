import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type { EventChanges } from '../../contract/event-changes.ts';
import type { cancelAccount as cancellation } from '../../contract/purchases.ts';
import { accountCondition, accountTypes, isMonthly } from '../../contract/states/account-status.ts';
import { changePlan } from '../billing/change-plan.ts';
import { earnDeferred, subscriptionSubject } from '../billing/post-money.ts';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import { endMonths } from '../invoices/earn-months.ts';
import { notify } from '../notify.ts';
import { cancelFlatRates } from '../numbers/set-flat-rate.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor } from '../serve.ts';
import { getOwedAddOns, getPlan, type Reckoned } from './reckon-charge.ts';

/**
 * A smaller group begins with the next period; the same size cancels a planned change, including a
 * cancellation.
 */
export async function changeFromNextPeriod(
  trx: Trx,
  accountId: number,
  reckoned: Reckoned,
): Promise<EventChanges> {
  const plan = await getPlan(trx, accountId);
  const isSame = reckoned.maxPeople === plan.monthly_level;
  const changes = await changePlan(trx, accountId, {
    next_monthly_level: isSame ? null : reckoned.maxPeople,
    next_monthly_fee_cents: isSame ? null : reckoned.monthlyFeeCents,
    ...(plan.status_id === 8 ? { status_id: 0, subscription_end_at: null } : {}),
  });
  await trx
    .updateTable('subscriptions')
    .set({ canceled_at: null, cancel_reason: null, cancel_comments: null })
    .where('account_id', '=', accountId)
    .execute();
  return changes;
}

/** A subscription runs to the end of what is paid; a credits account stops at once and keeps its credits. */
export async function cancelAccount(trx: Trx, actor: Actor, { body }: Input<typeof cancellation>) {
  const at = now();
  const { accountId } = actor;
  const plan = await getPlan(trx, accountId);
  const condition = accountCondition(
    { AccountStatusID: plan.status_id, SubscriptionEndDate: plan.subscription_end_at?.toISOString() ?? null },
    at.getTime(),
  );
  if (condition !== 'active') throw new Refusal('refused', 'This account is canceled already.');
  const runsOn = isMonthly({ AccountTypeID: plan.type_id }) && plan.subscription_cycle_end_at !== null;
  // Months paid by invoice run to the end of the last one.
  const isInvoiced = plan.type_id === accountTypes.invoicedMonthly;
  const paidUntil = (isInvoiced ? plan.subscription_end_at : null) ?? plan.subscription_cycle_end_at;
  const end = runsOn ? paidUntil : null;
  const changes = await changePlan(trx, accountId, {
    status_id: runsOn ? 8 : 2,
    subscription_end_at: end,
    next_monthly_level: null,
    next_monthly_fee_cents: null,
    invoice_auto_renewal: false,
  });
  await trx
    .updateTable('subscriptions')
    .set({ canceled_at: at, cancel_reason: body.Reason, cancel_comments: body.Comments })
    .where('account_id', '=', accountId)
    .execute();
  await trx
    .insertInto('cancellations')
    .values({ account_id: accountId, user_id: actor.userId, reason: body.Reason, comments: body.Comments })
    .execute();
  await trx
    .updateTable('auto_refills')
    .set({ is_enabled: false })
    .where('account_id', '=', accountId)
    .execute();
  // Nothing is charged again: unlimited conversations end with the paid month.
  await cancelFlatRates(trx, accountId);
  await recordEvents(trx, actor, [{ kind: 'account.canceled', id: accountId, changes }]);
  await notify(trx, accountId, [{ type: 'billing.changed' }, { type: 'settings.changed' }]);
  return { AccountStatusID: runsOn ? 8 : 2, SubscriptionEndDate: end?.toISOString() ?? null };
}

/**
 * From a monthly plan to credits, at once. Add-ons still owed are paid first; the remaining days are not
 * refunded.
 */
export async function convertToCredits(trx: Trx, actor: Actor): Promise<void> {
  const { accountId } = actor;
  const plan = await getPlan(trx, accountId);
  if (!isMonthly({ AccountTypeID: plan.type_id })) return;
  const condition = accountCondition(
    { AccountStatusID: plan.status_id, SubscriptionEndDate: plan.subscription_end_at?.toISOString() ?? null },
    now().getTime(),
  );
  // An account that the operator stopped stays so, however it pays.
  if (condition === 'suspended' || condition === 'closed')
    throw new Refusal('refused', 'This account can’t switch to credits. Please contact us.');
  const { cents } = await getOwedAddOns(trx, accountId);
  if (cents > 0)
    throw new Refusal(
      'refused',
      'Pay your monthly enhanced text add-on charges before you switch to credits.',
    );
  const renewing = await trx
    .selectFrom('charges')
    .select('charge_id')
    .where('account_id', '=', accountId)
    .where('state', 'in', ['open', 'action'])
    .executeTakeFirst();
  if (renewing !== undefined)
    throw new Refusal('refused', 'A payment is being processed. Try again in a moment.');
  await earnDeferred(trx, { accountId, subject: subscriptionSubject, keepCents: 0, at: now() });
  await endMonths(trx, accountId, now());
  const changes = await changePlan(trx, accountId, {
    type_id: accountTypes.credits,
    status_id: 0,
    monthly_level: null,
    next_monthly_level: null,
    next_monthly_fee_cents: null,
    subscription_end_at: null,
    subscription_cycle_start_at: null,
    subscription_cycle_end_at: null,
    invoice_renewal_at: null,
    invoice_auto_renewal: false,
  });
  await trx.deleteFrom('subscriptions').where('account_id', '=', accountId).execute();
  await recordEvents(trx, actor, [{ kind: 'account.planChanged', changes }]);
  await notify(trx, accountId, [{ type: 'billing.changed' }, { type: 'settings.changed' }]);
}
