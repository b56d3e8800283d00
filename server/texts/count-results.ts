import { type RawBuilder, sql } from 'kysely';
import { localDay } from '../../contract/time/local-day.ts';
import { wallMsAt } from '../../contract/time/wall-clock.ts';
import type { Trx } from '../db.ts';
import { prepared } from '../prepared.ts';

/** Texts that moved from one status to another. */
export interface MovedResults {
  accountId: number;
  /** The account's. */
  zone: string;
  /**
   * The time they were written, in milliseconds, to the quarter of an hour: in every zone hours begin at one.
   */
  atMs: number;
  textNumberId: number;
  /** The recipients' carrier, if they were looked up. */
  carrier: string;
  /** Null if they weren't counted until now. */
  from: string | null;
  to: string;
  texts: number;
}

export interface ResultRow {
  accountId: number;
  day: string;
  textNumberId: number;
  dimension: 'hour' | 'carrier';
  value: string;
  status: string;
  texts: number;
}

/**
 * Tracks texts from status to status in the figures of their day, by hour and by carrier. Rows are locked by
 * their key, after those of daily_usage: the order in docs/sending.md.
 */
export async function countResults(trx: Trx, moved: readonly MovedResults[]): Promise<void> {
  await addResults(trx, sumResults(moved));
}

/** The texts' additions to the days of their numbers. */
export function sumResults(moved: readonly MovedResults[]): ResultRow[] {
  const sums = new Map<string, ResultRow>();
  const add = (row: ResultRow) => {
    const key = JSON.stringify({ ...row, texts: 0 });
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, row);
    else sum.texts += row.texts;
  };
  const places = new Map<string, { day: string; hour: string }>();
  for (const { accountId, zone, atMs, textNumberId, carrier, from, to, texts } of moved) {
    const key = `${atMs} ${zone}`;
    const place = places.get(key) ?? {
      day: localDay(atMs, zone),
      hour: String(new Date(wallMsAt(atMs, zone)).getUTCHours()),
    };
    places.set(key, place);
    const of = { accountId, day: place.day, textNumberId };
    for (const [dimension, value] of [
      ['hour', place.hour],
      ['carrier', carrier],
    ] as const) {
      // A phone may be looked up while its text is on the way: by carrier only final statuses are counted.
      const isCounted = (status: string) => dimension === 'hour' || status !== 'sent';
      if (from !== null && isCounted(from)) add({ ...of, dimension, value, status: from, texts: -texts });
      if (isCounted(to)) add({ ...of, dimension, value, status: to, texts });
    }
  }
  return [...sums.values()].filter(({ texts }) => texts !== 0);
}

export async function addResults(trx: Trx, rows: readonly ResultRow[]): Promise<void> {
  if (rows.length > 0) await sql`${prepared} ${addToResults(rows)}`.execute(trx);
}

/**
 * The statement that does so, or a part of a larger one: `after` is a condition that makes other locks come
 * first.
 */
export function addToResults(
  rows: readonly ResultRow[],
  after: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  const column = <T>(pick: (row: ResultRow) => T) => rows.map(pick);
  return sql`
    insert into daily_results as d (account_id, day, text_number_id, dimension, value, status, texts)
    select * from unnest(
      ${column((r) => r.accountId)}::bigint[], ${column((r) => r.day)}::date[], ${column((r) => r.textNumberId)}::bigint[],
      ${column((r) => r.dimension)}::text[], ${column((r) => r.value)}::text[], ${column((r) => r.status)}::text[],
      ${column((r) => r.texts)}::integer[]
    ) as t(account_id, day, text_number_id, dimension, value, status, texts)
    where ${after}
    order by account_id, day, text_number_id, dimension, value, status
    on conflict (account_id, day, text_number_id, dimension, value, status) do update
    set texts = d.texts + excluded.texts`;
}

/** Fills the figures of an account without any, from its texts: for texts that were inserted directly. */
export async function fillResults(trx: Trx, accountId: number): Promise<void> {
  const { rows } = await sql<MovedResults>`
    select m.account_id as "accountId", a.time_zone as zone, m."atMs", m.text_number_id as "textNumberId", m.carrier,
      null as "from", m.status as "to", count(*)::int as texts
    from (
      select m.account_id, m.text_number_id, m.status, ${quarterHourOf('m.created_at')} as "atMs", ${carrierOf('m')} as carrier
      from messages m
      where m.account_id = ${accountId} and not m.is_inbound and m.status <> 'waiting'
        and (m.handed_at is not null or m.carrier_error is not null and m.status <> 'canceled')) m
    join accounts a on a.account_id = m.account_id
    group by 1, 2, 3, 4, 5, 7`.execute(trx);
  await countResults(trx, rows);
}

/** The time of a text for `atMs`, and its recipient's carrier, as parts of the statements that move texts. */
const quarterHourOf = (createdAt: string) =>
  sql`(floor(extract(epoch from ${sql.ref(createdAt)}) / 900) * 900000)::float8`;
export const carrierOf = (alias: string) =>
  sql`coalesce((select l.carrier_name from phone_lookups l
    where l.account_id = ${sql.ref(`${alias}.account_id`)} and l.phone = ${sql.ref(`${alias}.phone`)}), '')`;
