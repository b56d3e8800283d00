import { cardErrorMessage } from '../../contract/reference/error-codes.ts';
import { now } from '../clock.ts';
import { asAccount, type Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { notify } from '../notify.ts';
import type { Payment } from '../outside/card-processor.ts';
import { recordEvents } from '../record-events.ts';
import { applyRefund, returnRefund } from './apply-refund.ts';
import { giveBack, givePurchase } from './give-purchase.ts';
import type { Charge } from './queries.ts';
import { actionMs, purchaseShape } from './rules.ts';
import type { ChargeContext } from './run-charge.ts';

/** The state of a charge. Money has moved in `paid` only; `open` means unknown. */
export type ChargeState = Charge['state'];

/** The refunds in the books, without those that came back. */
const bookedRefunds = (charge: Charge) => charge.refunded_cents - charge.returned_cents;

/** Books refunds until the books have as many as the processor. */
async function followRefunds(
  trx: Trx,
  charge: Charge,
  refundedCents: number,
  publicUrl: string,
): Promise<void> {
  const booked = bookedRefunds(charge);
  if (refundedCents < booked) await returnRefund(trx, charge, booked - refundedCents);
  // A returned refund is refunded again first: its credits were removed the first time.
  const again = Math.min(Math.max(0, refundedCents - booked), charge.returned_cents);
  if (again > 0) await returnRefund(trx, charge, -again);
  const amountCents = refundedCents - booked - again;
  if (amountCents > 0) await applyRefund(trx, charge, { amountCents, publicUrl });
}

const notConfirmed = 'The payment was not confirmed in time, so nothing was charged.';
const bankMustBeAsked =
  'Your bank wants you to confirm this payment. Sign in, open the billing page and pay there.';

interface ChargeId {
  accountId: number;
  chargeId: number;
}

/**
 * Applies the processor's status of a payment. The reply or a webhook does it, whichever comes first; the
 * state in the row, changed in the same transaction as everything that the money buys, makes sure that it is
 * done once.
 *
 * If the books have more refunds than the payment, either a refund came back, or another process booked a later
 * refund after this payment was read. So the payment is read again: a reading from after the last booking is
 * right.
 */
export async function settleCharge(
  context: ChargeContext,
  of: ChargeId,
  payment: Payment,
): Promise<ChargeState> {
  let said = { payment, bookedBefore: -1 };
  for (;;) {
    const settled = await settleOnce(context, of, said);
    if (typeof settled === 'string') return settled;
    said = { payment: await context.processor.readPayment(payment.paymentId), bookedBefore: settled.booked };
  }
}

/** `bookedBefore`: the refunds that were booked when the payment was read. Answers with those of now if it may be older. */
async function settleOnce(
  context: ChargeContext,
  { accountId, chargeId }: ChargeId,
  { payment, bookedBefore }: { payment: Payment; bookedBefore: number },
): Promise<ChargeState | { booked: number }> {
  return asAccount(context.database, accountId, async (trx) => {
    // The account first, like everybody who moves credits.
    await trx
      .selectFrom('accounts')
      .select('account_id')
      .where('account_id', '=', accountId)
      .forNoKeyUpdate()
      .execute();
    const charge = await trx
      .selectFrom('charges')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('charge_id', '=', chargeId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const set = (
      values: Partial<Pick<Charge, 'state' | 'failure_code' | 'failure_message' | 'check_at' | 'settled_at'>>,
    ) =>
      trx
        .updateTable('charges')
        .set(values)
        .where('account_id', '=', accountId)
        .where('charge_id', '=', chargeId)
        .execute();
    const isSettled = charge.state === 'paid' || charge.state === 'failed';
    if (payment.state === 'paid') {
      if (charge.state === 'failed') {
        // We had given it up, and the processor charged it after all: it is refunded.
        const amountCents = payment.amountCents - payment.refundedCents;
        if (amountCents > 0)
          await enqueue(trx, 'refund_charge', {
            accountId,
            chargeId,
            amountCents,
            // This payment was never in the books: earlier refunds are those that the processor lists.
            beforeCents: payment.refundedCents,
          });
        return 'failed';
      }
      if (!isSettled) {
        await set({ state: 'paid', settled_at: now(), check_at: null });
        const purchase = purchaseShape.parse(charge.purchase);
        await givePurchase(trx, {
          charge: { ...charge, state: 'paid' },
          purchase,
          publicUrl: context.publicUrl,
        });
        if (charge.tax_quote_id !== null) await enqueue(trx, 'record_taxes', {});
        await recordEvents(trx, { accountId, userId: charge.user_id ?? undefined }, [
          { kind: 'charge.paid', id: chargeId, changes: { totalCents: charge.total_cents } },
        ]);
        await notify(trx, accountId, [
          { type: 'billing.changed' },
          { type: 'credits.changed' },
          { type: 'settings.changed' },
        ]);
      }
      const booked = bookedRefunds(charge);
      if (payment.refundedCents < booked && booked !== bookedBefore) return { booked };
      await followRefunds(trx, charge, payment.refundedCents, context.publicUrl);
      return 'paid';
    }
    if (isSettled) return charge.state;
    const mustAct = payment.state === 'action';
    if (mustAct && charge.is_attended) {
      // Once: a repeated event must not give them more time.
      if (charge.state === 'open')
        await set({ state: 'action', check_at: new Date(now().getTime() + actionMs) });
      return 'action';
    }
    if (payment.state === 'open' || payment.state === 'waiting') return charge.state;
    const failure = mustAct
      ? { code: 'authentication_required', message: bankMustBeAsked }
      : (payment.failure ?? { code: 'canceled', message: notConfirmed });
    const message = cardErrorMessage(failure.message);
    await set({
      state: 'failed',
      failure_code: failure.code.slice(0, 100),
      failure_message: message,
      settled_at: now(),
      check_at: null,
    });
    await giveBack(trx, {
      charge,
      purchase: purchaseShape.parse(charge.purchase),
      message,
      publicUrl: context.publicUrl,
    });
    await recordEvents(trx, { accountId, userId: charge.user_id ?? undefined }, [
      { kind: 'charge.failed', id: chargeId, changes: { code: failure.code } },
    ]);
    await notify(trx, accountId, [{ type: 'billing.changed' }]);
    return 'failed';
  });
}
