import { sql } from 'kysely';
import type { Trx } from '../db.ts';

/** Drops every push that waits, for a database with older data: pages show what is unread without it. */
export async function dropPushes(trx: Trx): Promise<number> {
  const { numAffectedRows } = await sql`delete from push_queue`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
