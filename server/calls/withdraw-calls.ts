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

/**
 * Ends the calls that somebody asked for by hand (a test, a code, a recording), for a database with older
 * data: they may have been made, and nobody waits for them any more. They are settled like any call, which
 * releases their credits.
 */
export async function withdrawAskedCalls(trx: Trx): Promise<number> {
  const { rows } = await sql`
    with over as (
      update call_queue set state = 'over', lease_id = null, look_at = null
      where broadcast_id is null and state in ('waiting', 'claimed')
      returning account_id, call_id
    )
    update calls c set is_over = true, ended_at = now(), result = 'canceled'
    from over o where c.account_id = o.account_id and c.call_id = o.call_id and not c.is_over
    returning c.call_id`.execute(trx);
  return rows.length;
}
