import { sql } from 'kysely';
import type { Trx } from '../db.ts';

/**
 * True if texts with pictures are scheduled or being sent: on a monthly plan they need the add-on, and are charged
 * when all of a broadcast is with the carrier.
 */
export async function hasScheduledPictures(trx: Trx, accountId: number): Promise<boolean> {
  const { rows } = await sql<{ isThere: boolean }>`
    select exists (
      select from broadcasts b
      where b.account_id = ${accountId} and b.media_ids <> '{}' and b.deleted_at is null
        and (b.status in ('scheduled', 'broadcasting', 'paused')
          or exists (
            select from repeating_broadcasts r
            where r.account_id = b.account_id and r.broadcast_id = b.broadcast_id
              and r.next_at is not null and r.deleted_at is null))) as "isThere"`.execute(trx);
  return rows[0]?.isThere === true;
}
