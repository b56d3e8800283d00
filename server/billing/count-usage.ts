import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../db.ts';
import { prepared } from '../prepared.ts';

/** The purposes that messages and credits were used for. */
type UsageKind = 'broadcast' | 'conversation' | 'call';

export interface UsageFigures {
  accountId: number;
  /** The account's own calendar. */
  day: string;
  /** Null without a sender: automatic replies and notifications. */
  userId: number | null;
  kind: UsageKind;
  messages: number;
  credits: number;
}

/** Adds to what people used in a day, and to the sums of it. */
export async function countUsage(trx: Trx, figures: readonly UsageFigures[]): Promise<void> {
  await addDailyUsage(trx, figures);
  await addUsageSums(trx, sumsOfUsage(figures));
}

/** Adds to the days only. Rows are locked by account, day, user and kind. */
export async function addDailyUsage(trx: Trx, figures: readonly UsageFigures[]): Promise<void> {
  const rows = sumUsage(figures);
  if (rows.length > 0) await sql`${prepared} ${addUsage(rows)}`.execute(trx);
}

/** One row for each usage record. */
export function sumUsage(figures: readonly UsageFigures[]): UsageFigures[] {
  return addUp(figures, ({ accountId, day, userId, kind }) => `${accountId} ${day} ${userId} ${kind}`);
}

/**
 * The statement that adds them, or a part of a larger one: `after` is a condition that makes other locks come
 * first.
 */
export function addUsage(
  rows: readonly UsageFigures[],
  after: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  const column = <T>(pick: (row: UsageFigures) => T) => rows.map(pick);
  return sql`
    insert into daily_usage as d (account_id, day, user_id, kind, messages, credits)
    select * from unnest(
      ${column((r) => r.accountId)}::bigint[], ${column((r) => r.day)}::date[], ${column((r) => r.userId ?? 0)}::bigint[],
      ${column((r) => r.kind)}::text[], ${column((r) => r.messages)}::integer[], ${column((r) => r.credits)}::integer[]
    ) as t(account_id, day, user_id, kind, messages, credits)
    where ${after}
    order by account_id, day, user_id, kind
    on conflict (account_id, day, user_id, kind) do update
    set messages = d.messages + excluded.messages, credits = d.credits + excluded.credits`;
}

/** Per day for everybody (user 0), per month for each person. */
export interface UsageSum extends Omit<UsageFigures, 'day' | 'userId'> {
  span: 'day' | 'month';
  startOn: string;
  userId: number;
}

export function sumsOfUsage(figures: readonly UsageFigures[]): UsageSum[] {
  return addUp(
    figures.flatMap(({ day, userId, ...figure }): UsageSum[] => [
      { ...figure, span: 'day', startOn: day, userId: 0 },
      { ...figure, span: 'month', startOn: `${day.slice(0, 7)}-01`, userId: userId ?? 0 },
    ]),
    ({ accountId, span, startOn, userId, kind }) => `${accountId} ${span} ${startOn} ${userId} ${kind}`,
  );
}

/** Rows are locked by their key, after those of daily_usage. */
export async function addUsageSums(trx: Trx, rows: readonly UsageSum[]): Promise<void> {
  if (rows.length > 0) await sql`${prepared} ${addToUsageSums(rows)}`.execute(trx);
}

/** The statement that does so, or a part of a bigger one. */
export function addToUsageSums(
  rows: readonly UsageSum[],
  after: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  const column = <T>(pick: (row: UsageSum) => T) => rows.map(pick);
  return sql`
    insert into usage_sums as s (account_id, span, start_on, user_id, kind, messages, credits)
    select * from unnest(
      ${column((r) => r.accountId)}::bigint[], ${column((r) => r.span)}::text[], ${column((r) => r.startOn)}::date[],
      ${column((r) => r.userId)}::bigint[], ${column((r) => r.kind)}::text[], ${column((r) => r.messages)}::integer[],
      ${column((r) => r.credits)}::integer[]
    ) as t(account_id, span, start_on, user_id, kind, messages, credits)
    where ${after}
    order by account_id, span, start_on, user_id, kind
    on conflict (account_id, span, start_on, user_id, kind) do update
    set messages = s.messages + excluded.messages, credits = s.credits + excluded.credits`;
}

/**
 * Adds what is missing in the sums of the last days, because processes of an earlier version updated only the
 * days. Both are read from one snapshot, and concurrent transactions add to both.
 */
export async function mendUsageSums(trx: Trx): Promise<void> {
  await sql`
    insert into usage_sums as s (account_id, span, start_on, user_id, kind, messages, credits)
    select c.account_id, c.span, c.start_on, c.user_id, c.kind, c.messages - coalesce(k.messages, 0),
      c.credits - coalesce(k.credits, 0)
    from (
      select d.account_id, p.span, p.start_on, p.user_id, d.kind, sum(d.messages) as messages, sum(d.credits) as credits
      from daily_usage d
      cross join lateral (values ('day', d.day, 0::bigint), ('month', date_trunc('month', d.day)::date, d.user_id))
        as p(span, start_on, user_id)
      where d.day >= date_trunc('month', now() - interval '3 days')::date
      group by 1, 2, 3, 4, 5
    ) c
    left join usage_sums k using (account_id, span, start_on, user_id, kind)
    where (c.messages, c.credits) is distinct from (k.messages::bigint, k.credits::bigint)
    order by 1, 2, 3, 4, 5
    on conflict (account_id, span, start_on, user_id, kind) do update
    set messages = s.messages + excluded.messages, credits = s.credits + excluded.credits`.execute(trx);
}

/** One row for each key, without those in which nothing happened. */
function addUp<Row extends { messages: number; credits: number }>(
  figures: readonly Row[],
  keyOf: (row: Row) => string,
): Row[] {
  const sums = new Map<string, Row>();
  for (const figure of figures) {
    if (figure.messages === 0 && figure.credits === 0) continue;
    const key = keyOf(figure);
    const sum = sums.get(key) ?? { ...figure, messages: 0, credits: 0 };
    sum.messages += figure.messages;
    sum.credits += figure.credits;
    sums.set(key, sum);
  }
  return [...sums.values()];
}
