import { sql } from 'kysely';
import { accountTypes } from '../../contract/states/account-status.ts';
import type { Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';

/**
 * After credits were used: requests a refill, in this transaction, if the account has fewer free credits left
 * than its threshold. There is one request at a time: while one is pending, or failed and nobody has looked
 * at it, no other is made. The caller locks the account's row, so two can't ask at once.
 */
export async function askForRefills(trx: Trx, accountIds: readonly number[]): Promise<void> {
  if (accountIds.length === 0) return;
  const { rows } = await sql`
    insert into refill_requests (account_id, number_of_credits)
    select r.account_id, r.number_of_credits
    from auto_refills r join accounts a on a.account_id = r.account_id
    where r.account_id = any(${[...new Set(accountIds)]}::bigint[]) and r.is_enabled
      and a.type_id = ${accountTypes.credits} and a.status_id = 0
      and a.credit_balance - a.credit_reserved <= r.trigger_amount
    order by r.account_id
    on conflict (account_id) where state = 'waiting' or (state = 'failed' and dismissed_at is null) do nothing
    returning account_id`.execute(trx);
  if (rows.length > 0) await enqueue(trx, 'refill_credits', {});
}
