import { type RawBuilder, sql } from 'kysely';
import type { Input, Reply } from '../../contract/call.ts';
import type {
  downloadCreditBalance as downloadDefinition,
  listCreditBalance as listDefinition,
} from '../../contract/purchases.ts';
import { defaults } from '../../contract/reference/limits.ts';
import type { getCreditDays as daysDefinition } from '../../contract/reports.ts';
import { localDay } from '../../contract/time/local-day.ts';
import { now } from '../clock.ts';
import { csvDownload, readAhead } from '../csv.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { asAccount, type Trx } from '../db.ts';
import type { Actor, App, Download } from '../serve.ts';
import { askedMoments, daysOf, momentsOf, readRange } from './rules.ts';
import { zonedTimes } from './zoned-times.ts';

const entryNames: Readonly<Record<string, string>> = {
  grant: 'Credits given',
  purchase: 'Credits bought',
  settle: 'Texts sent',
  reserve: 'Set aside for texts',
  release: 'Given back',
  refund: 'Refund',
};

interface Page {
  pagesize: number;
  next?: string | undefined;
  all?: boolean | undefined;
  between: { begins: Date | null; ends: Date | null };
}

interface EntryRow {
  credit_entry_id: number;
  created_at: Date;
  kind: string;
  note: string;
  balance_delta: number;
  reserved_delta: number;
  balance_after: number;
}

/** The maximum difference between the times of two entries that were written at the same moment. */
const nearby = 1000;

/**
 * Changes of the balance, newest first, a page at a time by key. The key is the order in which the account's
 * row was changed, so that each balance follows from the one below it; an older entry's time is the
 * start of its transaction, which may be later than that of the next entry. The days' first and last keys are therefore
 * searched among several around them.
 */
async function listEntries(
  trx: Trx,
  accountId: number,
  { pagesize, next, all = false, between }: Page,
): Promise<Reply<typeof listDefinition>> {
  const after = next === undefined ? undefined : readCursor(next);
  const { begins, ends } = between;
  const near = (edge: 'min' | 'max', condition: RawBuilder<unknown>) => sql`
    (select ${sql.raw(edge)}(credit_entry_id) from (
      select credit_entry_id from credit_entries where account_id = ${accountId} and ${condition}
      order by created_at ${sql.raw(edge === 'min' ? 'asc' : 'desc')} limit ${nearby}) one)`;
  const { rows } = await sql<EntryRow>`
    select credit_entry_id, created_at, kind, note, balance_delta, reserved_delta, balance_after
    from credit_entries
    where account_id = ${accountId}
      ${all ? sql`` : sql`and balance_delta <> 0`}
      ${begins === null ? sql`` : sql`and created_at >= ${begins} and credit_entry_id >= ${near('min', sql`created_at >= ${begins}`)}`}
      ${ends === null ? sql`` : sql`and created_at < ${ends} and credit_entry_id <= ${near('max', sql`created_at < ${ends}`)}`}
      ${after === undefined ? sql`` : sql`and credit_entry_id < ${after.id}`}
    order by credit_entry_id desc
    limit ${pagesize + 1}`.execute(trx);
  const items = rows.slice(0, pagesize);
  const last = items.at(-1);
  return {
    Items: items.map((row) => ({
      CreditEntryID: row.credit_entry_id,
      Date: row.created_at.toISOString(),
      Kind: row.kind,
      Description: row.note === '' ? (entryNames[row.kind] ?? row.kind) : row.note,
      Credits: row.balance_delta === 0 ? -row.reserved_delta : row.balance_delta,
      Balance: row.balance_after,
    })),
    Next:
      rows.length > pagesize && last !== undefined
        ? writeCursor({ at: last.created_at.toISOString(), id: last.credit_entry_id })
        : null,
  };
}

export function listCreditBalance(trx: Trx, actor: Actor, { query }: Input<typeof listDefinition>) {
  return listEntries(trx, actor.accountId, { ...query, between: askedMoments(query, actor.timeZone) });
}

/** As `nearby`, for each day of a year: more than there are transactions at once. */
const nearbyOfDay = 20;

/** The balance at the end of each day is that of the last entry until then: one index probe per day. */
export async function getCreditDays(
  trx: Trx,
  actor: Actor,
  { query }: Pick<Input<typeof daysDefinition>, 'query'>,
): Promise<Reply<typeof daysDefinition>> {
  const zone = actor.timeZone;
  const range = readRange(query, localDay(now(), zone), defaults.reportRangeDays.credits);
  const dates = daysOf(range);
  const { begins } = momentsOf(range, zone);
  const ends = dates.map((day) => momentsOf({ since: day, until: day }, zone).ends);
  const { rows } = await sql<{ balance: number }>`
    select coalesce((
      select l.balance_after from (
        select e.credit_entry_id, e.balance_after from credit_entries e
        where e.account_id = ${actor.accountId} and e.created_at < d.ends
        order by e.created_at desc, e.credit_entry_id desc limit ${nearbyOfDay}) l
      order by l.credit_entry_id desc limit 1), 0)::bigint as balance
    from unnest(${[begins, ...ends]}::timestamptz[]) with ordinality as d(ends, place)
    order by d.place`.execute(trx);
  const { rows: added } = await sql<{ kind: string; credits: number }>`
    select kind, abs(sum(balance_delta))::bigint as credits from credit_entries
    where account_id = ${actor.accountId} and kind in ('grant', 'purchase', 'refund')
      and created_at >= ${begins} and created_at < ${ends.at(-1)}
    group by kind`.execute(trx);
  const sum = (kind: string) => added.find((row) => row.kind === kind)?.credits ?? 0;
  const Before = rows[0]?.balance ?? 0;
  const Balance = rows.at(-1)?.balance ?? 0;
  const [Bought, Given, Refunded] = [sum('purchase'), sum('grant'), sum('refund')];
  return {
    ...{ StartDate: range.since, EndDate: range.until, Before, Balance, Bought, Given, Refunded },
    Used: Before + Bought + Given - Refunded - Balance,
    Days: dates.map((day, index) => ({ Date: day, Balance: rows[index + 1]?.balance ?? 0 })),
  };
}

const batch = 5000;

export async function downloadCreditBalance(
  app: App,
  actor: Actor,
  { query }: Input<typeof downloadDefinition>,
): Promise<Download> {
  const zone = actor.timeZone;
  const range = readRange(query, localDay(now(), zone), defaults.reportRangeDays.credits);
  const between = momentsOf(range, zone);
  const time = zonedTimes(zone);
  /** Each batch has its own transaction: a slow reader keeps none open. */
  async function* rows() {
    const pages = readAhead((next) =>
      asAccount(app.database, actor.accountId, (trx) =>
        listEntries(trx, actor.accountId, { pagesize: batch, next, between }),
      ),
    );
    for await (const { Items } of pages)
      for (const item of Items)
        yield [time(new Date(item.Date)), item.Description, String(item.Credits), String(item.Balance)];
  }
  return csvDownload(
    `credit-balance-${range.since}-to-${range.until}.csv`,
    [`Time (${zone})`, 'What', 'Credits', 'Balance'],
    rows(),
    actor,
  );
}
