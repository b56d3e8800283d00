import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { isExpiredOn } from '../../contract/forms/card.ts';
import { creditPriceCents, findTier, monthlyFeeCents } from '../../contract/money/pricing.ts';
import { salesTaxMessage } from '../../contract/reference/error-codes.ts';
import { accountTypes } from '../../contract/states/account-status.ts';
import { addMonths, dayOfMonth } from '../billing/add-months.ts';
import { getPrices } from '../billing/queries.ts';
import { now, nowMs } from '../clock.ts';
import { asAccount, type Trx } from '../db.ts';
import type { SalesTax, TaxQuote } from '../outside/sales-tax.ts';
import { giveBack } from './give-purchase.ts';
import { type CardRow, expirationOf, findCard } from './queries.ts';
import { getNumberFee, getOwedAddOns, getPlan } from './reckon-charge.ts';
import { cardLabel, type What } from './rules.ts';
import { type ChargeContext, runCharge } from './run-charge.ts';
import { isPlanChanging, writeCharge } from './write-charge.ts';

export type UnattendedContext = ChargeContext & { salesTax: SalesTax };

/** Automatic charges, without a user present. */
interface Unattended {
  accountId: number;
  chargeType: 'AutoRefill' | 'SubscriptionRenewal' | 'FlatRateRenewal';
  lane: string;
  what: What;
  description: string;
  netCents: number;
}

/** The amount to charge according to the current rows; undefined if there is none. */
type Find = (trx: Trx) => Promise<Unattended | undefined>;

/**
 * Charges the card on file. Without one, or without the tax, it fails like a refused card. Returns whether
 * anything was done: while the tax office is down, nothing is.
 */
async function chargeCardOnFile(context: UnattendedContext, accountId: number, find: Find): Promise<boolean> {
  const { wanted, card, countryId } = await asAccount(context.database, accountId, async (trx) => ({
    wanted: await find(trx),
    card: await findCard(trx, accountId),
    countryId: (
      await trx
        .selectFrom('accounts')
        .select('country_id')
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
    ).country_id,
  }));
  if (wanted === undefined) return false;
  const problem = problemOf(card);
  if (card === undefined || problem !== undefined)
    return fail(context, find, { wanted, message: problem ?? '' });
  let tax: TaxQuote = { taxCents: 0, label: '', quoteId: null };
  if (context.salesTax.isCharged) {
    const quote = await context.salesTax.quote(wanted.netCents, {
      line1: card.address,
      city: card.city,
      state: card.state,
      postalCode: card.zip_code,
      countryId,
    });
    // The tax office is down: it can wait.
    if ('error' in quote && quote.error === 'ServiceFailure') return false;
    if ('error' in quote) {
      const message = salesTaxMessage(quote.error, { hasMaskedCard: false }) ?? '';
      return fail(context, find, { wanted, message });
    }
    tax = quote;
  }
  const charge = await asAccount(context.database, accountId, async (trx) => {
    if (!(await isStillWanted(trx, find, wanted))) return undefined;
    if (wanted.chargeType === 'SubscriptionRenewal' && (await isPlanChanging(trx, accountId)))
      return undefined;
    const written = await writeCharge(trx, {
      ...wanted,
      purchase: { what: wanted.what },
      partialCreditCents: 0,
      tax,
      paymentMethodId: card.payment_method_id,
      cardLabel: cardLabel({ brand: card.brand, lastFour: card.last_four }),
      isAttended: false,
      userId: null,
    });
    if (written !== undefined && wanted.what.kind === 'refill') {
      await trx
        .updateTable('refill_requests')
        .set({ charge_id: written.charge_id })
        .where('account_id', '=', accountId)
        .where('auto_refill_request_id', '=', wanted.what.requestId)
        .execute();
    }
    return written;
  });
  // Another charge is in progress, it was paid in the meantime, or a user is changing the plan.
  if (charge === undefined) return false;
  await runCharge(context, charge);
  return true;
}

/**
 * Another process may have charged for the same month or refill during the request to the tax office.
 * Settling a charge locks the account's row too, so data read here after locking it stays valid until this
 * transaction ends.
 */
async function isStillWanted(trx: Trx, find: Find, wanted: Unattended): Promise<boolean> {
  await trx
    .selectFrom('accounts')
    .select('account_id')
    .where('account_id', '=', wanted.accountId)
    .forNoKeyUpdate()
    .execute();
  return isDeepStrictEqual(await find(trx), wanted);
}

function problemOf(card: CardRow | undefined): string | undefined {
  if (card === undefined) return 'There is no card on file.';
  return isExpiredOn(expirationOf(card), nowMs()) ? 'Credit card is expired.' : undefined;
}

/** A try isn't even possible. */
async function fail(
  context: UnattendedContext,
  find: Find,
  { wanted, message }: { wanted: Unattended; message: string },
): Promise<boolean> {
  return asAccount(context.database, wanted.accountId, async (trx) => {
    if (!(await isStillWanted(trx, find, wanted))) return false;
    await giveBack(trx, {
      charge: {
        account_id: wanted.accountId,
        charge_type: wanted.chargeType,
        description: wanted.description,
        card_label: 'your card',
      },
      purchase: { what: wanted.what },
      message,
      publicUrl: context.publicUrl,
    });
    return true;
  });
}

/** Refills are on, and the account is one that buys credits: it may have changed since the request. */
const isRefilled = sql<boolean>`exists (
  select from auto_refills r join accounts a on a.account_id = r.account_id
  where r.account_id = refill_requests.account_id and r.is_enabled
    and a.type_id = ${accountTypes.credits} and a.status_id = 0)`;

/** A request of the ledger for more credits. One that is no longer wanted is deleted. */
export async function refillCredits(
  context: UnattendedContext,
  { accountId, requestId }: { accountId: number; requestId: number },
): Promise<boolean> {
  await asAccount(context.database, accountId, (trx) =>
    trx
      .deleteFrom('refill_requests')
      .where('account_id', '=', accountId)
      .where('auto_refill_request_id', '=', requestId)
      .where('state', '=', 'waiting')
      .where('charge_id', 'is', null)
      .where(sql<boolean>`not ${isRefilled}`)
      .execute(),
  );
  return chargeCardOnFile(context, accountId, async (trx) => {
    const request = await trx
      .selectFrom('refill_requests')
      .select(['number_of_credits', 'state', 'charge_id'])
      .where('account_id', '=', accountId)
      .where('auto_refill_request_id', '=', requestId)
      .where(isRefilled)
      .executeTakeFirst();
    if (request?.state !== 'waiting' || request.charge_id !== null) return undefined;
    const { PricingDetails } = await getPrices(trx, accountId, 'pay-as-you-go');
    const credits = request.number_of_credits;
    return {
      accountId,
      chargeType: 'AutoRefill' as const,
      lane: 'refill',
      what: {
        kind: 'refill' as const,
        credits,
        unitCost: findTier(PricingDetails, credits)?.Cost ?? 0,
        requestId,
      },
      description: `${credits.toLocaleString('en-US')} credits`,
      netCents: creditPriceCents(PricingDetails, credits) ?? 0,
    };
  });
}

/** The next month of a subscription: its planned size, and the add-ons owed. */
export async function renewSubscription(context: UnattendedContext, accountId: number): Promise<boolean> {
  const at = now();
  return chargeCardOnFile(context, accountId, async (trx) => {
    const plan = await getPlan(trx, accountId);
    const { subscription_cycle_end_at: startAt, subscription_cycle_start_at: before } = plan;
    if (plan.status_id !== 0 || plan.type_id !== 1 || startAt === null || startAt > at) return undefined;
    const people = plan.next_monthly_level ?? plan.monthly_level ?? 0;
    const { PricingDetails } = await getPrices(trx, accountId, 'monthly');
    // A planned change costs what its owner agreed to and the billing page shows, whatever the prices are by then.
    // A higher price that its owner has been notified about is a planned change too.
    const listed = monthlyFeeCents(PricingDetails, people) ?? plan.monthly_fee_cents ?? 0;
    const feeCents =
      plan.next_monthly_level === null
        ? Math.min(listed, plan.monthly_fee_cents ?? listed)
        : (plan.next_monthly_fee_cents ?? listed);
    const addOns = await getOwedAddOns(trx, accountId);
    const anchorDay = plan.anchor_day ?? dayOfMonth(before ?? startAt, plan.time_zone);
    return {
      accountId,
      chargeType: 'SubscriptionRenewal' as const,
      lane: 'renewal',
      what: {
        kind: 'renewal' as const,
        maxPeople: people,
        feeCents,
        startAt,
        endAt: addMonths(startAt, 1, anchorDay, plan.time_zone),
        addOnIds: addOns.ids,
        addOnCents: addOns.cents,
      },
      description: `Monthly plan for up to ${people.toLocaleString('en-US')} people`,
      netCents: feeCents + addOns.cents,
    };
  });
}

/** The next month of a number's unlimited conversations. */
export async function renewNumber(
  context: UnattendedContext,
  { accountId, textNumberId }: { accountId: number; textNumberId: number },
): Promise<boolean> {
  const at = now();
  return chargeCardOnFile(context, accountId, async (trx) => {
    const number = await trx
      .selectFrom('text_numbers')
      .select(['flat_rate_status', 'flat_rate_end_at', 'flat_rate_anchor_day', 'name', 'phone'])
      .select(['flat_rate_fee_cents', 'flat_rate_next_fee_cents'])
      .where('account_id', '=', accountId)
      .where('text_number_id', '=', textNumberId)
      .executeTakeFirst();
    const startAt = number?.flat_rate_end_at;
    if (number?.flat_rate_status !== 'Active' || startAt == null || startAt > at) return undefined;
    const { time_zone: zone } = await getPlan(trx, accountId);
    const listed = await getNumberFee(trx, accountId, 0);
    const agreed = number.flat_rate_next_fee_cents ?? number.flat_rate_fee_cents ?? listed;
    const feeCents = Math.min(listed, agreed);
    const anchorDay = number.flat_rate_anchor_day ?? dayOfMonth(startAt, zone);
    return {
      accountId,
      chargeType: 'FlatRateRenewal' as const,
      lane: `number:${textNumberId}`,
      what: {
        kind: 'number' as const,
        textNumberId,
        feeCents,
        startAt,
        endAt: addMonths(startAt, 1, anchorDay, zone),
        anchorDay,
      },
      description: `Unlimited conversations, ${number.name || number.phone}`,
      netCents: feeCents,
    };
  });
}
