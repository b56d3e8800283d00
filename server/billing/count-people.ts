import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';

/**
 * People whom a monthly account reaches for the first time in its billing period. The caller locks the
 * account's row.
 */
export async function countPeople(trx: Trx, accountId: number, newPeople: number): Promise<void> {
  if (newPeople === 0) return;
  await trx
    .updateTable('accounts')
    .set({ unique_call_count: sql`unique_call_count + ${newPeople}::integer` })
    .where('account_id', '=', accountId)
    .execute();
  // Pages show the count where they show the balance of others.
  await notify(trx, accountId, [{ type: 'credits.changed' }]);
}
