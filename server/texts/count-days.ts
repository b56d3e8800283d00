import { type RawBuilder, sql } from 'kysely';
import { localDay } from '../../contract/time/local-day.ts';
import { countUsage, type UsageFigures } from '../billing/count-usage.ts';
import type { Trx } from '../db.ts';
import { prepared } from '../prepared.ts';

/** The results of texts of the same time, number and account. */
export interface DayFigures {
  accountId: number;
  /** The account's. */
  zone: string;
  /** The time of the texts, in milliseconds: it determines the day they count for. */
  atMs: number;
  textNumberId: number;
  /** Their sender, and whether they belong to a broadcast: for texts that were sent or paid for. */
  userId?: number | null;
  isBroadcast?: boolean;
  sent?: number;
  /** Not sent, because no carrier accepted them: `failed` counts them too. */
  refused?: number;
  delivered?: number;
  /** Negative when failed texts turn out to have been delivered. */
  failed?: number;
  received?: number;
  credits?: number;
}

/**
 * Adds to the figures of the accounts' days. The day comes from the runtime's zone data (contract/time/local-day.ts).
 * Rows are locked by account, day and number: the order in docs/sending.md.
 */
export async function countDays(trx: Trx, figures: readonly DayFigures[]): Promise<void> {
  const { days, usage } = sumDays(figures);
  if (days.length === 0) return;
  await addDays(trx, days);
  await countUsage(trx, usage);
}

/** The additions to the days of text numbers, and to people's usage. */
export function sumDays(figures: readonly DayFigures[]): { days: DaySums[]; usage: UsageFigures[] } {
  const days = new Map<string, DaySums>();
  const dayOf = rememberDays();
  for (const { accountId, zone, atMs, textNumberId, ...counts } of figures) {
    const day = dayOf(atMs, zone);
    const key = `${accountId} ${day} ${textNumberId}`;
    const sums = days.get(key) ?? {
      ...{ accountId, day, textNumberId },
      ...{ sent: 0, refused: 0, delivered: 0, failed: 0, received: 0, credits: 0 },
    };
    for (const name of ['sent', 'refused', 'delivered', 'failed', 'received', 'credits'] as const) {
      sums[name] += counts[name] ?? 0;
    }
    days.set(key, sums);
  }
  const rows = [...days.values()].filter(
    ({ sent, refused, delivered, failed, received, credits }) =>
      sent !== 0 || refused !== 0 || delivered !== 0 || failed !== 0 || received !== 0 || credits !== 0,
  );
  const usage = figures.map(
    ({ accountId, zone, atMs, userId = null, isBroadcast = false, sent = 0, credits = 0 }): UsageFigures => ({
      ...{ accountId, userId, credits, day: dayOf(atMs, zone), messages: sent },
      kind: isBroadcast ? 'broadcast' : 'conversation',
    }),
  );
  return { days: rows, usage };
}

export type DaySums = Required<Omit<DayFigures, 'zone' | 'atMs' | 'userId' | 'isBroadcast'>> & {
  day: string;
};

/** A slice's texts have the same time: its day is computed once. */
function rememberDays() {
  const known = new Map<string, string>();
  return (atMs: number, zone: string): string => {
    const key = `${atMs} ${zone}`;
    const day = known.get(key) ?? localDay(atMs, zone);
    known.set(key, day);
    return day;
  };
}

/** Adds to the existing daily figures of text numbers. */
export async function addDays(trx: Trx, rows: readonly DaySums[]): Promise<void> {
  await sql`${prepared} ${addToDays(rows)}`.execute(trx);
}

/** The statement that does so, or a part of a larger one. */
export function addToDays(rows: readonly DaySums[]): RawBuilder<unknown> {
  const column = <T>(pick: (row: (typeof rows)[number]) => T) => rows.map(pick);
  return sql`
    insert into daily_texts as d (account_id, day, text_number_id, sent, refused, delivered, failed, received, credits)
    select * from unnest(
      ${column((r) => r.accountId)}::bigint[], ${column((r) => r.day)}::date[], ${column((r) => r.textNumberId)}::bigint[],
      ${column((r) => r.sent)}::integer[], ${column((r) => r.refused)}::integer[], ${column((r) => r.delivered)}::integer[], ${column((r) => r.failed)}::integer[],
      ${column((r) => r.received)}::integer[], ${column((r) => r.credits)}::integer[]
    ) as t(account_id, day, text_number_id, sent, refused, delivered, failed, received, credits)
    order by account_id, day, text_number_id
    on conflict (account_id, day, text_number_id) do update
    set sent = d.sent + excluded.sent, refused = d.refused + excluded.refused, delivered = d.delivered + excluded.delivered, failed = d.failed + excluded.failed,
      received = d.received + excluded.received, credits = d.credits + excluded.credits`;
}
