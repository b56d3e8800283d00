import { type RawBuilder, sql } from 'kysely';
import type { Input, Reply } from '../../contract/call.ts';
import type {
  BillingRecord,
  downloadBillingHistory as downloadDefinition,
  listBillingHistory as listDefinition,
} from '../../contract/purchases.ts';
import { defaults } from '../../contract/reference/limits.ts';
import type { getBillingMonths as monthsDefinition } from '../../contract/reports.ts';
import { localDay } from '../../contract/time/local-day.ts';
import { now } from '../clock.ts';
import { csvDownload, readAhead } from '../csv.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { asAccount, type Trx } from '../db.ts';
import type { Actor, App, Download } from '../serve.ts';
import { askedMoments, momentsOf, monthsOf, readRange } from './rules.ts';
import { zonedTimes } from './zoned-times.ts';

interface Page {
  pagesize: number;
  next?: string | undefined;
  between: { begins: Date | null; ends: Date | null };
}

/** Card payments, newest first, a page at a time by key: as fast at the end as at the beginning. */
async function listCharges(
  trx: Trx,
  accountId: number,
  { pagesize, next, between }: Page,
): Promise<{ Items: BillingRecord[]; Next: string | null }> {
  const after = next === undefined ? undefined : readCursor(next);
  const { begins, ends } = between;
  const { rows } = await sql<Omit<BillingRecord, 'ChargeTimestamp'> & { at: Date; exactly: string }>`
    select c.charge_id as "ChargeID", c.created_at as at, to_json(c.created_at) #>> '{}' as exactly,
      c.charge_type as "ChargeType",
      c.description as "Description", c.amount_cents / 100.0::float8 as "Amount",
      c.tax_cents / 100.0::float8 as "SalesTax", c.total_cents / 100.0::float8 as "TotalAmount",
      c.refunded_cents / 100.0::float8 as "RefundedAmount", c.card_label as "CardLabel",
      coalesce(c.invoice_id, (select i.invoice_id from invoices i
        where i.account_id = c.account_id and i.charge_id = c.charge_id)) as "InvoiceID"
    from charges c
    where c.account_id = ${accountId} and c.state = 'paid'
      ${begins === null ? sql`` : sql`and c.created_at >= ${begins}`}
      ${ends === null ? sql`` : sql`and c.created_at < ${ends}`}
      ${after === undefined ? sql`` : sql`and (c.created_at, c.charge_id) < (${after.at}::timestamptz, ${after.id})`}
    order by c.created_at desc, c.charge_id desc
    limit ${pagesize + 1}`.execute(trx);
  const items = rows.slice(0, pagesize);
  const last = items.at(-1);
  return {
    Items: items.map(({ at, exactly, ...row }) => ({ ...row, ChargeTimestamp: at.toISOString() })),
    Next:
      rows.length > pagesize && last !== undefined
        ? writeCursor({ at: last.exactly, id: last.ChargeID })
        : null,
  };
}

export function listBillingHistory(trx: Trx, actor: Actor, { query }: Input<typeof listDefinition>) {
  return listCharges(trx, actor.accountId, { ...query, between: askedMoments(query, actor.timeZone) });
}

/** The purpose of a payment, in three words. */
const kinds = {
  credits: ['CreditPurchase', 'AutoRefill'],
  subscriptions: [
    'SubscriptionUpgrade',
    'SubscriptionRenewal',
    'AddFlatRate',
    'FlatRateRenewal',
    'MonthlyAddOnCharges',
  ],
  invoices: ['InvoicePayment'],
};

const dollarsOf = (types: readonly string[]): RawBuilder<number> => sql<number>`
  (coalesce(sum(total_cents) filter (where charge_type = any(${types}::text[])), 0) / 100.0)::float8`;

export async function getBillingMonths(
  trx: Trx,
  actor: Actor,
  { query }: Pick<Input<typeof monthsDefinition>, 'query'>,
): Promise<Reply<typeof monthsDefinition>> {
  const zone = actor.timeZone;
  const range = readRange(query, localDay(now(), zone), defaults.reportRangeDays.credits);
  const { begins, ends } = momentsOf(range, zone);
  const months = monthsOf(range, zone);
  const { rows } = await sql<{
    place: number;
    Credits: number;
    Subscriptions: number;
    Invoices: number;
    paid: number;
    refunded: number;
    payments: number;
  }>`
    select width_bucket(created_at, ${months.map((month) => month.begins)}::timestamptz[]) as place,
      ${dollarsOf(kinds.credits)} as "Credits", ${dollarsOf(kinds.subscriptions)} as "Subscriptions",
      ${dollarsOf(kinds.invoices)} as "Invoices", sum(total_cents)::bigint as paid, sum(refunded_cents)::bigint as refunded,
      count(*)::int as payments
    from charges
    where account_id = ${actor.accountId} and state = 'paid' and created_at >= ${begins} and created_at < ${ends}
    group by 1`.execute(trx);
  const cents = (pick: (row: (typeof rows)[number]) => number) =>
    rows.reduce((sum, row) => sum + Math.round(pick(row)), 0);
  return {
    StartDate: range.since,
    EndDate: range.until,
    Paid: cents(({ paid }) => paid) / 100,
    Refunded: cents(({ refunded }) => refunded) / 100,
    Payments: cents(({ payments }) => payments),
    Credits: cents((row) => row.Credits * 100) / 100,
    Subscriptions: cents((row) => row.Subscriptions * 100) / 100,
    Invoices: cents((row) => row.Invoices * 100) / 100,
    Months: months.map(({ month }, index) => {
      const row = rows.find(({ place }) => place === index + 1);
      return {
        Month: month,
        Credits: row?.Credits ?? 0,
        Subscriptions: row?.Subscriptions ?? 0,
        Invoices: row?.Invoices ?? 0,
      };
    }),
  };
}

const batch = 5000;

export async function downloadBillingHistory(
  app: App,
  actor: Actor,
  { query }: Input<typeof downloadDefinition>,
): Promise<Download> {
  const zone = actor.timeZone;
  const range = readRange(query, localDay(now(), zone), defaults.reportRangeDays.credits);
  const between = momentsOf(range, zone);
  const time = zonedTimes(zone);
  async function* rows() {
    const pages = readAhead((next) =>
      asAccount(app.database, actor.accountId, (trx) =>
        listCharges(trx, actor.accountId, { pagesize: batch, next, between }),
      ),
    );
    for await (const { Items } of pages)
      for (const item of Items)
        yield [
          time(new Date(item.ChargeTimestamp)),
          item.Description,
          ...[item.Amount, item.SalesTax, item.TotalAmount, item.RefundedAmount].map((dollars) =>
            dollars.toFixed(2),
          ),
          item.CardLabel,
          item.InvoiceID === null ? '' : String(item.InvoiceID),
        ];
  }
  return csvDownload(
    `billing-history-${range.since}-to-${range.until}.csv`,
    [`Time (${zone})`, 'What', 'Amount', 'Sales Tax', 'Total', 'Refunded', 'Card', 'Invoice'],
    rows(),
    actor,
  );
}
