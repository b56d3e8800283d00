/**
 * Processes from before migration 0221 book payments for months of an invoice under the same subject as months
 * paid by card, and the first payment of an invoice earns everything in it. So payments after the last earning
 * are still there. They are moved to the subjects of their invoices, whose months are then earned in their time
 * (earn-months.ts): once for payments before the upgrade, and again for those that such a process takes beside
 * this one.
 */
import { type RawBuilder, sql } from 'kysely';
import { postMoney, subscriptionSubject } from '../billing/post-money.ts';
import type { Database, Trx } from '../db.ts';
import { mayHaveEarlierBeside } from '../may-have-earlier-beside.ts';
import { invoiceSubject } from './earn-months.ts';

/** Invoices for months, apart from the receipts of those that are paid by card. */
const ofMonths = sql`not i.is_payg and i.charge_id is null and i.voided_at is null`;

/** Nobody earns its months. This version sets next_earning_at with the delivery, and until the last month is over. */
const isNotEarning = sql`${ofMonths} and i.delivered_at is not null and i.next_earning_at is null
  and i.months_ended_at is null and i.subscription_start_at is not null and i.subscription_end_at is not null`;

/**
 * Amounts paid for invoices that are kept with card months. If some of it went back, the latest payments count first.
 */
function keptTogether(accountId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select invoice_id, least(cents, owed - newer)::bigint as cents
    from (
      select invoice_id, cents, owed, sum(cents) over (order by posting_id desc) - cents as newer
      from (
        select invoice_id, owed, -sum(amount_cents) as cents, max(posting_id) as posting_id
        from (
          select invoice_id, amount_cents, posting_id, -sum(amount_cents) over () as owed,
            max(posting_id) filter (where note = 'Earned') over () as earned_id
          from money_entries
          where account_id = ${accountId} and book = 'deferred' and subject = ${subscriptionSubject}
        ) entries
        where invoice_id is not null and posting_id > coalesce(earned_id, 0)
        group by invoice_id, owed having -sum(amount_cents) > 0
      ) paid
    ) kept
    where owed > newer`;
}

/** Accounts for keepByInvoice. */
export async function listKeptTogether(database: Database, at: Date): Promise<{ account_id: number }[]> {
  return database.system.transaction().execute(async (trx) => {
    if (!(await mayHaveEarlierBeside(trx, '0221_months_are_earned_in_their_time.sql'))) return [];
    const { rows } = await sql<{ account_id: number }>`
      select i.account_id from invoices i
      where ${isNotEarning} and i.subscription_end_at > ${at}
      union
      select a.account_id from (select distinct i.account_id from invoices i where ${ofMonths} and i.paid_cents > 0) a
      where exists (${keptTogether(sql`a.account_id`)})`.execute(trx);
    return rows;
  });
}

/** The caller holds the row of the account. */
export async function keepByInvoice(trx: Trx, accountId: number, at: Date): Promise<void> {
  const { rows } = await sql<{
    invoice_id: number;
    cents: number;
  }>`${keptTogether(sql`${accountId}`)}`.execute(trx);
  for (const { invoice_id: invoiceId, cents } of rows)
    await postMoney(trx, {
      ...{ accountId, invoiceId, at, note: 'Kept by invoice' },
      lines: [
        { book: 'deferred', amountCents: cents, subject: subscriptionSubject },
        { book: 'deferred', amountCents: -cents, subject: invoiceSubject(invoiceId) },
      ],
    });
  await sql`
    update invoices i set next_earning_at = subscription_start_at
    where i.account_id = ${accountId} and ${isNotEarning}
      and (i.subscription_end_at > ${at} or i.invoice_id = any(${rows.map((row) => row.invoice_id)}::bigint[]))`.execute(
    trx,
  );
}
