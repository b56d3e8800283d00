import { lockCredits } from '../billing/lock-credits.ts';
import { moveCredits } from '../billing/move-credits.ts';
import { postMoney, splitEarned, subscriptionSubject } from '../billing/post-money.ts';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import { earnMonths } from '../invoices/earn-months.ts';
import { mailInvoice } from '../invoices/mail-invoice.ts';
import { refundPayment, refundWords } from '../invoices/refund-payment.ts';
import { enqueue } from '../jobs.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import type { Charge } from './queries.ts';
import { numberSubject, purchaseShape, type What } from './rules.ts';

/**
 * The processor refunded a payment, in any way: the books follow. Credits are removed in proportion, as far
 * as they are free; spent ones stay spent, and the refund records how many were missing. The caller locks the
 * rows of the account and of the charge.
 */
export async function applyRefund(
  trx: Trx,
  charge: Charge,
  { amountCents, publicUrl }: { amountCents: number; publicUrl: string },
): Promise<void> {
  const accountId = charge.account_id;
  const at = now();
  const { what } = purchaseShape.parse(charge.purchase);
  const before = charge.refunded_cents;
  const part = (whole: number, paid: number) =>
    charge.total_cents === 0 ? 0 : Math.floor((whole * paid) / charge.total_cents);
  const ofInvoice =
    what.kind === 'invoice'
      ? await refundPayment(trx, {
          ...{ accountId, invoiceId: what.invoiceId, chargeId: charge.charge_id, amountCents },
          ...{ method: charge.card_label, at, publicUrl },
        })
      : undefined;
  const taxCents =
    ofInvoice?.taxCents ?? part(charge.tax_cents, before + amountCents) - part(charge.tax_cents, before);
  const bought = what.kind === 'credits' || what.kind === 'refill' ? what.credits : 0;
  const wanted = part(bought, before + amountCents) - part(bought, before);
  const free = (await lockCredits(trx, [accountId])).get(accountId) ?? 0;
  const credits = Math.min(wanted, free);
  const { refund_id } = await trx
    .insertInto('refunds')
    .values({
      account_id: accountId,
      charge_id: charge.charge_id,
      amount_cents: amountCents,
      tax_cents: taxCents,
      credits: ofInvoice?.credits ?? credits,
      credits_short: ofInvoice?.creditsShort ?? wanted - credits,
      created_at: at,
    })
    .returning('refund_id')
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('charges')
    .set({ refunded_cents: before + amountCents })
    .where('account_id', '=', accountId)
    .where('charge_id', '=', charge.charge_id)
    .execute();
  if (credits > 0)
    await moveCredits(trx, [
      {
        accountId,
        kind: 'refund',
        credits,
        note: `Refund of ${charge.description}`,
        reference: { kind: 'refund', ids: [refund_id] },
      },
    ]);
  await postMoney(trx, {
    accountId,
    chargeId: charge.charge_id,
    at,
    note: `Refund of ${charge.description}`,
    lines: [
      { book: 'cash', amountCents: -amountCents },
      { book: 'tax', amountCents: taxCents },
      ...(await splitEarned(trx, accountId, ofInvoice?.lines ?? linesOf(what, amountCents - taxCents, at))),
    ],
  });
  // Less was earned for the months that are over.
  if (what.kind === 'invoice') await earnMonths(trx, { accountId, invoiceId: what.invoiceId, at });
  if (ofInvoice === undefined)
    await mailRefund(trx, charge, publicUrl, {
      ...{ amountCents, method: charge.card_label, credits, creditsShort: wanted - credits },
    });
  if (charge.tax_quote_id !== null) await enqueue(trx, 'reverse_tax', { accountId, refundId: refund_id });
  else if (ofInvoice?.isTaxTold && ofInvoice.paidCents > 0)
    await enqueue(trx, 'reverse_tax', {
      ...{ accountId, refundId: refund_id, ofInvoiceCents: ofInvoice.paidCents },
    });
  await recordEvents(trx, { accountId }, [
    { kind: 'charge.refunded', id: charge.charge_id, changes: { amountCents, credits } },
  ]);
  await notify(trx, accountId, [{ type: 'billing.changed' }, { type: 'credits.changed' }]);
}

/**
 * The cardholder's bank returned a refund, so the processor holds its money again and we owe it to the
 * cardholder. A negative amount: it was refunded once more.
 */
export async function returnRefund(trx: Trx, charge: Charge, amountCents: number): Promise<void> {
  const accountId = charge.account_id;
  await trx
    .updateTable('charges')
    .set({ returned_cents: charge.returned_cents + amountCents })
    .where('account_id', '=', accountId)
    .where('charge_id', '=', charge.charge_id)
    .execute();
  await postMoney(trx, {
    accountId,
    chargeId: charge.charge_id,
    at: now(),
    note: amountCents > 0 ? 'Refund that came back' : 'Refund that came back, refunded again',
    lines: [
      { book: 'cash', amountCents },
      { book: 'deferred', amountCents: -amountCents, subject: `charge:${charge.charge_id}` },
    ],
  });
}

/** The receipt shows it from now on, and the payer gets a mail. */
async function mailRefund(
  trx: Trx,
  charge: Charge,
  publicUrl: string,
  refund: Parameters<typeof refundWords>[0],
): Promise<void> {
  const receipt = await trx
    .selectFrom('invoices')
    .select('invoice_id')
    .where('account_id', '=', charge.account_id)
    .where('charge_id', '=', charge.charge_id)
    .executeTakeFirst();
  if (receipt === undefined) return;
  await mailInvoice(trx, {
    ...{ accountId: charge.account_id, invoiceId: receipt.invoice_id, kind: 'Refunded', publicUrl },
    more: refundWords(refund),
  });
}

/** The account that the refund is taken from: what was owed for it, or what was earned. */
function linesOf(what: What, amountCents: number, at: Date): Parameters<typeof postMoney>[1]['lines'] {
  switch (what.kind) {
    case 'credits':
    case 'refill':
      return [{ book: 'credits', amountCents }];
    case 'subscription':
    case 'renewal':
    case 'number': {
      // A month that is over was earned. Any amount still owed then was paid for another one.
      if (what.endAt <= at) return [{ book: 'revenue', amountCents }];
      const subject = what.kind === 'number' ? numberSubject(what.textNumberId) : subscriptionSubject;
      return [{ book: 'deferred', amountCents, subject }];
    }
    case 'invoice':
      throw new Error('the invoice says where its money goes back from');
    case 'add-ons':
      return [{ book: 'revenue', amountCents }];
  }
}
