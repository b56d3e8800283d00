import { type RawBuilder, sql } from 'kysely';
import { underLock } from './move-credits.ts';

/**
 * Releases reserved credits: the last parts of a statement that removes texts from the outbox. Reads its part
 * `released` with account_id, credits, note, reference_kind and reference_ids, one row per ledger entry.
 */
export const releaseCredits: RawBuilder<unknown> = sql`
  released_accounts as (
    update accounts a set credit_reserved = a.credit_reserved - r.credits
    from (select account_id, sum(credits) as credits from released group by account_id order by account_id) r
    where a.account_id = r.account_id
    returning a.account_id, a.credit_balance, a.credit_reserved + r.credits as reserved_before
  ),
  released_entries as (
    insert into credit_entries
      (account_id, kind, balance_delta, reserved_delta, balance_after, reserved_after, note,
      reference_kind, reference_ids, created_at)
    select r.account_id, 'release', 0, -r.credits, a.credit_balance,
      a.reserved_before - sum(r.credits) over (
        partition by r.account_id order by r.note, r.reference_kind, r.reference_ids rows unbounded preceding),
      r.note, r.reference_kind, r.reference_ids, ${underLock}
    from released r join released_accounts a on a.account_id = r.account_id
  )`;
