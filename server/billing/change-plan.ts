import type { Updateable } from 'kysely';
import type { EventChanges } from '../../contract/event-changes.ts';
import { changesOf } from '../accounts/rules.ts';
import type { Trx } from '../db.ts';
import type { DB } from '../schema.types.ts';

/** The columns of an account's row that belong to its plan. */
export type Plan = Pick<
  Updateable<DB['accounts']>,
  | 'status_id'
  | 'type_id'
  | 'is_free_trial'
  | 'free_trial_conversion'
  | 'subscription_end_at'
  | 'subscription_cycle_start_at'
  | 'subscription_cycle_end_at'
  | 'monthly_level'
  | 'next_monthly_level'
  | 'next_monthly_fee_cents'
  | 'unique_call_count'
  | 'reactivation_at'
  | 'invoice_renewal_at'
  | 'invoice_duration'
  | 'invoice_auto_renewal'
  | 'group_code'
  | 'is_monthly_mms_enabled'
>;

/** Changes an account's plan: its kind, its state, its period and its size. Returns before and after, for the log. */
export async function changePlan(trx: Trx, accountId: number, plan: Plan): Promise<EventChanges> {
  const before = await trx
    .selectFrom('accounts')
    .selectAll()
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  await trx.updateTable('accounts').set(plan).where('account_id', '=', accountId).execute();
  return changesOf(before, plan);
}
