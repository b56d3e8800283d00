import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { consentMessage, needsConsent } from '../../contract/forms/purchase.ts';
import type { ChargePreview, ChargeReply, chargeBody } from '../../contract/purchases.ts';
import { type SalesTaxError, salesTaxMessage } from '../../contract/reference/error-codes.ts';
import { refuseUnless } from '../access/refuse-unless.ts';
import { nowMs } from '../clock.ts';
import { asAccount, type Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { CardProcessor } from '../outside/card-processor.ts';
import type { SalesTax, TaxAddress, TaxQuote } from '../outside/sales-tax.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor, App } from '../serve.ts';
import { changeFromNextPeriod } from './change-subscription.ts';
import { type Charge, findCard, getCharge, toChargeReply } from './queries.ts';
import { type Reckoned, reckonCharge, type Wanted } from './reckon-charge.ts';
import { type CardToKeep, cardLabel, firstCheckMs, type Purchase } from './rules.ts';
import { type ChargeContext, resolveCharge, runCharge } from './run-charge.ts';
import {
  ensurePayer,
  readNewCard,
  refuseExpired,
  refuseUnlessBilling,
  requireProcessor,
} from './save-card.ts';
import { type NewCharge, refuseRepeat, refuseWhileRenewing, underWay, writeCharge } from './write-charge.ts';

type Body = z.output<typeof chargeBody>;

/** The outside services that purchases need. */
export interface Till {
  processor: CardProcessor | undefined;
  salesTax: SalesTax;
}

interface TypedAddress {
  BillingAddress1: string;
  BillingCity: string;
  BillingState: string;
  BillingZipCode: string;
}

/** The address for calculating the tax: the typed one, or that of the card on file. */
async function taxAddress(app: App, actor: Actor, typed: TypedAddress | undefined): Promise<TaxAddress> {
  const countryId = actor.account.CountryID;
  if (typed !== undefined)
    return {
      line1: typed.BillingAddress1,
      city: typed.BillingCity,
      state: typed.BillingState,
      postalCode: typed.BillingZipCode,
      countryId,
    };
  const card = await asAccount(app.database, actor.accountId, (trx) => findCard(trx, actor.accountId));
  return {
    line1: card?.address ?? '',
    city: card?.city ?? '',
    state: card?.state ?? '',
    postalCode: card?.zip_code ?? '',
    countryId,
  };
}

const noTax: TaxQuote = { taxCents: 0, label: '', quoteId: null };

async function quote(
  app: App,
  actor: Actor,
  { salesTax, reckoned, typed }: { salesTax: SalesTax; reckoned: Reckoned; typed: TypedAddress | undefined },
): Promise<TaxQuote | { error: SalesTaxError }> {
  if (!salesTax.isCharged || !reckoned.isTaxed || reckoned.netCents === 0) return noTax;
  return salesTax.quote(reckoned.netCents, await taxAddress(app, actor, typed));
}

/** The price of a purchase. Nothing is charged or saved. */
export async function previewCharge(
  app: App,
  actor: Actor,
  till: Till,
  body: Wanted & { CreditCard?: TypedAddress | undefined },
): Promise<ChargePreview> {
  const reckoned = await asAccount(app.database, actor.accountId, (trx) => reckonCharge(trx, actor, body));
  const tax = await quote(app, actor, { salesTax: till.salesTax, reckoned, typed: body.CreditCard });
  const taxCents = 'error' in tax ? 0 : tax.taxCents;
  return {
    ChargeType: reckoned.chargeType,
    Amount: reckoned.grossCents / 100,
    SalesTax: {
      Amount: taxCents / 100,
      ErrorCode: 'error' in tax ? tax.error : null,
      Label: 'error' in tax ? '' : tax.label,
    },
    SalesTaxCharged: taxCents > 0,
    TotalAmount: (reckoned.netCents + taxCents) / 100,
    SubscriptionEndDate: reckoned.subscriptionEndAt?.toISOString() ?? null,
    MaxPeople: reckoned.maxPeople,
    MonthlyFee: reckoned.monthlyFeeCents === null ? null : reckoned.monthlyFeeCents / 100,
    PartialCredit: reckoned.partialCreditCents / 100,
    MonthlyEnhancedAddOnChargesToPay: reckoned.addOnCents / 100,
    UnitCost: reckoned.unitCost,
    Description: reckoned.description,
  };
}

/** Buys something with a card. The same key is the same purchase, however often it is sent. */
export async function createCharge(
  app: App,
  actor: Actor,
  till: Till,
  { body, key }: { body: Body; key?: string | undefined },
): Promise<ChargeReply> {
  const request =
    key === undefined
      ? undefined
      : {
          key: `${actor.userId}:${key}`,
          hash: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
        };
  const made =
    request &&
    (await asAccount(app.database, actor.accountId, (trx) => findMade(trx, actor.accountId, request)));
  if (made !== undefined) return replyAgain(app, actor, till, made);
  if (body.PaidByCC === false) throw refuseField('PaidByCC', 'Only payments by card can be made here.');
  const reckoned = await asAccount(app.database, actor.accountId, (trx) => reckonCharge(trx, actor, body));
  if (needsConsent(reckoned.mode) && !body.ConsentText?.trim())
    throw refuseField('ConsentText', consentMessage);
  if (reckoned.isFree) return changeFree(app, actor, reckoned);
  const processor = requireProcessor(till.processor);
  const typed = body.CreditCard;
  if (typed !== undefined) {
    // An admin may use the card on file, but not add one.
    refuseUnless(actor, 'manageCard');
    refuseUnlessBilling(actor, typed, 'CreditCard.');
  }
  const tax = await quote(app, actor, { salesTax: till.salesTax, reckoned, typed });
  if ('error' in tax) throw taxRefusal(tax.error, typed === undefined);
  const totalCents = reckoned.netCents + tax.taxCents;
  if (body.TotalAmount !== undefined && Math.round(body.TotalAmount * 100) !== totalCents)
    throw new Refusal('conflict', priceChanged, { extendedData: { TotalAmount: totalCents / 100 } });
  const card = await chooseCard(app, actor, processor, body);
  const isRecurring = needsConsent(reckoned.mode);
  const purchase: Purchase = {
    what: reckoned.what,
    ...(card.isNew && (body.SaveCard || isRecurring) ? { card: card.card } : {}),
    ...(body.ConsentText ? { consentText: body.ConsentText } : {}),
  };
  const context = { database: app.database, processor, publicUrl: app.config.PUBLIC_URL };
  const isSame = async (trx: Trx) => (await reckonCharge(trx, actor, body)).basis === reckoned.basis;
  const { charge, isNew } = await claimCharge(context, isSame, {
    accountId: actor.accountId,
    chargeType: reckoned.chargeType,
    lane: 'person',
    purchase,
    description: reckoned.description,
    netCents: reckoned.netCents,
    partialCreditCents: reckoned.partialCreditCents,
    tax,
    paymentMethodId: card.card.paymentMethodId,
    cardLabel: cardLabel(card.card),
    isAttended: true,
    userId: actor.userId,
    request,
  });
  // The same request reached the server twice at once, and the other one came first.
  if (!isNew) return replyAgain(app, actor, till, charge);
  const ran = await runCharge(context, charge, { cvnToken: body.CVNToken });
  return replyTo(app, actor, ran.charge, ran.clientSecret);
}

async function findMade(
  trx: Trx,
  accountId: number,
  request: { key: string; hash: string },
): Promise<Charge | undefined> {
  const row = await trx
    .selectFrom('charges')
    .select(['charge_id', 'request_hash'])
    .where('account_id', '=', accountId)
    .where('request_key', '=', request.key)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.request_hash !== request.hash) throw new Refusal('keyReused');
  return getCharge(trx, accountId, row.charge_id);
}

/** The same request again: returns the result of the first. If it is unknown yet, the processor is asked. */
async function replyAgain(app: App, actor: Actor, till: Till, charge: Charge): Promise<ChargeReply> {
  const { charge: current, clientSecret } = await lookAgain(app, till, charge);
  return replyTo(app, actor, current, clientSecret);
}

/** Asks the processor about a charge without a result yet, without ending anything. */
export async function lookAgain(
  app: App,
  { processor }: Till,
  charge: Charge,
): Promise<{ charge: Charge; clientSecret: string }> {
  if (
    processor === undefined ||
    charge.payment_id === null ||
    charge.state === 'paid' ||
    charge.state === 'failed'
  )
    return { charge, clientSecret: '' };
  const context = { database: app.database, processor, publicUrl: app.config.PUBLIC_URL };
  try {
    await resolveCharge(context, charge, false);
    const payment = await processor.readPayment(charge.payment_id);
    const current = await asAccount(app.database, charge.account_id, (trx) =>
      getCharge(trx, charge.account_id, charge.charge_id),
    );
    return { charge: current, clientSecret: payment.clientSecret };
  } catch {
    // No response: the saved state is all we have.
    return { charge, clientSecret: '' };
  }
}

async function replyTo(app: App, actor: Actor, charge: Charge, clientSecret: string): Promise<ChargeReply> {
  if (charge.state === 'failed')
    throw new Refusal('cardRefused', charge.failure_message ?? undefined, {
      extendedData: { isCcError: true, ChargeID: charge.charge_id, Code: charge.failure_code },
    });
  return asAccount(app.database, actor.accountId, (trx) => toChargeReply(trx, charge, clientSecret));
}

function taxRefusal(error: SalesTaxError, hasMaskedCard: boolean): Refusal {
  const message =
    salesTaxMessage(error, { hasMaskedCard }) ?? salesTaxMessage(error, { hasMaskedCard: false });
  return new Refusal('salesTax', message, { extendedData: { SalesTaxError: error } });
}

/** A smaller group, or an undone cancellation: nothing is charged, and there is no charge. */
async function changeFree(app: App, actor: Actor, reckoned: Reckoned): Promise<ChargeReply> {
  await asAccount(app.database, actor.accountId, async (trx) => {
    const changes = await changeFromNextPeriod(trx, actor.accountId, reckoned);
    await recordEvents(trx, actor, [{ kind: 'account.planChanged', changes }]);
    await notify(trx, actor.accountId, [{ type: 'billing.changed' }, { type: 'settings.changed' }]);
  });
  return {
    ChargeID: 0,
    ChargeType: reckoned.chargeType,
    Status: 'Paid',
    Amount: 0,
    SalesTax: 0,
    TotalAmount: 0,
    InvoiceID: null,
    ClientSecret: null,
    Message: null,
  };
}

async function chooseCard(
  app: App,
  actor: Actor,
  processor: CardProcessor,
  body: Body,
): Promise<
  | { card: Pick<CardToKeep, 'paymentMethodId' | 'brand' | 'lastFour'>; isNew: false }
  | { card: CardToKeep; isNew: true }
> {
  if (body.CreditCard !== undefined) {
    const card = await readNewCard(app, actor, processor, body.CreditCard);
    refuseExpired(card);
    return { card, isNew: true };
  }
  const row = await asAccount(app.database, actor.accountId, (trx) => findCard(trx, actor.accountId));
  if (row === undefined) throw new Refusal('refused', 'There is no card on file. Enter one.');
  refuseExpired({ expiresMonth: row.expires_month, expiresYear: row.expires_year });
  await ensurePayer(app, actor, processor);
  return {
    card: { paymentMethodId: row.payment_method_id, brand: row.brand, lastFour: row.last_four },
    isNew: false,
  };
}

const priceChanged = 'The price has changed. Nothing was charged. Look at the new price and try again.';

/**
 * Writes the row, if no other purchase by a user is in progress in this account. One that is waiting for the
 * bank's authentication is canceled for the new one.
 */
async function claimCharge(
  context: ChargeContext,
  isSame: (trx: Trx) => Promise<boolean>,
  charge: NewCharge,
): Promise<{ charge: Charge; isNew: boolean }> {
  for (let attempt = 0; attempt < 2; attempt++) {
    const { written, made, inTheWay } = await asAccount(context.database, charge.accountId, async (trx) => {
      await trx
        .selectFrom('accounts')
        .select('account_id')
        .where('account_id', '=', charge.accountId)
        .forNoKeyUpdate()
        .execute();
      const made = charge.request && (await findMade(trx, charge.accountId, charge.request));
      if (made !== undefined) return { made };
      await refuseRepeat(trx, charge);
      await refuseWhileRenewing(trx, charge);
      // Another payment was made, or a month began, since the price was calculated.
      if (!(await isSame(trx))) throw new Refusal('conflict', priceChanged);
      const written = await writeCharge(trx, charge);
      const other =
        written === undefined
          ? await trx
              .selectFrom('charges')
              .selectAll()
              .where('account_id', '=', charge.accountId)
              .where('lane', '=', charge.lane)
              .where('state', 'in', ['open', 'action'])
              .executeTakeFirst()
          : undefined;
      return { written, inTheWay: other as Charge | undefined };
    });
    if (made !== undefined) return { charge: made, isNew: false };
    if (written !== undefined) return { charge: written, isNew: true };
    if (inTheWay === undefined) continue;
    const isOld = inTheWay.created_at.getTime() + firstCheckMs <= nowMs();
    if (inTheWay.state === 'open' && !isOld) break;
    await resolveCharge(context, inTheWay, true).catch(() => undefined);
  }
  throw new Refusal('conflict', underWay);
}
