import { sql } from 'kysely';
import type { Trx } from '../db.ts';

/** Two concurrent first requests must not create two. */
const installationLock = 7_316_026;

/**
 * The organization that runs the installation, created when it is first needed: it owns the number that sends
 * codes. It has no users. Its texts cost no credits and are not limited by the carriers' usual daily limit.
 */
export async function getInstallationAccount(trx: Trx): Promise<number> {
  const before = await readAccountId(trx);
  if (before !== null) return before;
  await sql`select pg_advisory_xact_lock(${installationLock})`.execute(trx);
  const made = await readAccountId(trx);
  if (made !== null) return made;
  const { account_id } = await trx
    .insertInto('accounts')
    .values({ company_name: 'Muster', type_id: 3, features: [], messages_per_day: 1_000_000 })
    .returning('account_id')
    .executeTakeFirstOrThrow();
  await trx.updateTable('installation').set({ own_account_id: account_id }).execute();
  return account_id;
}

async function readAccountId(trx: Trx): Promise<number | null> {
  const row = await trx.selectFrom('installation').select('own_account_id').executeTakeFirstOrThrow();
  return row.own_account_id;
}
