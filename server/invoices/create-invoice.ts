import { createHash } from 'node:crypto';
import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { fieldErrors } from '../../contract/fields/form.ts';
import { invoiceForm } from '../../contract/forms/invoice.ts';
import type { createInvoice as definition, Invoice } from '../../contract/invoices.ts';
import { creditPriceCents, findTier, maxPeopleOf, monthlyFeeCents } from '../../contract/money/pricing.ts';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import { salesTaxMessage } from '../../contract/reference/error-codes.ts';
import { accountTypes } from '../../contract/states/account-status.ts';
import { holdAccount } from '../accounts/users/hold-account.ts';
import { addMonths } from '../billing/add-months.ts';
import { customPricingOf, getPrices } from '../billing/queries.ts';
import { now } from '../clock.ts';
import { asAccount, type Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { notify } from '../notify.ts';
import type { SalesTax, TaxAddress, TaxQuote } from '../outside/sales-tax.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor, App } from '../serve.ts';
import { anchorDayOf } from './anchor-day.ts';
import { deliverInvoice } from './deliver-invoice.ts';
import { mailInvoice } from './mail-invoice.ts';
import { getInvoice, toInvoice } from './queries.ts';
import { monthsFor } from './rules.ts';
import { type NewInvoice, writeInvoice } from './write-invoice.ts';

type Body = Omit<Input<typeof definition>['body'], never>;

/** A proposed invoice, before the tax is known. */
interface Reckoned {
  invoice: Omit<NewInvoice, 'tax_cents' | 'tax_label' | 'total_cents'>;
  address: TaxAddress;
}

/** Calculates an invoice and, unless it is a preview, creates it and mails it. */
export async function createInvoice(
  app: App,
  actor: Actor,
  {
    body,
    key,
    salesTax,
    isPreview,
  }: { body: Body; key?: string | undefined; salesTax: SalesTax; isPreview: boolean },
): Promise<Invoice> {
  if (body.AccountID !== undefined && body.AccountID !== actor.accountId) throw new Refusal('notFound');
  const request =
    key === undefined
      ? undefined
      : {
          request_key: `${actor.userId}:${key}`,
          request_hash: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
        };
  const made =
    request && (await asAccount(app.database, actor.accountId, (trx) => findMade(trx, actor, request)));
  if (made !== undefined) return made;
  const at = now();
  const { invoice, address } = await asAccount(app.database, actor.accountId, (trx) =>
    reckonInvoice(trx, actor, body, at),
  );
  const tax = await quoteTax(salesTax, Number(invoice.amount_cents), address);
  const whole = {
    ...invoice,
    tax_cents: tax.taxCents,
    tax_label: tax.label,
    tax_quote_id: tax.quoteId,
    total_cents: Number(invoice.amount_cents) + tax.taxCents,
  };
  if (isPreview) return { ...previewOf(whole, actor, at), SendEmail: body.SendEmail };
  return asAccount(app.database, actor.accountId, async (trx) => {
    // The same request may have reached the server twice at once: the second waits here and gets the result
    // of the first.
    await holdAccount(trx, actor.accountId);
    const other = request && (await findMade(trx, actor, request));
    if (other !== undefined) return other;
    const invoiceId = await writeInvoice(trx, { ...whole, ...request }, at);
    if (tax.quoteId !== null) await enqueue(trx, 'record_taxes', {});
    if (body.AddCreditsToAccount) await deliverInvoice(trx, actor.accountId, invoiceId, at);
    await recordEvents(trx, actor, [{ kind: 'invoice.created', id: invoiceId }]);
    if (body.SendEmail)
      await mailInvoice(trx, {
        accountId: actor.accountId,
        invoiceId,
        kind: 'Created',
        publicUrl: app.config.PUBLIC_URL,
      });
    await notify(trx, actor.accountId, [{ type: 'billing.changed' }, { type: 'credits.changed' }]);
    return getInvoice(trx, actor.accountId, invoiceId);
  });
}

/** The parts that make two requests the same. */
interface Request {
  request_key: string;
  request_hash: string;
}

async function findMade(trx: Trx, actor: Actor, request: Request): Promise<Invoice | undefined> {
  const row = await trx
    .selectFrom('invoices')
    .select(['invoice_id', 'request_hash'])
    .where('account_id', '=', actor.accountId)
    .where('request_key', '=', request.request_key)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.request_hash !== request.request_hash) throw new Refusal('keyReused');
  return getInvoice(trx, actor.accountId, row.invoice_id);
}

async function reckonInvoice(trx: Trx, actor: Actor, body: Body, at: Date): Promise<Reckoned> {
  for (const [field, message] of Object.entries(fieldErrors(invoiceForm, body)))
    throw refuseField(field, message);
  const address = await requireAddress(trx, actor.accountId, body.InvoiceAddressID ?? 0);
  const account = await trx
    .selectFrom('accounts')
    .select(['pays_invoices_offline', 'country_id', 'time_zone'])
    .where('account_id', '=', actor.accountId)
    .executeTakeFirstOrThrow();
  // Before the payment: only for accounts that the operator trusts to pay later. The type of the account says
  // nothing about that: a month paid by invoice changes it.
  if (body.AddCreditsToAccount && !account.pays_invoices_offline)
    throw refuseField(
      'AddCreditsToAccount',
      body.IsPayG
        ? 'Credits are added as soon as the invoice is paid.'
        : 'The subscription starts as soon as the invoice is paid.',
    );
  const what = body.IsPayG
    ? await reckonCredits(trx, actor, body.NumberOfCredits ?? 0)
    : await reckonSubscription(trx, actor, { body, at, zone: account.time_zone });
  return {
    invoice: {
      account_id: actor.accountId,
      user_id: actor.userId,
      is_payg: body.IsPayG,
      ...what,
      terms: body.Terms,
      po_number: body.PoNumber,
      additional_notes: body.AdditionalNotes,
      invoice_address_id: address.invoice_address_id,
      bill_to: linesOf(address),
      auto_renew: body.AutoRenewInvoices,
      add_credits_to_account: body.AddCreditsToAccount,
    },
    address: {
      line1: address.address3,
      city: address.city,
      state: address.state,
      postalCode: address.postal_code,
      countryId: account.country_id,
    },
  };
}

async function reckonCredits(trx: Trx, actor: Actor, credits: number) {
  const prices = await getPrices(trx, actor.accountId, 'pay-as-you-go');
  const { PricingDetails } = prices;
  return {
    custom_pricing: customPricingOf(prices),
    description: `${credits.toLocaleString('en-US')} credits`,
    number_of_credits: credits,
    quantity: credits,
    unit_cost: String(findTier(PricingDetails, credits)?.Cost ?? 0),
    amount_cents: creditPriceCents(PricingDetails, credits) ?? 0,
  };
}

/** Prepaid months begin when the previous ones end. */
async function reckonSubscription(
  trx: Trx,
  actor: Actor,
  { body, at, zone }: { body: Body; at: Date; zone: string },
) {
  const prices = await getPrices(trx, actor.accountId, 'monthly');
  const { PricingDetails } = prices;
  const people = body.MaxPeople ?? 0;
  const fee = monthlyFeeCents(PricingDetails, people);
  if (fee === undefined) throw refuseField('MaxPeople', 'Contact us for a group of this size.');
  const level = maxPeopleOf(PricingDetails, people) ?? people;
  const months = body.SubscriptionDuration;
  const end = await findPaidUntil(trx, actor.accountId, { level, at });
  const follows = end ?? at;
  const start = body.SubscriptionStartDate ? new Date(body.SubscriptionStartDate) : follows;
  // The days before it would be free, or nobody could text on them.
  if (start > follows)
    throw refuseField(
      'SubscriptionStartDate',
      end === undefined
        ? 'The subscription can’t start later than now.'
        : 'The subscription can’t start later than the current one ends.',
    );
  return {
    custom_pricing: customPricingOf(prices),
    description: monthsFor(months, level),
    max_people: level,
    subscription_duration: months,
    subscription_start_at: start,
    subscription_end_at: addMonths(start, months, await anchorDayOf(trx, actor.accountId, start, zone), zone),
    monthly_fee_cents: fee,
    quantity: months,
    unit_cost: String(fee / 100),
    amount_cents: fee * months,
  };
}

/**
 * End of the paid time of a subscription that new months can follow: by invoice, or by card if the group is large enough.
 */
async function findPaidUntil(
  trx: Trx,
  accountId: number,
  { level, at }: { level: number; at: Date },
): Promise<Date | undefined> {
  const account = await trx
    .selectFrom('accounts')
    .select(['type_id', 'status_id', 'subscription_end_at', 'subscription_cycle_end_at', 'monthly_level'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const isByCard = account.type_id === accountTypes.monthly;
  if (isByCard && level > (account.monthly_level ?? 0)) return undefined;
  const end = isByCard ? account.subscription_cycle_end_at : account.subscription_end_at;
  const isRunning = account.status_id === 0 || account.status_id === 8;
  return isRunning && end !== null && end > at ? end : undefined;
}

async function requireAddress(trx: Trx, accountId: number, addressId: number) {
  const row = await trx
    .selectFrom('invoice_addresses')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('invoice_address_id', '=', addressId)
    .where('is_active', '=', true)
    .executeTakeFirst();
  if (row === undefined) throw refuseField('InvoiceAddressID', errorCatalog.invoiceAddress);
  return row;
}

type AddressRow = Awaited<ReturnType<typeof requireAddress>>;

export function linesOf(address: AddressRow): string[] {
  const { address1, address2, address3, address4, city, state, postal_code } = address;
  return [address1, address2, address3, address4, `${city}, ${state} ${postal_code}`.trim()].filter(
    (line) => line !== '',
  );
}

async function quoteTax(salesTax: SalesTax, amountCents: number, address: TaxAddress): Promise<TaxQuote> {
  const quote = await salesTax.quote(amountCents, address);
  if (!('error' in quote)) return quote;
  throw new Refusal('salesTax', salesTaxMessage(quote.error, { hasMaskedCard: false }), {
    extendedData: { SalesTaxError: quote.error },
  });
}

/** In the row's format, without saving it. */
function previewOf(invoice: NewInvoice, actor: Actor, at: Date): Invoice {
  const empty = {
    invoice_id: 0,
    number_of_credits: null,
    max_people: null,
    subscription_duration: null,
    subscription_start_at: null,
    subscription_end_at: null,
    monthly_fee_cents: null,
    partial_credit_cents: 0,
    paid_cents: 0,
    voided_at: null,
    paid_at: null,
    delivered_at: null,
    email_to: '',
    emailed_at: null,
    charge_id: null,
    request_key: null,
    request_hash: null,
    tax_recorded_at: null,
    tax_transaction_id: null,
    created_at: at,
    hasPending: false,
    createdBy: actor.name,
  };
  return toInvoice({ ...empty, ...invoice } as unknown as Parameters<typeof toInvoice>[0]);
}
