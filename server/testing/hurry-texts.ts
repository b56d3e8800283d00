import { sql } from 'kysely';
import type { Database } from '../db.ts';

/**
 * Rests and leases of texts are over: what would be tried again in a while is due now. What somebody works on at this moment
 * is left alone: two who take many rows, each in an order of its own, would wait for each other.
 */
export async function hurryTexts(database: Database): Promise<void> {
  await sql`
    update outbox o
    set send_at = now(), lease_until = case when o.lease_id is null then null else now() - interval '1 second' end
    from (select account_id, message_id from outbox for update skip locked) free
    where o.account_id = free.account_id and o.message_id = free.message_id`.execute(database.system);
}
