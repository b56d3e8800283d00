import { sql } from 'kysely';
import type { Trx } from '../db.ts';

/**
 * Gives up every mail that waits, for a database with older data: it may have gone out since. Whoever misses
 * one (a link for a new password, an invitation) asks for another.
 */
export async function dropWaitingMails(trx: Trx): Promise<number> {
  const { numAffectedRows } = await sql`
    update mails set problem = 'Data was restored: this may have gone out since.', lease_id = null, lease_until = null
    where sent_at is null and problem is null`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
