import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../db.ts';
import { prepared } from '../prepared.ts';

/** What messages and credits were used for. */
type UsageKind = 'broadcast' | 'conversation' | 'call';

export interface UsageFigures {
  accountId: number;
  /** The account's own calendar. */
  day: string;
  /** Null for what nobody sent: automatic replies and notices. */
  userId: number | null;
  kind: UsageKind;
  messages: number;
  credits: number;
}

/** Adds to what people used in a day. Rows are locked by account, day, user and kind. */
export async function countUsage(trx: Trx, figures: readonly UsageFigures[]): Promise<void> {
  const rows = sumUsage(figures);
  if (rows.length > 0) await sql`${prepared} ${addUsage(rows)}`.execute(trx);
}

/** One row for each that is written. */
export function sumUsage(figures: readonly UsageFigures[]): UsageFigures[] {
  const sums = new Map<string, UsageFigures>();
  for (const figure of figures) {
    if (figure.messages === 0 && figure.credits === 0) continue;
    const key = `${figure.accountId} ${figure.day} ${figure.userId} ${figure.kind}`;
    const sum = sums.get(key) ?? { ...figure, messages: 0, credits: 0 };
    sum.messages += figure.messages;
    sum.credits += figure.credits;
    sums.set(key, sum);
  }
  return [...sums.values()];
}

/** The statement that adds them, or a part of a bigger one: `after` is a condition that has others locked before. */
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
