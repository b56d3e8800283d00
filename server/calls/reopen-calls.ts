import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { retryMinutes } from './rules.ts';

/**
 * The quiet hours of the account, or of one of its broadcasts, have changed: calls that wait for the old ones are due
 * now, and the claim decides by the new ones. Another attempt still keeps its interval from the one before.
 */
export async function reopenCalls(trx: Trx, accountId: number, broadcastId?: number): Promise<void> {
  const which =
    broadcastId === undefined ? sql`q.broadcast_id is not null` : sql`q.broadcast_id = ${broadcastId}`;
  await sql`
    update call_queue q
    set due_at = least(q.due_at, greatest(now(), c.last_called_at + make_interval(mins => ${retryMinutes})))
    from calls c
    where q.account_id = ${accountId} and ${which} and q.state = 'waiting' and q.due_at > now()
      and c.account_id = q.account_id and c.call_id = q.call_id`.execute(trx);
}
