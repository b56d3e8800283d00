import { Refusal } from '../../contract/errors.ts';
import { maySend } from '../../contract/states/account-status.ts';
import { nowMs } from '../clock.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';
import type { SentStatus } from './rules.ts';

/**
 * A broadcast that was sent and that this actor may change: their own, or any with CanSeeAllBroadcasts; and only with
 * CanCreateBroadcast. Its row is held, as feeding holds it: until the transaction ends no slice of it is made.
 */
export async function lockBroadcast(trx: Trx, actor: Actor, broadcastId: number) {
  const maker = await getMaker(trx, actor);
  let query = trx
    .selectFrom('broadcasts')
    .selectAll()
    .where('account_id', '=', actor.accountId)
    .where('broadcast_id', '=', broadcastId)
    .where('status', 'not in', ['draft', 'model'])
    .where('deleted_at', 'is', null);
  if (!maker.seesAll) query = query.where('user_id', '=', actor.userId);
  const row = await query.forNoKeyUpdate().executeTakeFirst();
  if (row === undefined) throw new Refusal('notFound', 'That broadcast is no longer here.');
  if (!maker.mayCreate) throw new Refusal('forbidden');
  return { ...row, status: row.status as SentStatus };
}
export type LockedBroadcast = Awaited<ReturnType<typeof lockBroadcast>>;

/** What this actor may do with broadcasts. The owner has everything. */
export async function getMaker(trx: Trx, actor: Actor): Promise<{ seesAll: boolean; mayCreate: boolean }> {
  if (actor.role === 'owner') return { seesAll: true, mayCreate: true };
  const user = await trx
    .selectFrom('users')
    .select(['can_see_all_broadcasts as seesAll', 'can_create_broadcast as mayCreate'])
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .executeTakeFirst();
  return user ?? { seesAll: false, mayCreate: false };
}

/** Repeating needs a plan too: no free trial, and an account that may send. */
export async function mayRepeat(trx: Trx, actor: Actor): Promise<boolean> {
  const { mayCreate } = await getMaker(trx, actor);
  const account = await trx
    .selectFrom('accounts')
    .select(['is_free_trial', 'status_id', 'subscription_end_at'])
    .where('account_id', '=', actor.accountId)
    .executeTakeFirstOrThrow();
  const state = {
    AccountStatusID: account.status_id,
    SubscriptionEndDate: account.subscription_end_at?.toISOString() ?? null,
  };
  return mayCreate && !account.is_free_trial && maySend(state, nowMs());
}
