import { sql } from 'kysely';
import type { Trx } from '../db.ts';

/**
 * Removes the inactive calls of a broadcast from the queue as Canceled and returns their credits. Calls that
 * a worker is placing or that ring may finish: nobody is cut off in the middle of a sentence.
 */
export async function withdrawCalls(trx: Trx, accountId: number, broadcastId: number): Promise<number> {
  const { rows } = await sql<{ credits: number }>`
    with gone as (
      delete from call_queue
      where account_id = ${accountId} and broadcast_id = ${broadcastId}
        and state in ('waiting', 'claimed')
      returning call_id
    ),
    ended as (
      update calls c
      set is_over = true, ended_at = now(), result = case when c.attempts = 0 then 'canceled' else c.result end
      from gone g where c.account_id = ${accountId} and c.call_id = g.call_id and not c.is_over
      returning c.credits
    )
    select coalesce(sum(credits), 0)::bigint as credits from ended`.execute(trx);
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
