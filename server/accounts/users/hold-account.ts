import type { Trx } from '../../db.ts';

/**
 * Locks the account until the transaction ends. Every change that adds, promotes or deactivates somebody
 * or gives them another address locks it: two at once can neither add the same person twice, take the same address,
 * nor deactivate the last two owners. No index guards the addresses: organizations from before the check may have the
 * same one twice.
 */
export async function holdAccount(trx: Trx, accountId: number) {
  return trx
    .selectFrom('accounts')
    .select(['country_id', 'company_name', 'time_zone'])
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}
