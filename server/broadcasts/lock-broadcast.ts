import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { isSeenBroadcast } from '../access/queries.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';
import type { SentStatus } from './rules.ts';

/**
 * A sent broadcast that this actor may change: their own, or any with CanSeeAllBroadcasts. Locks its row, as
 * feeding does: until the transaction ends no slice of it is created.
 */
export async function lockBroadcast(trx: Trx, actor: Actor, broadcastId: number) {
  const row = await trx
    .selectFrom('broadcasts')
    .selectAll()
    .where('account_id', '=', actor.accountId)
    .where('broadcast_id', '=', broadcastId)
    .where('status', 'not in', ['draft', 'model'])
    .where('deleted_at', 'is', null)
    .where(isSeenBroadcast(actor, sql`broadcasts`))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('notFound', 'That broadcast is no longer here.');
  return { ...row, status: row.status as SentStatus };
}
export type LockedBroadcast = Awaited<ReturnType<typeof lockBroadcast>>;
