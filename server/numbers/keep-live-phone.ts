import { sql } from 'kysely';
import type { Trx } from '../db.ts';

/**
 * Writes a text number's phone into the directory of all live phones (migration 0392), until it is released. Every
 * statement that inserts, releases or deletes a text number, or changes its phone, is followed by it, in the same
 * transaction.
 */
export async function keepLivePhone(trx: Trx, accountId: number, textNumberId: number): Promise<void> {
  await sql`select keep_live_phone(${accountId}, ${textNumberId})`.execute(trx);
}
