import { sql } from 'kysely';
import { reopenCalls } from '../../calls/reopen-calls.ts';
import { asAccount, type Database } from '../../db.ts';
import { enqueue } from '../../jobs.ts';

/**
 * The account's quiet hours have changed. Opens zones that its broadcasts hold back because of the old hours, so that
 * the next feed decides by the new ones, and the calls that wait for them.
 */
export async function reopenZones(database: Database, accountId: number): Promise<void> {
  await asAccount(database, accountId, async (trx) => {
    await sql`
    with held as materialized (
      select broadcast_id, start_at from broadcasts
      where account_id = ${accountId} and status in ('scheduled', 'broadcasting', 'paused') and fed_count < going_count
      order by broadcast_id
      for no key update
    ),
    nudged as (
      update broadcasts b set next_feed_at = greatest(h.start_at, now()), held_reason = ''
      from held h where b.account_id = ${accountId} and b.broadcast_id = h.broadcast_id
    )
    update broadcast_zones z set opens_at = h.start_at
    from held h
    where z.account_id = ${accountId} and z.broadcast_id = h.broadcast_id and z.fed < z.total`.execute(trx);
    await enqueue(trx, 'send_messages', {});
    await reopenCalls(trx, accountId);
    await enqueue(trx, 'place_calls', {});
  });
}
