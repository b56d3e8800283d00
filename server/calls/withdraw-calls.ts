import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { endWaiting, toSettle } from './end-waiting.ts';

/**
 * Ends the inactive calls of a broadcast as Canceled, and returns the credits of people who were never called. Whoever
 * was called before is settled with their last result. Calls that a worker is placing or that ring may finish: nobody is
 * cut off in the middle of a sentence.
 */
export async function withdrawCalls(trx: Trx, accountId: number, broadcastId: number): Promise<number> {
  const held = sql`
      select account_id, call_id from call_queue
      where account_id = ${accountId} and broadcast_id = ${broadcastId} and state in ('waiting', 'claimed')`;
  const result = sql`case when c.attempts = 0 then 'canceled' else c.result end`;
  const { rows } = await sql<{ credits: number }>`
    with ${endWaiting(held, result)},
    gone as (
      delete from call_queue q using ended e
      where q.account_id = e.account_id and q.call_id = e.call_id and e.attempts = 0
    ),
    kept as (${toSettle} and e.attempts > 0)
    select coalesce(sum(credits) filter (where attempts = 0), 0)::bigint as credits from ended`.execute(trx);
  return rows[0]?.credits ?? 0;
}

/**
 * Removes calls of these recipients that wait for their first attempt for good, as if they had never been
 * created.
 */
export async function withdrawRecipients(
  trx: Trx,
  accountId: number,
  broadcastId: number,
  recipientIds: number[],
): Promise<{ recipientIds: number[]; credits: number }> {
  const { rows } = await sql<{ recipient_id: number; credits: number }>`
    with gone as (
      delete from call_queue q using calls c
      where q.account_id = ${accountId} and q.broadcast_id = ${broadcastId}
        and q.state in ('waiting', 'claimed') and q.attempt = 0
        and c.account_id = q.account_id and c.call_id = q.call_id and c.recipient_id = any(${recipientIds}::bigint[])
      returning q.call_id
    )
    delete from calls c using gone g where c.account_id = ${accountId} and c.call_id = g.call_id
    returning c.recipient_id, c.credits`.execute(trx);
  return {
    recipientIds: rows.map((row) => row.recipient_id),
    credits: rows.reduce((sum, row) => sum + row.credits, 0),
  };
}
