import type { Trx } from '../../db.ts';

/**
 * Locks the account until the transaction ends. Every change that adds, promotes or deactivates somebody
 * locks it: two admins at once can neither add the same person twice nor deactivate the last two owners.
 */
export async function holdAccount(trx: Trx, accountId: number) {
  return trx
    .selectFrom('accounts')
    .select(['country_id', 'company_name', 'time_zone'])
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}
