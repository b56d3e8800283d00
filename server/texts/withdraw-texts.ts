import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { countSlices } from './count-slices.ts';

/**
 * Cancels a broadcast's texts that wait in the outbox and that no worker holds, and updates the counts of
 * their slices. Returns the credits that are free again. The caller has locked the broadcast's row.
 *
 * Starts from the outbox and skips locked rows, because only the outbox knows who holds a text. Texts that
 * are held or in doubt are left to the claim, which checks the status of their broadcast.
 */
export async function withdrawTexts(trx: Trx, accountId: number, broadcastId: number): Promise<number> {
  const { rows } = await sql<{ credits: number }>`
    with free as materialized (
      select message_id from outbox
      where account_id = ${accountId} and broadcast_id = ${broadcastId} and lease_id is null and not in_doubt
      for update skip locked
    ),
    gone as (
      delete from outbox o using free f where o.account_id = ${accountId} and o.message_id = f.message_id
    ),
    moved as (
      update messages m set status = 'canceled', status_at = now()
      from free f
      where m.account_id = ${accountId} and m.message_id = f.message_id and m.status = 'waiting'
      returning m.account_id, m.broadcast_id, m.slice_id, old.status as old_status, new.status as new_status,
        0 as settled, m.credits as released
    ),
    counted as (${countSlices})
    select coalesce(sum(released), 0)::int as credits from moved`.execute(trx);
  return rows[0]?.credits ?? 0;
}
