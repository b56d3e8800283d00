import { sql } from 'kysely';
import type { z } from 'zod';
import { Refusal, refuseField } from '../../contract/errors.ts';
import type { PurchaseMode } from '../../contract/forms/purchase.ts';
import { creditPriceCents, findTier, maxPeopleOf, monthlyFeeCents } from '../../contract/money/pricing.ts';
import type { ChargePreview, chargeBody } from '../../contract/purchases.ts';
import { accountTypes, isMonthly, isStopped, mayReactivate } from '../../contract/states/account-status.ts';
import {
  includedInPlan,
  unlimitedConversationsOffer,
} from '../../contract/states/unlimited-conversations.ts';
import { refuseUnless } from '../access/refuse-unless.ts';
import { addMonths, dayOfMonth } from '../billing/add-months.ts';
import { getPrices } from '../billing/queries.ts';
import { now, nowMs } from '../clock.ts';
import type { Trx } from '../db.ts';
import { getTextNumber } from '../numbers/queries.ts';
import type { Actor } from '../serve.ts';
import { unusedCents, type What } from './rules.ts';

type ChargeKind = ChargePreview['ChargeType'];

/** A requested purchase, in the format of the calls. */
export type Wanted = Pick<
  z.output<typeof chargeBody>,
  'ChargeType' | 'NumberOfCredits' | 'MaxPeople' | 'TextNumberID' | 'InvoiceID' | 'Amount'
>;

/** A purchase with its price, before tax. */
export interface Reckoned {
  chargeType: ChargeKind;
  mode: PurchaseMode;
  what: What;
  description: string;
  /** Before the partial credit, without the add-ons owed. */
  grossCents: number;
  partialCreditCents: number;
  addOnCents: number;
  /** The amount to charge, before tax. */
  netCents: number;
  /** An invoice already includes its tax. */
  isTaxed: boolean;
  unitCost: number | null;
  subscriptionEndAt: Date | null;
  maxPeople: number | null;
  monthlyFeeCents: number | null;
  /** A smaller group from the next period on, or an undone cancellation: nothing is charged. */
  isFree: boolean;
  /** The inputs of the price. If they differ when the charge is written, the price may differ too. */
  basis: string;
}

const nothing = {
  partialCreditCents: 0,
  addOnCents: 0,
  isTaxed: true,
  unitCost: null,
  subscriptionEndAt: null,
  maxPeople: null,
  monthlyFeeCents: null,
  isFree: false,
  basis: '',
} as const;

/** Calculates the price of a purchase, and refuses users who may not make it. */
export async function reckonCharge(trx: Trx, actor: Actor, wanted: Wanted): Promise<Reckoned> {
  const type = wanted.ChargeType ?? (wanted.InvoiceID === undefined ? undefined : 'InvoicePayment');
  switch (type) {
    case 'CreditPurchase':
      return reckonCredits(trx, actor, wanted);
    case 'SubscriptionUpgrade':
      return reckonSubscription(trx, actor, wanted);
    case 'AddFlatRate':
      return reckonFlatRate(trx, actor, wanted);
    case 'MonthlyAddOnCharges':
      return reckonAddOns(trx, actor);
    case 'InvoicePayment':
      return reckonInvoicePayment(trx, actor, wanted);
    default:
      throw refuseField('ChargeType', 'ChargeType is missing');
  }
}

async function reckonCredits(trx: Trx, actor: Actor, wanted: Wanted): Promise<Reckoned> {
  // A canceled account is reactivated by buying; its owner may do that.
  refuseUnless(actor, 'buyCredits');
  if (isStopped(stateOf(await getPlan(trx, actor.accountId)), nowMs()))
    throw new Refusal('refused', 'This account can’t buy credits. Please contact us.');
  const credits = wanted.NumberOfCredits;
  if (credits === undefined) throw refuseField('NumberOfCredits', 'NumberOfCredits is missing');
  const { PricingDetails } = await getPrices(trx, actor.accountId, 'pay-as-you-go');
  const grossCents = creditPriceCents(PricingDetails, credits) ?? 0;
  const unitCost = findTier(PricingDetails, credits)?.Cost ?? 0;
  return {
    ...nothing,
    chargeType: 'CreditPurchase',
    mode: 'credits',
    what: { kind: 'credits', credits, unitCost },
    description: `${credits.toLocaleString('en-US')} credits`,
    grossCents,
    netCents: grossCents,
    unitCost,
  };
}

export function getPlan(trx: Trx, accountId: number) {
  return trx
    .selectFrom('accounts')
    .leftJoin('subscriptions', 'subscriptions.account_id', 'accounts.account_id')
    .select([
      'type_id',
      'status_id',
      'is_free_trial',
      'monthly_level',
      'next_monthly_level',
      'next_monthly_fee_cents',
      'subscription_end_at',
      'subscription_cycle_start_at',
      'subscription_cycle_end_at',
      'partial_credits_enabled',
      'time_zone',
      'anchor_day',
      'monthly_fee_cents',
    ])
    .where('accounts.account_id', '=', accountId)
    .executeTakeFirstOrThrow();
}

function stateOf(plan: { status_id: number; subscription_end_at: Date | null }) {
  return {
    AccountStatusID: plan.status_id,
    SubscriptionEndDate: plan.subscription_end_at?.toISOString() ?? null,
  };
}

/** Unpaid charges for picture broadcasts beyond the monthly fee. */
export async function getOwedAddOns(trx: Trx, accountId: number): Promise<{ ids: number[]; cents: number }> {
  const rows = await trx
    .selectFrom('add_on_charges')
    .select(['add_on_charge_id', 'amount_cents'])
    .where('account_id', '=', accountId)
    .where('charge_id', 'is', null)
    .orderBy('add_on_charge_id')
    .execute();
  return {
    ids: rows.map((row) => row.add_on_charge_id),
    cents: rows.reduce((sum, row) => sum + row.amount_cents, 0),
  };
}

async function reckonSubscription(trx: Trx, actor: Actor, wanted: Wanted): Promise<Reckoned> {
  refuseUnless(actor, 'subscribe');
  if (wanted.MaxPeople === undefined) throw refuseField('MaxPeople', 'MaxPeople is missing');
  const at = now();
  const plan = await getPlan(trx, actor.accountId);
  if (plan.type_id === accountTypes.invoicedCredits || plan.type_id === accountTypes.invoicedMonthly)
    throw new Refusal('refused', 'This account pays by invoice. Contact us for a new invoice.');
  const { PricingDetails } = await getPrices(trx, actor.accountId, 'monthly');
  const fee = monthlyFeeCents(PricingDetails, wanted.MaxPeople);
  const maxPeople = maxPeopleOf(PricingDetails, wanted.MaxPeople);
  if (fee === undefined || maxPeople === undefined)
    throw refuseField('MaxPeople', 'Contact us for a group of this size.');
  const state = stateOf(plan);
  if (isStopped(state, at.getTime()))
    throw new Refusal('refused', 'This account can’t buy a subscription. Please contact us.');
  const isReactivation = mayReactivate(state, at.getTime());
  const isRunning = plan.type_id === accountTypes.monthly && !plan.is_free_trial && !isReactivation;
  const level = isRunning ? (plan.monthly_level ?? 0) : 0;
  const base = {
    ...nothing,
    chargeType: 'SubscriptionUpgrade' as const,
    mode: 'monthly subscription' as const,
    maxPeople,
    monthlyFeeCents: fee,
    description: `Monthly plan for up to ${maxPeople.toLocaleString('en-US')} people`,
  };
  const addOns = await getOwedAddOns(trx, actor.accountId);
  const basis = JSON.stringify([plan, addOns]);
  const { subscription_cycle_start_at: cycleStart, subscription_cycle_end_at: cycleEnd } = plan;
  if (isRunning && maxPeople <= level && cycleStart !== null && cycleEnd !== null) {
    // Smaller, or the same: from the next period on.
    const anchorDay = plan.anchor_day ?? dayOfMonth(cycleStart, plan.time_zone);
    return {
      ...base,
      what: {
        kind: 'subscription',
        maxPeople,
        feeCents: fee,
        startAt: cycleEnd,
        endAt: addMonths(cycleEnd, 1, anchorDay, plan.time_zone),
        anchorDay,
        addOnIds: [],
        addOnCents: 0,
        isReactivation: false,
      },
      grossCents: 0,
      netCents: 0,
      subscriptionEndAt: cycleEnd,
      isFree: true,
    };
  }
  const partialCreditCents =
    isRunning && plan.partial_credits_enabled && cycleStart !== null && cycleEnd !== null
      ? unusedCents(
          Math.max(0, (plan.monthly_fee_cents ?? 0) - (await getRefundedOfMonth(trx, actor.accountId))),
          cycleStart,
          cycleEnd,
          at,
        )
      : 0;
  const anchorDay = dayOfMonth(at, plan.time_zone);
  const endAt = addMonths(at, 1, anchorDay, plan.time_zone);
  const credit = Math.min(partialCreditCents, fee);
  return {
    ...base,
    what: {
      kind: 'subscription',
      maxPeople,
      feeCents: fee,
      startAt: at,
      endAt,
      anchorDay,
      addOnIds: addOns.ids,
      addOnCents: addOns.cents,
      isReactivation,
    },
    grossCents: fee,
    partialCreditCents: credit,
    addOnCents: addOns.cents,
    netCents: fee - credit + addOns.cents,
    subscriptionEndAt: endAt,
    basis,
  };
}

/** The refunded part of the payment for the current month, without tax: it doesn't count toward the next. */
async function getRefundedOfMonth(trx: Trx, accountId: number): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(r.amount_cents - r.tax_cents), 0)::bigint as cents from refunds r
    where r.account_id = ${accountId} and r.charge_id = (
      select charge_id from charges where account_id = ${accountId} and state = 'paid'
        and charge_type in ('SubscriptionUpgrade', 'SubscriptionRenewal')
      order by created_at desc limit 1)`.execute(trx);
  return rows[0]?.cents ?? 0;
}

async function reckonFlatRate(trx: Trx, actor: Actor, wanted: Wanted): Promise<Reckoned> {
  refuseUnless(actor, 'manageUnlimitedConversations');
  if (isMonthly(actor.account)) throw new Refusal('refused', includedInPlan);
  if (wanted.TextNumberID === undefined) throw refuseField('TextNumberID', 'TextNumberID is missing');
  const number = await getTextNumber(trx, actor, wanted.TextNumberID);
  const status = number.FlatRateConversationStatus;
  if (status === 'Active' || status === 'CancelPending')
    throw new Refusal('refused', 'This number has unlimited conversations already.');
  if (unlimitedConversationsOffer(number, actor.account) === 'Register Now')
    throw new Refusal('refused', 'Register this number before you enable unlimited conversations.');
  const at = now();
  const plan = await getPlan(trx, actor.accountId);
  if (isStopped(stateOf(plan), at.getTime()))
    throw new Refusal('refused', 'This account can’t enable unlimited conversations. Please contact us.');
  if (mayReactivate(stateOf(plan), at.getTime()))
    throw new Refusal('refused', 'Reactivate your account before you enable unlimited conversations.');
  const { time_zone: zone } = plan;
  const feeCents = await getNumberFee(trx, actor.accountId, 1);
  const anchorDay = dayOfMonth(at, zone);
  const endAt = addMonths(at, 1, anchorDay, zone);
  return {
    ...nothing,
    chargeType: 'AddFlatRate',
    mode: 'flat-rate text number',
    what: { kind: 'number', textNumberId: wanted.TextNumberID, feeCents, startAt: at, endAt, anchorDay },
    description: `Unlimited conversations, ${number.Name || number.TextPhoneNumber}`,
    grossCents: feeCents,
    netCents: feeCents,
    unitCost: feeCents / 100,
    subscriptionEndAt: endAt,
    monthlyFeeCents: feeCents,
    basis: JSON.stringify([status, feeCents]),
  };
}

/** One number's monthly price, if this many more than now have unlimited conversations. */
export async function getNumberFee(trx: Trx, accountId: number, more: number): Promise<number> {
  const { PricingDetails } = await getPrices(trx, accountId, 'unlimited');
  const { count } = await trx
    .selectFrom('text_numbers')
    .select((from) => from.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('released_at', 'is', null)
    .where('flat_rate_status', 'is not', null)
    .executeTakeFirstOrThrow();
  const tier = findTier(PricingDetails, Math.max(1, count + more));
  return Math.round((tier?.Cost ?? 0) * 100);
}

async function reckonAddOns(trx: Trx, actor: Actor): Promise<Reckoned> {
  refuseUnless(actor, 'manageCard');
  const { ids, cents } = await getOwedAddOns(trx, actor.accountId);
  if (cents === 0) throw new Refusal('refused', 'There are no add-on charges to pay.');
  return {
    ...nothing,
    chargeType: 'MonthlyAddOnCharges',
    mode: 'monthly add-on charges',
    what: { kind: 'add-ons', addOnIds: ids, addOnCents: cents },
    description: 'Monthly enhanced text add-on charges',
    grossCents: 0,
    addOnCents: cents,
    netCents: cents,
    basis: JSON.stringify(ids),
  };
}

async function reckonInvoicePayment(trx: Trx, actor: Actor, wanted: Wanted): Promise<Reckoned> {
  refuseUnless(actor, 'payInvoices');
  if (wanted.InvoiceID === undefined) throw refuseField('InvoiceID', 'InvoiceID is missing');
  const invoice = await trx
    .selectFrom('invoices')
    .select(['total_cents', 'paid_cents', 'voided_at'])
    .where('account_id', '=', actor.accountId)
    .where('invoice_id', '=', wanted.InvoiceID)
    .executeTakeFirst();
  if (invoice === undefined) throw new Refusal('notFound');
  if (invoice.voided_at !== null) throw new Refusal('refused', 'This invoice was voided.');
  const due = invoice.total_cents - invoice.paid_cents;
  if (due === 0) throw new Refusal('refused', 'This invoice is paid already.');
  const amountCents = wanted.Amount === undefined ? due : Math.round(wanted.Amount * 100);
  if (amountCents < 1) throw refuseField('Amount', 'Amount is Too Small');
  if (amountCents > due) throw refuseField('Amount', 'Amount is Too Big');
  return {
    ...nothing,
    chargeType: 'InvoicePayment',
    mode: 'pay invoice',
    what: { kind: 'invoice', invoiceId: wanted.InvoiceID },
    description: `Invoice ${wanted.InvoiceID}`,
    grossCents: amountCents,
    netCents: amountCents,
    isTaxed: false,
  };
}
