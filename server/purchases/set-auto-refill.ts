import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import type { AutoRefill, updateAutoRefill as definition } from '../../contract/purchases.ts';
import { askForRefills } from '../billing/ask-for-refills.ts';
import { lockCredits } from '../billing/lock-credits.ts';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';
import { findCard } from './queries.ts';

/** The default setting: off, with the figures that the form begins with. */
const unset = { is_enabled: false, number_of_credits: 5000, trigger_amount: 500 };

export async function getAutoRefill(trx: Trx, accountId: number): Promise<AutoRefill> {
  const row = await trx
    .selectFrom('auto_refills')
    .select(['is_enabled', 'number_of_credits', 'trigger_amount'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const { is_enabled, number_of_credits, trigger_amount } = row ?? unset;
  return {
    IsEnabled: is_enabled,
    NumberOfRefillCredits: number_of_credits,
    TriggerAmount: trigger_amount,
    Error: await findRefillError(trx, accountId),
  };
}

async function findRefillError(trx: Trx, accountId: number): Promise<AutoRefill['Error']> {
  const row = await trx
    .selectFrom('refill_requests')
    .select(['auto_refill_request_id', 'message'])
    .where('account_id', '=', accountId)
    .where('state', '=', 'failed')
    .where('dismissed_at', 'is', null)
    .executeTakeFirst();
  return row === undefined
    ? null
    : { AutoRefillRequestId: row.auto_refill_request_id, Message: row.message ?? 'Your card was declined.' };
}

/** Saves the setting. If there are too few credits already, a refill is requested at once. */
export async function setAutoRefill(
  trx: Trx,
  actor: Actor,
  { body }: Pick<Input<typeof definition>, 'body'>,
): Promise<AutoRefill> {
  const { accountId } = actor;
  if (body.IsEnabled && (await findCard(trx, accountId)) === undefined)
    throw new Refusal('refused', 'Add a card before you turn on automatic refills.');
  if (body.IsEnabled && body.NumberOfRefillCredits <= body.TriggerAmount / 10)
    throw refuseField('NumberOfRefillCredits', 'Refill more credits at a time, or begin later.');
  await lockCredits(trx, [accountId]);
  const row = {
    is_enabled: body.IsEnabled,
    number_of_credits: body.NumberOfRefillCredits,
    trigger_amount: body.TriggerAmount,
    user_id: actor.userId,
    updated_at: now(),
  };
  await trx
    .insertInto('auto_refills')
    .values({ account_id: accountId, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute();
  await askForRefills(trx, [accountId]);
  await notify(trx, accountId, [{ type: 'billing.changed' }]);
  return getAutoRefill(trx, accountId);
}

export async function dismissRefillError(trx: Trx, actor: Actor, requestId: number) {
  const { accountId } = actor;
  await lockCredits(trx, [accountId]);
  const dismissed = await trx
    .updateTable('refill_requests')
    .set({ dismissed_at: now() })
    .where('account_id', '=', accountId)
    .where('auto_refill_request_id', '=', requestId)
    .where('state', '=', 'failed')
    .returning('auto_refill_request_id')
    .executeTakeFirst();
  if (dismissed === undefined) throw new Refusal('notFound');
  await notify(trx, accountId, [{ type: 'billing.changed' }]);
  return {};
}

export async function getRefillStatus(trx: Trx, accountId: number) {
  const setting = await getAutoRefill(trx, accountId);
  const waiting = await trx
    .selectFrom('refill_requests')
    .select('auto_refill_request_id')
    .where('account_id', '=', accountId)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  const last = await trx
    .selectFrom('charges')
    .select('created_at')
    .where('account_id', '=', accountId)
    .where('charge_type', '=', 'AutoRefill')
    .where('state', '=', 'paid')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    IsEnabled: setting.IsEnabled,
    IsPending: waiting !== undefined,
    LastRefillDate: last?.created_at.toISOString() ?? null,
    Error: setting.Error,
  };
}
