import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type { updateFlatRate as definition } from '../../contract/purchases.ts';
import { isMonthly } from '../../contract/states/account-status.ts';
import { includedInPlan } from '../../contract/states/unlimited-conversations.ts';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import { getTextNumber } from '../numbers/queries.ts';
import { setFlatRate } from '../numbers/set-flat-rate.ts';
import type { Actor } from '../serve.ts';

/**
 * Cancels unlimited conversations at the end of their month, or keeps them before that. Enabling is a
 * purchase.
 */
export async function updateFlatRate(trx: Trx, actor: Actor, { params, body }: Input<typeof definition>) {
  const number = await getTextNumber(trx, actor, params.TextNumberID);
  const status = number.FlatRateConversationStatus;
  const wanted = body.FlatRateConversationStatus;
  const end = number.FlatRateSubscriptionEndDate;
  if (status === null) throw new Refusal('refused', 'This number has no unlimited conversations.');
  if (wanted === 'Active' && status !== 'Active') {
    const isOver = end !== null && Date.parse(end) <= now().getTime();
    if (isMonthly(actor.account)) throw new Refusal('refused', includedInPlan);
    if (status !== 'CancelPending' || isOver || actor.account.AccountTypeID === 2)
      throw new Refusal('refused', 'Enable unlimited conversations again to go on.');
  }
  // An unpaid one ends at once: nothing of its month is left.
  const isUnpaid = status === 'BillingProblem' && wanted === 'CancelPending';
  if (isUnpaid)
    await setFlatRate(trx, actor.accountId, params.TextNumberID, {
      flat_rate_status: null,
      flat_rate_end_at: null,
    });
  else await setFlatRate(trx, actor.accountId, params.TextNumberID, { flat_rate_status: wanted });
  await notify(trx, actor.accountId, [{ type: 'billing.changed' }]);
  return {
    TextNumberID: params.TextNumberID,
    FlatRateConversationStatus: isUnpaid ? null : wanted,
    FlatRateSubscriptionEndDate: isUnpaid ? null : end,
  };
}
