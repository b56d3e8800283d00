import { formatCents } from '../../contract/money/cents.ts';
import { accountTypes, isStopped } from '../../contract/states/account-status.ts';
import { changePlan } from '../billing/change-plan.ts';
import { moveCredits } from '../billing/move-credits.ts';
import { earnDeferred, postMoney, subscriptionSubject } from '../billing/post-money.ts';
import { customPricingOf, getPrices, type PricingKind } from '../billing/queries.ts';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import { takePayment } from '../invoices/take-payment.ts';
import { type NewInvoice, writeInvoice } from '../invoices/write-invoice.ts';
import { enqueue } from '../jobs.ts';
import { endFlatRates, setFlatRate } from '../numbers/set-flat-rate.ts';
import { recordEvents } from '../record-events.ts';
import { mailOwners } from './mail-owners.ts';
import type { Charge } from './queries.ts';
import {
  numberGraceMs,
  numberSubject,
  type Purchase,
  renewalGraceMs,
  renewalRetryMs,
  type What,
} from './rules.ts';
import { keepCard } from './save-card.ts';

interface Paid {
  charge: Charge;
  purchase: Purchase;
  publicUrl: string;
}

/**
 * A payment succeeded: delivers the purchase, and writes the books and the receipt, in the transaction that
 * records it.
 */
export async function givePurchase(trx: Trx, paid: Paid): Promise<void> {
  const { charge, purchase } = paid;
  const { what } = purchase;
  const accountId = charge.account_id;
  const at = now();
  if (purchase.card !== undefined) await keepCard(trx, accountId, purchase.card, charge.user_id);
  if (what.kind === 'invoice') {
    await payInvoice(trx, paid, what.invoiceId, at);
    return;
  }
  const invoiceId = await writeReceipt(trx, paid, at);
  switch (what.kind) {
    case 'credits':
    case 'refill':
      await giveCredits(trx, charge, { credits: what.credits, invoiceId });
      await book(trx, charge, { at, lines: [{ book: 'credits', amountCents: -charge.amount_cents }] });
      if (what.kind === 'credits') await beginPaying(trx, accountId, at);
      else await endRequest(trx, accountId, what.requestId, { state: 'charged' });
      break;
    case 'subscription':
    case 'renewal':
      await giveMonth(trx, charge, what, at);
      break;
    case 'number':
      await earnDeferred(trx, { accountId, subject: numberSubject(what.textNumberId), keepCents: 0, at });
      await book(trx, charge, {
        at,
        lines: [
          { book: 'deferred', amountCents: -charge.amount_cents, subject: numberSubject(what.textNumberId) },
        ],
      });
      await setFlatRate(trx, accountId, what.textNumberId, {
        flat_rate_status: 'Active',
        flat_rate_end_at: what.endAt,
        flat_rate_anchor_day: what.anchorDay,
        flat_rate_fee_cents: what.feeCents,
        flat_rate_next_fee_cents: null,
      });
      break;
    case 'add-ons':
      await payAddOns(trx, accountId, what.addOnIds, charge.charge_id);
      await book(trx, charge, { at, lines: [{ book: 'revenue', amountCents: -charge.amount_cents }] });
      break;
  }
  await mailReceipt(trx, paid, invoiceId);
}

/** Cash and tax are the same for everything; the lines have the rest. */
async function book(
  trx: Trx,
  charge: Charge,
  { at, lines }: { at: Date; lines: Parameters<typeof postMoney>[1]['lines'] },
): Promise<void> {
  await postMoney(trx, {
    accountId: charge.account_id,
    chargeId: charge.charge_id,
    at,
    note: charge.description,
    lines: [
      { book: 'cash', amountCents: charge.total_cents },
      { book: 'tax', amountCents: -charge.tax_cents },
      ...lines,
    ],
  });
}

async function giveCredits(
  trx: Trx,
  charge: Charge,
  { credits, invoiceId }: { credits: number; invoiceId: number },
): Promise<void> {
  await moveCredits(trx, [
    {
      accountId: charge.account_id,
      kind: 'purchase',
      credits,
      note: charge.description,
      reference: { kind: 'invoice', ids: [invoiceId] },
      ...(charge.user_id === null ? {} : { userId: charge.user_id }),
    },
  ]);
}

/** An account that buys credits is no longer a trial, and works again if it had been canceled. */
async function beginPaying(trx: Trx, accountId: number, at: Date): Promise<void> {
  const { is_free_trial, status_id } = await trx
    .selectFrom('accounts')
    .select(['is_free_trial', 'status_id'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (!is_free_trial && status_id === 0) return;
  await changePlan(trx, accountId, {
    is_free_trial: false,
    ...(is_free_trial ? { free_trial_conversion: true } : {}),
    ...([2, 3, 4, 7, 8].includes(status_id)
      ? { status_id: 0, reactivation_at: at, subscription_end_at: null }
      : {}),
  });
}

async function giveMonth(
  trx: Trx,
  charge: Charge,
  what: Extract<What, { kind: 'subscription' | 'renewal' }>,
  at: Date,
): Promise<void> {
  const accountId = charge.account_id;
  await earnDeferred(trx, {
    accountId,
    subject: subscriptionSubject,
    keepCents: charge.partial_credit_cents,
    at,
  });
  await book(trx, charge, {
    at,
    lines: [
      {
        book: 'deferred',
        amountCents: -(charge.amount_cents - what.addOnCents),
        subject: subscriptionSubject,
      },
      { book: 'revenue', amountCents: -what.addOnCents },
    ],
  });
  await payAddOns(trx, accountId, what.addOnIds, charge.charge_id);
  await startMonth(trx, accountId, what, at);
  if (what.kind === 'renewal') await recordEvents(trx, { accountId }, [{ kind: 'subscription.renewed' }]);
}

/** The period begins: its size, its dates, and nobody reached in it yet. */
async function startMonth(
  trx: Trx,
  accountId: number,
  what: Extract<What, { kind: 'subscription' | 'renewal' }>,
  at: Date,
): Promise<void> {
  const before = await trx
    .selectFrom('accounts')
    .select(['is_free_trial', 'status_id', 'next_monthly_level'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const isNew = what.kind === 'subscription';
  // The operator may have stopped it while the payment was processed.
  const state = { AccountStatusID: before.status_id, SubscriptionEndDate: null };
  await changePlan(trx, accountId, {
    type_id: accountTypes.monthly,
    monthly_level: what.maxPeople,
    next_monthly_level: null,
    next_monthly_fee_cents: null,
    subscription_cycle_start_at: what.startAt,
    subscription_cycle_end_at: what.endAt,
    unique_call_count: 0,
    ...(isNew
      ? {
          ...(isStopped(state, at.getTime()) ? {} : { status_id: 0 }),
          subscription_end_at: null,
          is_free_trial: false,
          ...(before.is_free_trial ? { free_trial_conversion: true } : {}),
          ...(what.isReactivation ? { reactivation_at: at } : {}),
        }
      : {}),
  });
  await endFlatRates(trx, accountId);
  const running = {
    monthly_fee_cents: what.feeCents,
    failing_since: null,
    try_at: null,
    ...(isNew ? { anchor_day: what.anchorDay, canceled_at: null, cancel_reason: null } : {}),
  };
  if (isNew) {
    await trx
      .insertInto('subscriptions')
      .values({ account_id: accountId, ...running, anchor_day: what.anchorDay })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(running))
      .execute();
  } else {
    await trx.updateTable('subscriptions').set(running).where('account_id', '=', accountId).execute();
  }
}

async function payAddOns(trx: Trx, accountId: number, ids: number[], chargeId: number): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('add_on_charges')
    .set({ charge_id: chargeId })
    .where('account_id', '=', accountId)
    .where('add_on_charge_id', 'in', ids)
    .execute();
}

/** The invoice gets the amount due; if it was paid otherwise in the meantime, the rest is refunded. */
async function payInvoice(trx: Trx, { charge, publicUrl }: Paid, invoiceId: number, at: Date): Promise<void> {
  const taken = await takePayment(trx, {
    accountId: charge.account_id,
    invoiceId,
    amountCents: charge.total_cents,
    method: charge.card_label,
    at,
    chargeId: charge.charge_id,
    userId: charge.user_id ?? undefined,
    publicUrl,
  });
  const rest = charge.total_cents - taken;
  if (rest === 0) return;
  await postMoney(trx, {
    accountId: charge.account_id,
    chargeId: charge.charge_id,
    invoiceId,
    at,
    note: `Paid too much for invoice ${invoiceId}`,
    lines: [
      { book: 'cash', amountCents: rest },
      { book: 'deferred', amountCents: -rest, subject: `charge:${charge.charge_id}` },
    ],
  });
  await enqueue(trx, 'refund_charge', {
    accountId: charge.account_id,
    chargeId: charge.charge_id,
    amountCents: rest,
    beforeCents: charge.refunded_cents,
  });
}

/** A card purchase has an invoice too, paid from the start. */
async function writeReceipt(trx: Trx, { charge, purchase }: Paid, at: Date): Promise<number> {
  const { what } = purchase;
  const card = await trx
    .selectFrom('cards')
    .selectAll()
    .where('account_id', '=', charge.account_id)
    .executeTakeFirst();
  const { company_name } = await trx
    .selectFrom('accounts')
    .select('company_name')
    .where('account_id', '=', charge.account_id)
    .executeTakeFirstOrThrow();
  const billTo =
    card === undefined
      ? [company_name]
      : [
          company_name,
          `${card.first_name} ${card.last_name}`,
          card.address,
          `${card.city}, ${card.state} ${card.zip_code}`,
        ];
  const invoice: NewInvoice = {
    account_id: charge.account_id,
    user_id: charge.user_id,
    is_payg: what.kind === 'credits' || what.kind === 'refill',
    description: what.kind === 'refill' ? `${charge.description}, auto refill` : charge.description,
    ...figuresOf(charge, what),
    amount_cents: charge.amount_cents,
    partial_credit_cents: charge.partial_credit_cents,
    tax_cents: charge.tax_cents,
    tax_label: charge.tax_label,
    total_cents: charge.total_cents,
    paid_cents: charge.total_cents,
    paid_at: at,
    delivered_at: at,
    terms: 'Paid by card',
    custom_pricing: await findCustomPricing(trx, charge.account_id, what),
    bill_to: billTo,
    charge_id: charge.charge_id,
  };
  return writeInvoice(trx, invoice, at);
}

const pricingOf: Partial<Record<What['kind'], PricingKind>> = {
  ...{ credits: 'pay-as-you-go', refill: 'pay-as-you-go' },
  ...{ subscription: 'monthly', renewal: 'monthly', number: 'unlimited' },
};

async function findCustomPricing(trx: Trx, accountId: number, { kind }: What): Promise<string | null> {
  const pricing = pricingOf[kind];
  return pricing === undefined ? null : customPricingOf(await getPrices(trx, accountId, pricing));
}

function figuresOf(charge: Charge, what: What) {
  switch (what.kind) {
    case 'credits':
    case 'refill':
      return { number_of_credits: what.credits, quantity: what.credits, unit_cost: String(what.unitCost) };
    case 'subscription':
    case 'renewal':
      return {
        max_people: what.maxPeople,
        subscription_duration: 1,
        subscription_start_at: what.startAt,
        subscription_end_at: what.endAt,
        monthly_fee_cents: what.feeCents,
      };
    case 'number':
      return {
        subscription_start_at: what.startAt,
        subscription_end_at: what.endAt,
        monthly_fee_cents: what.feeCents,
        unit_cost: String(charge.amount_cents / 100),
      };
    default:
      return {};
  }
}

/** Ends a request for a refill, with or without success. */
async function endRequest(
  trx: Trx,
  accountId: number,
  requestId: number,
  set: { state: 'charged' | 'failed'; message?: string },
): Promise<void> {
  await trx
    .updateTable('refill_requests')
    .set(set)
    .where('account_id', '=', accountId)
    .where('auto_refill_request_id', '=', requestId)
    .execute();
}

/** A charge that failed, or one that could not even be tried. */
interface Failed {
  charge: Pick<Charge, 'account_id' | 'charge_type' | 'description' | 'card_label'>;
  purchase: Purchase;
  publicUrl: string;
  message: string;
}

/** No money arrived: anything that waited for it continues without. */
export async function giveBack(trx: Trx, failed: Failed): Promise<void> {
  const { charge, purchase, message } = failed;
  const { what } = purchase;
  const accountId = charge.account_id;
  const at = now();
  if (what.kind === 'refill') {
    await endRequest(trx, accountId, what.requestId, { state: 'failed', message });
    await mailOwners(trx, ownerOf(failed), {
      title: 'Your automatic refill failed',
      lines: [`We could not charge ${charge.card_label} for ${charge.description}: ${message}`],
    });
  }
  if (what.kind === 'renewal') await noteFailedRenewal(trx, failed, at);
  if (what.kind === 'number' && charge.charge_type === 'FlatRateRenewal') {
    const number = await trx
      .selectFrom('text_numbers')
      .select(['flat_rate_status', 'name'])
      .where('account_id', '=', accountId)
      .where('text_number_id', '=', what.textNumberId)
      .executeTakeFirst();
    if (number?.flat_rate_status !== 'Active') return;
    await earnDeferred(trx, { accountId, subject: numberSubject(what.textNumberId), keepCents: 0, at });
    await setFlatRate(trx, accountId, what.textNumberId, {
      flat_rate_status: 'BillingProblem',
      flat_rate_end_at: new Date(at.getTime() + numberGraceMs),
    });
    await mailOwners(trx, ownerOf(failed), {
      title: `Unlimited conversations of ${number.name} could not be renewed`,
      lines: [message, 'The number can text for another seven days. Pay on the billing page to keep it.'],
    });
  }
}

async function noteFailedRenewal(trx: Trx, failed: Failed, at: Date): Promise<void> {
  const { charge, message } = failed;
  const accountId = charge.account_id;
  const { failing_since } = await trx
    .selectFrom('subscriptions')
    .select('failing_since')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  // The previous month is over, whether or not another one is paid.
  await earnDeferred(trx, { accountId, subject: subscriptionSubject, keepCents: 0, at });
  const since = failing_since ?? at;
  const isOver = at.getTime() - since.getTime() >= renewalGraceMs;
  await trx
    .updateTable('subscriptions')
    .set({ failing_since: since, try_at: isOver ? null : new Date(at.getTime() + renewalRetryMs) })
    .where('account_id', '=', accountId)
    .execute();
  if (isOver) {
    const { end } = await trx
      .selectFrom('accounts')
      .select('subscription_cycle_end_at as end')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    await changePlan(trx, accountId, { status_id: 3, subscription_end_at: end });
    await recordEvents(trx, { accountId }, [{ kind: 'subscription.ended' }]);
  }
  await mailOwners(trx, ownerOf(failed), {
    title: isOver ? 'Your subscription has stopped' : 'Your subscription could not be renewed',
    lines: [
      `We could not charge ${charge.card_label}: ${message}`,
      isOver
        ? 'Your organization can’t send until you reactivate it on the billing page.'
        : 'We will try again tomorrow. Update your card on the billing page to be sure.',
    ],
  });
}

function ownerOf({ charge, publicUrl }: Pick<Failed, 'publicUrl'> & { charge: Pick<Charge, 'account_id'> }) {
  return { accountId: charge.account_id, publicUrl };
}

async function mailReceipt(trx: Trx, paid: Paid, invoiceId: number): Promise<void> {
  const { charge } = paid;
  await mailOwners(trx, ownerOf(paid), {
    title: `Receipt for ${formatCents(charge.total_cents)}`,
    lines: [
      `${charge.description}. Paid with ${charge.card_label}.`,
      `The receipt is invoice ${invoiceId} on your billing page.`,
    ],
  });
}
