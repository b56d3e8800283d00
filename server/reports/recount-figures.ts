import { type RawBuilder, sql } from 'kysely';
import { localDay } from '../../contract/time/local-day.ts';
import { wallMsAt } from '../../contract/time/wall-clock.ts';
import {
  addDailyUsage,
  addUsageSums,
  sumsOfUsage,
  type UsageFigures,
  type UsageSum,
} from '../billing/count-usage.ts';
import { addConsentCounts, type ConsentCounts, countPhones } from '../consents/count-moved.ts';
import type { Database, Trx } from '../db.ts';
import { firstCountedDay } from '../texts/archive-texts.ts';
import { addDays, type DaySums } from '../texts/count-days.ts';
import { addResults, type ResultRow } from '../texts/count-results.ts';

/** One daily figure that differs from the ledger. */
interface Difference {
  /** "daily_texts 2026-03-01, number 4: sent" */
  where: string;
  kept: number;
  counted: number;
}

export interface Recount {
  differences: Difference[];
  /** Days before it were left out: their texts were deleted from the archive. */
  since: string | undefined;
}

interface Counted {
  days: Map<string, DaySums>;
  usage: Map<string, UsageFigures>;
  sums: Map<string, UsageSum>;
  results: Map<string, ResultRow>;
  consents: Map<string, ConsentCounts>;
}

/**
 * Counts an account's daily figures again, from its texts, calls and opt-outs, and returns every one that
 * differs from the stored figure. With `fixes` it also adds the differences, so that nothing differs
 * afterwards. Days are those of the account's present time zone: if the zone was changed, texts around
 * midnight may have been counted for the day before or after. Days whose texts were deleted from the archive
 * are left out. Everything is read from one snapshot, so that it may run while texts are sent.
 */
export function recountFigures(
  database: Database,
  accountId: number,
  { fixes = false }: { fixes?: boolean } = {},
): Promise<Recount> {
  return database.system
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((trx) => recount(trx, accountId, fixes));
}

/** The same in the caller's transaction, which nobody else writes to. */
export async function recount(trx: Trx, accountId: number, fixes: boolean): Promise<Recount> {
  const { time_zone: zone } = await trx
    .selectFrom('accounts')
    .select('time_zone')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const firstDay = await firstCountedDay(trx, accountId, zone);
  const counted = await countFromLedger(trx, accountId, zone);
  const kept = await readKept(trx, accountId);
  if (firstDay !== undefined) dropBefore(counted, firstDay);
  const since = firstDay !== undefined && dropBefore(kept, firstDay) ? firstDay : undefined;
  const days = compare(kept.days, counted.days, dayFigures);
  const usage = compare(kept.usage, counted.usage, usageFigures);
  const sums = compare(kept.sums, counted.sums, usageFigures);
  const results = compare(kept.results, counted.results, ['texts']);
  const consents = compare(kept.consents, counted.consents, consentFigures);
  if (fixes) {
    await addDays(trx, days.deltas);
    await addDailyUsage(trx, usage.deltas);
    await addUsageSums(trx, sums.deltas);
    await addResults(trx, results.deltas);
    await addConsentCounts(trx, consents.deltas);
  }
  const differences = [
    ...days.named.map((one) => ({ ...one, where: `daily_texts ${one.where}` })),
    ...usage.named.map((one) => ({ ...one, where: `daily_usage ${one.where}` })),
    ...sums.named.map((one) => ({ ...one, where: `usage_sums ${one.where}` })),
    ...results.named.map((one) => ({ ...one, where: `daily_results ${one.where}` })),
    ...consents.named.map((one) => ({ ...one, where: `consent_counts ${one.where}` })),
  ];
  return { differences, since };
}

/** Leaves out days, and months that reach before the day; returns whether there were any. */
function dropBefore({ days, usage, sums, results }: Counted, firstDay: string): boolean {
  let isAny = false;
  for (const figures of [days, usage, sums, results])
    for (const [key, row] of figures) {
      if (('day' in row ? row.day : row.startOn) >= firstDay) continue;
      figures.delete(key);
      isAny = true;
    }
  return isAny;
}

const dayFigures = ['sent', 'refused', 'delivered', 'failed', 'received', 'credits'] as const;
const usageFigures = ['messages', 'credits'] as const;
const consentFigures = ['textsOut', 'callsOut', 'textsIn'] as const;

function compare<Figure extends string, Row extends Record<Figure, number>>(
  kept: ReadonlyMap<string, Row>,
  counted: ReadonlyMap<string, Row>,
  figures: readonly Figure[],
): { named: Difference[]; deltas: Row[] } {
  const named: Difference[] = [];
  const deltas: Row[] = [];
  for (const key of [...new Set([...kept.keys(), ...counted.keys()])].sort()) {
    const was = kept.get(key);
    const is = counted.get(key);
    const different = figures.filter((figure) => (was?.[figure] ?? 0) !== (is?.[figure] ?? 0));
    const row = was ?? is;
    if (row === undefined || different.length === 0) continue;
    for (const figure of different)
      named.push({
        where: `${key}: ${figure}`,
        kept: was?.[figure] ?? 0,
        counted: is?.[figure] ?? 0,
      });
    const delta = Object.fromEntries(
      figures.map((figure) => [figure, (is?.[figure] ?? 0) - (was?.[figure] ?? 0)]),
    );
    deltas.push({ ...row, ...delta });
  }
  return { named, deltas };
}

const dayKey = (row: { day: string; textNumberId: number }) => `${row.day}, number ${row.textNumberId}`;
const usageKey = (row: { day: string; userId: number | null; kind: string }) =>
  `${row.day}, user ${row.userId ?? 0}, ${row.kind}`;
const sumKey = ({ span, startOn, userId, kind }: UsageSum) => `${span} ${startOn}, user ${userId}, ${kind}`;
/** By carrier only the sum counts: a phone may have been looked up since its text was sent. */
const resultKey = (row: Omit<ResultRow, 'texts' | 'accountId'>) =>
  `${dayKey(row)}, ${row.dimension === 'hour' ? `hour ${row.value}` : 'all carriers'}, ${row.status}`;

function emptyFigures(): Counted {
  return { days: new Map(), usage: new Map(), sums: new Map(), results: new Map(), consents: new Map() };
}

function addTo<Row extends object, Figure extends keyof Row & string>(
  sums: Map<string, Row>,
  key: string,
  row: Row,
  figures: readonly Figure[],
): void {
  const sum = sums.get(key);
  if (sum === undefined) sums.set(key, { ...row });
  else for (const figure of figures) (sum[figure] as number) += row[figure] as number;
}

interface LedgerRow {
  at_ms: number;
  text_number_id: number;
  user_id: number | null;
  is_broadcast: boolean;
  is_inbound: boolean;
  is_handed: boolean;
  status: string;
  texts: number;
  credits: number;
}

const hasArrived = (status: string) => status === 'delivered' || status === 'read';

async function countFromLedger(trx: Trx, accountId: number, zone: string): Promise<Counted> {
  const figures = emptyFigures();
  // By quarters of an hour, because in every zone days begin at one: local days don't come from PostgreSQL.
  const { rows: texts } = await sql<LedgerRow>`
    select (floor(extract(epoch from created_at) / 900) * 900000)::float8 as at_ms, text_number_id, user_id,
      broadcast_id is not null and not is_inbound as is_broadcast, is_inbound, handed_at is not null as is_handed, status,
      count(*)::int as texts, sum(credits)::int as credits
    from all_messages
    where account_id = ${accountId} and status <> 'waiting'
      -- Not those that were withdrawn before a carrier had them.
      and (is_inbound or handed_at is not null or carrier_error is not null and status <> 'canceled')
    group by 1, 2, 3, 4, 5, 6, 7`.execute(trx);
  for (const row of texts) countTexts(figures, accountId, row, zone);
  const { rows: calls } = await sql<{
    at_ms: number;
    user_id: number | null;
    calls: number;
    credits: number;
  }>`
    select (floor(extract(epoch from c.ended_at) / 900) * 900000)::float8 as at_ms,
      coalesce(c.user_id, b.user_id) as user_id, count(*)::int as calls, sum(c.charged)::int as credits
    from calls c
    left join broadcasts b on b.account_id = c.account_id and b.broadcast_id = c.broadcast_id
    where c.account_id = ${accountId} and c.charged > 0
    group by 1, 2`.execute(trx);
  for (const { at_ms, user_id, calls: messages, credits } of calls) {
    const row = { accountId, day: localDay(at_ms, zone), userId: user_id, kind: 'call' as const };
    addTo(figures.usage, usageKey(row), { ...row, messages, credits }, usageFigures);
  }
  for (const row of sumsOfUsage([...figures.usage.values()])) figures.sums.set(sumKey(row), row);
  figures.consents = await readConsents(trx, countPhones(accountId));
  return figures;
}

function countTexts(figures: Counted, accountId: number, row: LedgerRow, zone: string): void {
  const day = localDay(row.at_ms, zone);
  const of = { accountId, day, textNumberId: row.text_number_id };
  const { texts } = row;
  const isArrived = hasArrived(row.status);
  const paid = row.is_handed ? row.credits : 0;
  addTo(
    figures.days,
    dayKey(of),
    {
      ...of,
      sent: row.is_handed && !row.is_inbound ? texts : 0,
      refused: row.is_handed || row.is_inbound ? 0 : texts,
      delivered: isArrived && !row.is_inbound ? texts : 0,
      failed: row.is_inbound || isArrived || row.status === 'sent' ? 0 : texts,
      received: row.is_inbound ? texts : 0,
      credits: row.is_inbound ? 0 : paid,
    },
    dayFigures,
  );
  if (row.is_inbound) return;
  if (row.is_handed) {
    const use = {
      ...{ accountId, day, userId: row.user_id, messages: texts, credits: paid },
      kind: row.is_broadcast ? ('broadcast' as const) : ('conversation' as const),
    };
    addTo(figures.usage, usageKey(use), use, usageFigures);
  }
  const hour = String(new Date(wallMsAt(row.at_ms, zone)).getUTCHours());
  for (const dimension of ['hour', 'carrier'] as const) {
    if (dimension === 'carrier' && row.status === 'sent') continue;
    const result = { ...of, dimension, value: dimension === 'hour' ? hour : '', status: row.status, texts };
    addTo(figures.results, resultKey(result), result, ['texts']);
  }
}

async function readKept(trx: Trx, accountId: number): Promise<Counted> {
  const figures = emptyFigures();
  const days = await sql<DaySums>`
    select account_id as "accountId", to_char(day, 'YYYY-MM-DD') as day, text_number_id as "textNumberId", sent, refused,
      delivered, failed, received, credits
    from daily_texts where account_id = ${accountId}`.execute(trx);
  for (const row of days.rows) figures.days.set(dayKey(row), row);
  const usage = await sql<UsageFigures>`
    select account_id as "accountId", to_char(day, 'YYYY-MM-DD') as day, nullif(user_id, 0) as "userId", kind, messages, credits
    from daily_usage where account_id = ${accountId}`.execute(trx);
  for (const row of usage.rows) figures.usage.set(usageKey(row), row);
  const sums = await sql<UsageSum>`
    select account_id as "accountId", span, to_char(start_on, 'YYYY-MM-DD') as "startOn", user_id as "userId", kind, messages,
      credits
    from usage_sums where account_id = ${accountId}`.execute(trx);
  for (const row of sums.rows) figures.sums.set(sumKey(row), row);
  const results = await sql<ResultRow>`
    select account_id as "accountId", to_char(day, 'YYYY-MM-DD') as day, text_number_id as "textNumberId", dimension,
      case dimension when 'hour' then value else '' end as value, status, sum(texts)::int as texts
    from daily_results where account_id = ${accountId}
    group by 1, 2, 3, 4, 5, 6`.execute(trx);
  for (const row of results.rows) figures.results.set(resultKey(row), row);
  figures.consents = await readConsents(
    trx,
    sql`select * from consent_counts where account_id = ${accountId}`,
  );
  return figures;
}

async function readConsents(trx: Trx, counts: RawBuilder<unknown>): Promise<Map<string, ConsentCounts>> {
  const { rows } = await sql<ConsentCounts>`
    select account_id as "accountId", to_char(quarter at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || 'Z' as quarter,
      texts_out::int as "textsOut", calls_out::int as "callsOut", texts_in::int as "textsIn"
    from (${counts}) c`.execute(trx);
  return new Map(rows.map((row) => [row.quarter, row]));
}
