import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../../db.ts';

/** An account's limit: at most `most` broadcasts for a person in `days`. */
export interface FrequencyGuard {
  most: number;
  days: number;
}

/**
 * The limit of a broadcast; undefined without a limit, where a user ignored it for this one, and for an
 * answer to replies: a person who wrote may get an answer.
 */
export async function findGuard(
  trx: Trx,
  accountId: number,
  broadcastId: number,
): Promise<FrequencyGuard | undefined> {
  const { rows } = await sql<FrequencyGuard>`
    select a.most_broadcasts as most, a.most_broadcasts_days as days
    from accounts a join broadcasts b on b.account_id = a.account_id
    where a.account_id = ${accountId} and b.broadcast_id = ${broadcastId}
      and a.most_broadcasts is not null and b.frequency_set_aside_at is null
      and b.answers_broadcast_id is null`.execute(trx);
  return rows[0];
}

/**
 * True if a phone has had as many other broadcasts as the account allows: texts that were sent or are being sent, and
 * calls that were placed. Failed or canceled ones reached nobody and don't count, and neither do answers to replies.
 */
export function isTooOften(
  { most, days }: FrequencyGuard,
  of: { accountId: number; broadcastId: number; numberIds: number[]; phone: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const { accountId, broadcastId, numberIds, phone } = of;
  const since = sql`now() - ${days} * interval '1 day'`;
  return sql`(
    select count(distinct had.broadcast_id) >= ${most} from (
      select m.broadcast_id
      from unnest(${numberIds}::bigint[]) n(id) cross join lateral (
        select m.broadcast_id from messages m
        where m.account_id = ${accountId} and m.text_number_id = n.id and m.phone = ${phone} and m.created_at > ${since}
          and not m.is_inbound and m.broadcast_id is not null and m.broadcast_id <> ${broadcastId}
          and m.status in ('waiting', 'sent', 'delivered', 'read', 'unknown')
          and not exists (select from broadcasts a where a.account_id = m.account_id
            and a.broadcast_id = m.broadcast_id and a.answers_broadcast_id is not null)) m
      union all
      select k.broadcast_id from calls k
      where k.account_id = ${accountId} and k.phone = ${phone} and k.created_at > ${since}
        and k.broadcast_id is not null and k.broadcast_id <> ${broadcastId}
        and k.result in ('not_yet_called', 'live_answer', 'voicemail')) had)`;
}

/**
 * Each of two concurrent broadcasts would see that the other has sent nothing yet. Feeders of an account with
 * a limit therefore go one after the other; those of other accounts don't wait.
 */
async function lockFrequency(trx: Trx, accountId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('frequency', ${accountId}))`.execute(trx);
}

/**
 * Recipients who have had as many broadcasts as the account allows since they were added, as a condition on
 * `phone`. Everything else that this account sends is committed before the check, so two broadcasts can't
 * exceed the limit together.
 */
export async function judgeFrequency(
  trx: Trx,
  of: { accountId: number; broadcastId: number; phone: RawBuilder<unknown> },
): Promise<RawBuilder<unknown>> {
  const guard = await findGuard(trx, of.accountId, of.broadcastId);
  if (guard === undefined) return sql`false`;
  await lockFrequency(trx, of.accountId);
  const { rows } = await sql<{ ids: number[] }>`
    select array(select text_number_id from text_numbers where account_id = ${of.accountId}) as ids`.execute(
    trx,
  );
  return isTooOften(guard, { ...of, numberIds: rows[0]?.ids ?? [] });
}
