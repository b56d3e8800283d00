import { sql } from 'kysely';
import type { Database } from '../db.ts';

/**
 * Ends pauses and leases of texts: later retries are due now. Rows locked by another transaction are skipped:
 * two transactions that lock many rows in different orders would deadlock.
 */
export async function hurryTexts(database: Database): Promise<void> {
  await sql`
    update outbox o
    set send_at = now(), lease_until = case when o.lease_id is null then null else now() - interval '1 second' end
    from (select account_id, message_id from outbox for update skip locked) free
    where o.account_id = free.account_id and o.message_id = free.message_id`.execute(database.system);
}
