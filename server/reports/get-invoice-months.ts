import { sql } from 'kysely';
import type { Input, Reply } from '../../contract/call.ts';
import { defaults } from '../../contract/reference/limits.ts';
import type { getInvoiceMonths as definition } from '../../contract/reports.ts';
import { localDay } from '../../contract/time/local-day.ts';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';
import { invoicesIn } from './queries.ts';
import { momentsOf, monthsOf, readRange } from './rules.ts';

/** The invoiced amount of each month; voided invoices are left out unless they are asked for. */
export async function getInvoiceMonths(
  trx: Trx,
  actor: Actor,
  { query }: Pick<Input<typeof definition>, 'query'>,
): Promise<Reply<typeof definition>> {
  const zone = actor.timeZone;
  const range = readRange(query, localDay(now(), zone), defaults.reportRangeDays.credits);
  const { begins, ends } = momentsOf(range, zone);
  const months = monthsOf(range, zone);
  const isWanted = query.category === undefined ? sql`voided_at is null` : invoicesIn[query.category];
  const { rows } = await sql<{ place: number; invoices: number; total: number; paid: number; due: number }>`
    select width_bucket(created_at, ${months.map((month) => month.begins)}::timestamptz[]) as place,
      count(*)::int as invoices, sum(total_cents)::bigint as total,
      sum(paid_cents)::bigint as paid,
      coalesce(sum(total_cents - paid_cents) filter (where voided_at is null), 0)::bigint as due
    from invoices
    where account_id = ${actor.accountId} and ${isWanted} and created_at >= ${begins} and created_at < ${ends}
    group by 1`.execute(trx);
  const sum = (pick: (row: (typeof rows)[number]) => number) =>
    rows.reduce((total, row) => total + pick(row), 0);
  return {
    StartDate: range.since,
    EndDate: range.until,
    Invoices: sum(({ invoices }) => invoices),
    Total: sum(({ total }) => total) / 100,
    Paid: sum(({ paid }) => paid) / 100,
    Due: sum(({ due }) => due) / 100,
    Months: months.map(({ month }, index) => {
      const { paid = 0, due = 0 } = rows.find(({ place }) => place === index + 1) ?? {};
      return { Month: month, Paid: paid / 100, Due: due / 100 };
    }),
  };
}
