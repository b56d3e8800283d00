import { sql } from 'kysely';
import type { Trx } from '../db.ts';

/**
 * Locks the credits of these accounts until the transaction ends, and returns how many are free. Rows of
 * conversations are locked before them, rows of consents after.
 */
export async function lockCredits(trx: Trx, accountIds: Iterable<number>): Promise<Map<number, number>> {
  const ids = [...new Set(accountIds)];
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ account_id: number; available: number }>`
    select account_id, credit_balance - credit_reserved as available from accounts
    where account_id = any(${ids}::bigint[]) order by account_id for no key update`.execute(trx);
  return new Map(rows.map((row) => [row.account_id, row.available]));
}
