import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import type { Trx } from '../db.ts';
import { askForRefills } from './ask-for-refills.ts';
import { underLock } from './move-credits.ts';

/** A text whose credits are set aside until it is sent. */
export interface PaidText {
  accountId: number;
  messageId: number;
  credits: number;
  userId: number | null;
}

/**
 * Reserves credits for texts: one ledger entry per account, in one statement. The update locks the account's
 * row, so that if two want the last credits one is refused.
 */
export async function reserveCredits(trx: Trx, texts: PaidText[], note: string): Promise<void> {
  const paid = texts.filter(({ credits }) => credits > 0);
  if (paid.length === 0) return;
  const byAccount = [...Map.groupBy(paid, ({ accountId }) => accountId)].map(([accountId, own]) => ({
    accountId,
    credits: own.reduce((sum, { credits }) => sum + credits, 0),
    userId: own.at(-1)?.userId ?? null,
    messageIds: own.map(({ messageId }) => messageId),
  }));
  const column = <T>(pick: (sum: (typeof byAccount)[number]) => T) => byAccount.map(pick);
  const { rows } = await sql`
    with wanted as (
      select * from unnest(
        ${column((sum) => sum.accountId)}::bigint[], ${column((sum) => sum.credits)}::bigint[],
        ${column((sum) => sum.userId)}::bigint[], ${column((sum) => `{${sum.messageIds.join()}}`)}::text[]
      ) as w(account_id, credits, user_id, message_ids)
    ),
    -- Transactions that lock several accounts all use this order.
    held as materialized (
      select w.* from accounts a join wanted w on w.account_id = a.account_id
      order by a.account_id for no key update of a
    ),
    moved as (
      update accounts a set credit_reserved = a.credit_reserved + h.credits
      from held h
      where a.account_id = h.account_id and a.credit_balance >= a.credit_reserved + h.credits
      returning a.account_id, a.credit_balance, a.credit_reserved, h.credits, h.user_id, h.message_ids
    )
    insert into credit_entries
      (account_id, kind, balance_delta, reserved_delta, balance_after, reserved_after, note, user_id,
      reference_kind, reference_ids, created_at)
    select account_id, 'reserve', 0, credits, credit_balance, credit_reserved, ${note}, user_id,
      'text', message_ids::bigint[], ${underLock}
    from moved
    returning account_id`.execute(trx);
  if (rows.length < byAccount.length) throw new Refusal('notEnoughCredits');
  await askForRefills(
    trx,
    byAccount.map(({ accountId }) => accountId),
  );
}
