import { sql } from 'kysely';
import { monthlyFeeCents } from '../../contract/money/pricing.ts';
import { addMonths } from '../billing/add-months.ts';
import { changePlan } from '../billing/change-plan.ts';
import { customPricingOf, getPrices } from '../billing/queries.ts';
import { now } from '../clock.ts';
import { asAccount, type Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { notify } from '../notify.ts';
import type { SalesTax } from '../outside/sales-tax.ts';
import { recordEvents } from '../record-events.ts';
import type { App } from '../serve.ts';
import { anchorDayOf } from './anchor-day.ts';
import { linesOf } from './create-invoice.ts';
import { mailInvoice } from './mail-invoice.ts';
import { monthsFor } from './rules.ts';
import { writeInvoice } from './write-invoice.ts';

/** The next invoice of a subscription that renews by invoice, a month before it ends. */
export async function renewByInvoice(
  app: Pick<App, 'database' | 'config'>,
  accountId: number,
  salesTax: SalesTax,
): Promise<void> {
  const at = now();
  const last = await asAccount(app.database, accountId, async (trx) => {
    const row = await trx
      .selectFrom('invoices')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('is_payg', '=', false)
      .where('voided_at', 'is', null)
      .where('charge_id', 'is', null)
      .orderBy('invoice_id', 'desc')
      .limit(1)
      .executeTakeFirst();
    const account = await trx
      .selectFrom('accounts')
      .select(['country_id', 'time_zone', 'invoice_duration', 'subscription_end_at', 'monthly_level'])
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    const prices = await getPrices(trx, accountId, 'monthly');
    const address =
      row?.invoice_address_id == null
        ? undefined
        : await trx
            .selectFrom('invoice_addresses')
            .selectAll()
            .where('account_id', '=', accountId)
            .where('invoice_address_id', '=', row.invoice_address_id)
            .executeTakeFirst();
    return { row, account, prices, address };
  });
  const { row, account, prices, address } = last;
  const start = account.subscription_end_at;
  const people = account.monthly_level;
  if (row === undefined || address === undefined || start === null || people === null) {
    await stopRenewing(app, accountId);
    return;
  }
  const fee = monthlyFeeCents(prices.PricingDetails, people) ?? row.monthly_fee_cents ?? 0;
  const months = account.invoice_duration;
  const zone = account.time_zone;
  const end = addMonths(
    start,
    months,
    await asAccount(app.database, accountId, (trx) => anchorDayOf(trx, accountId, start, zone)),
    zone,
  );
  const quote = await salesTax.quote(fee * months, {
    line1: address.address3,
    city: address.city,
    state: address.state,
    postalCode: address.postal_code,
    countryId: account.country_id,
  });
  // Without the tax there is no invoice: the next run asks again.
  if ('error' in quote) throw new Error(`no sales tax for the next invoice: ${quote.error}`);
  await asAccount(app.database, accountId, async (trx) => {
    const { due } = await trx
      .selectFrom('accounts')
      .select('invoice_renewal_at as due')
      .where('account_id', '=', accountId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    // Another process created it in the meantime.
    if (due === null || due > at) return;
    await changePlan(trx, accountId, { invoice_renewal_at: null });
    const invoiceId = await writeInvoice(
      trx,
      {
        account_id: accountId,
        user_id: row.user_id,
        is_payg: false,
        custom_pricing: customPricingOf(prices),
        description: monthsFor(months, people),
        max_people: people,
        subscription_duration: months,
        subscription_start_at: start,
        subscription_end_at: end,
        monthly_fee_cents: fee,
        quantity: months,
        unit_cost: String(fee / 100),
        amount_cents: fee * months,
        tax_cents: quote.taxCents,
        tax_label: quote.label,
        tax_quote_id: quote.quoteId,
        total_cents: fee * months + quote.taxCents,
        terms: row.terms,
        po_number: '',
        additional_notes: row.additional_notes,
        invoice_address_id: row.invoice_address_id,
        bill_to: linesOf(address),
        email_to: row.email_to,
        auto_renew: true,
      },
      at,
    );
    if (quote.quoteId !== null) await enqueue(trx, 'record_taxes', {});
    await mailInvoice(trx, { accountId, invoiceId, kind: 'Created', publicUrl: app.config.PUBLIC_URL });
    await recordEvents(trx, { accountId }, [{ kind: 'invoice.created', id: invoiceId }]);
    await notify(trx, accountId, [{ type: 'billing.changed' }]);
  });
}

async function stopRenewing(app: Pick<App, 'database'>, accountId: number): Promise<void> {
  await asAccount(app.database, accountId, (trx) => changePlan(trx, accountId, { invoice_renewal_at: null }));
}

/** Sets whether the existing invoices renew automatically. */
export async function renewOpenInvoices(trx: Trx, accountId: number, autoRenew: boolean): Promise<void> {
  await trx
    .updateTable('invoices')
    .set({ auto_renew: autoRenew })
    .where('account_id', '=', accountId)
    .where('is_payg', '=', false)
    .where('voided_at', 'is', null)
    .execute();
}

/** The organization has another name: unpaid invoices are changed to it. */
export async function renameOnInvoices(
  trx: Trx,
  accountId: number,
  { before, after }: { before: string; after: string },
): Promise<void> {
  if (before === after) return;
  await sql`update invoices set bill_to = array_replace(bill_to, ${before}, ${after})
    where account_id = ${accountId} and voided_at is null and paid_cents = 0 and total_cents > 0`.execute(
    trx,
  );
}
