import { sql } from 'kysely';
import { accountTypes } from '../../contract/states/account-status.ts';
import type { Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';

/**
 * Credits were taken: whoever has fewer free ones left than they want asks for a refill, in this transaction. One
 * request at a time: while one waits, or failed and nobody has looked at it, there is no other. The caller holds the
 * account's row, so two can't ask at once.
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
