import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { countSlices } from './count-slices.ts';

/**
 * Texts of a broadcast that wait in the outbox and that no worker holds leave it as Canceled, and the counts of their
 * slices move. Returns the credits that nobody will take for them. The caller holds the broadcast's row.
 *
 * Begins with the outbox and passes by what is locked there, because only there is known who holds a text. A text that
 * is held, or in doubt, is left to the claim, which asks for the state of its broadcast.
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
