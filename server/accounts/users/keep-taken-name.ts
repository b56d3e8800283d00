import { sql } from 'kysely';
import type { Trx } from '../../db.ts';

/**
 * Writes a user's name into the directory of all names (migration 0392). Every statement that inserts, renames or
 * deletes a user is followed by it, in the same transaction. Where the directory refuses the name, the error is the
 * one of a taken name (refuse-taken.ts).
 */
export async function keepTakenName(trx: Trx, accountId: number, userId: number): Promise<void> {
  await sql`select keep_taken_name(${accountId}, ${userId})`.execute(trx);
}
