import { sql } from 'kysely';
import type { Trx } from '../db.ts';

/**
 * Marks every text that waits as in doubt, for a database with older data: it may have been handed over since
 * that moment. The carrier is asked before anything is sent. Slices under way get there by themselves, once
 * their leases have expired (giveUpSlices).
 */
export async function doubtWaiting(trx: Trx, since: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update outbox
    set in_doubt = true, doubt_since = least(doubt_since, ${since}), lease_id = null, lease_until = null`.execute(
    trx,
  );
  return Number(numAffectedRows ?? 0);
}
