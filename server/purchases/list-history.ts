import { sql } from 'kysely';
import type { BillingRecord } from '../../contract/purchases.ts';
import { dayBounds, localDay } from '../../contract/time/local-day.ts';
import { now } from '../clock.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';

interface Page {
  pagesize: number;
  next?: string | undefined;
}

/** What was paid by card, newest first, a page at a time by key: as fast at the end as at the beginning. */
export async function listBillingHistory(
  trx: Trx,
  accountId: number,
  { pagesize, next }: Page,
): Promise<{ Items: BillingRecord[]; Next: string | null }> {
  const after = next === undefined ? undefined : readCursor(next);
  const { rows } = await sql<Omit<BillingRecord, 'ChargeTimestamp'> & { at: Date }>`
    select c.charge_id as "ChargeID", c.created_at as at, c.charge_type as "ChargeType",
      c.description as "Description", c.amount_cents / 100.0::float8 as "Amount",
      c.tax_cents / 100.0::float8 as "SalesTax", c.total_cents / 100.0::float8 as "TotalAmount",
      c.refunded_cents / 100.0::float8 as "RefundedAmount", c.card_label as "CardLabel",
      coalesce(c.invoice_id, (select i.invoice_id from invoices i
        where i.account_id = c.account_id and i.charge_id = c.charge_id)) as "InvoiceID"
    from charges c
    where c.account_id = ${accountId} and c.state = 'paid'
      ${after === undefined ? sql`` : sql`and (c.created_at, c.charge_id) < (${after.at}::timestamptz, ${after.id})`}
    order by c.created_at desc, c.charge_id desc
    limit ${pagesize + 1}`.execute(trx);
  const items = rows.slice(0, pagesize);
  const last = items.at(-1);
  return {
    Items: items.map(({ at, ...row }) => ({ ...row, ChargeTimestamp: at.toISOString() })),
    Next:
      rows.length > pagesize && last !== undefined
        ? writeCursor({ at: last.at.toISOString(), id: last.ChargeID })
        : null,
  };
}

const entryNames: Readonly<Record<string, string>> = {
  grant: 'Credits given',
  purchase: 'Credits bought',
  settle: 'Texts sent',
  reserve: 'Set aside for texts',
  release: 'Given back',
  refund: 'Refund',
};

/** Every change of the balance, newest first. */
export async function listCreditBalance(
  trx: Trx,
  accountId: number,
  { pagesize, next, all }: Page & { all: boolean },
) {
  const after = next === undefined ? undefined : readCursor(next).id;
  const query = trx
    .selectFrom('credit_entries')
    .select([
      'credit_entry_id',
      'created_at',
      'kind',
      'note',
      'balance_delta',
      'reserved_delta',
      'balance_after',
    ])
    .where('account_id', '=', accountId)
    .orderBy('credit_entry_id', 'desc')
    .limit(pagesize + 1);
  const narrowed = all ? query : query.where('balance_delta', '<>', 0);
  const rows = await (after === undefined
    ? narrowed
    : narrowed.where('credit_entry_id', '<', after)
  ).execute();
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

/** Credits used by day of the user's calendar, for broadcasts and in conversations. */
export async function getUsageSummary(trx: Trx, actor: Actor, days: number) {
  const zone = actor.timeZone;
  const today = localDay(now(), zone);
  const dates = Array.from({ length: days }, (_, index) =>
    new Date(Date.parse(`${today}T00:00:00Z`) - (days - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  );
  const first = dates[0] ?? today;
  const bounds = dates.map((date) => dayBounds(date, zone));
  const { rows } = await sql<{ day: number; broadcasts: number; conversations: number }>`
    with days as (
      select * from unnest(${bounds.map(({ begins }) => begins)}::timestamptz[],
        ${bounds.map(({ ends }) => ends)}::timestamptz[]) with ordinality as d(begins, ends, day)
    )
    select d.day::integer as day,
      coalesce(-sum(e.balance_delta) filter (where e.reference_kind = 'broadcast'), 0)::integer as broadcasts,
      coalesce(-sum(e.balance_delta) filter (where e.reference_kind is distinct from 'broadcast'), 0)::integer as conversations
    from days d left join credit_entries e on e.account_id = ${actor.accountId} and e.kind = 'settle'
      and e.created_at >= d.begins and e.created_at < d.ends
    group by d.day order by d.day`.execute(trx);
  const Days = dates.map((date, index) => ({
    Date: date,
    Broadcasts: rows[index]?.broadcasts ?? 0,
    Conversations: rows[index]?.conversations ?? 0,
  }));
  const sum = (pick: (day: (typeof Days)[number]) => number) =>
    Days.reduce((total, day) => total + pick(day), 0);
  const Broadcasts = sum((day) => day.Broadcasts);
  const Conversations = sum((day) => day.Conversations);
  return {
    StartDate: first,
    EndDate: today,
    Credits: Broadcasts + Conversations,
    Broadcasts,
    Conversations,
    Days,
  };
}
