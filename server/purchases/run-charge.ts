import { asAccount, type Database } from '../db.ts';
import { type CardProcessor, type Payment, ProcessorError } from '../outside/card-processor.ts';
import { type Charge, getCharge } from './queries.ts';
import { settleCharge } from './settle-charge.ts';

export interface ChargeContext {
  database: Database;
  processor: CardProcessor;
  publicUrl: string;
}

export interface Ran {
  charge: Charge;
  clientSecret: string;
}

/**
 * Charges a card for a saved row. In two steps: a payment that charges nothing is created and its id saved,
 * then it is confirmed. So after any failure in between, there is an id to ask about, and a payment that was
 * never confirmed can be canceled permanently.
 */
export async function runCharge(
  context: ChargeContext,
  charge: Charge,
  { cvnToken }: { cvnToken?: string | undefined } = {},
): Promise<Ran> {
  const of = { accountId: charge.account_id, chargeId: charge.charge_id };
  const made = await makePayment(context, charge);
  if (made === undefined) return { charge: await readCharge(context, charge), clientSecret: '' };
  const confirmed = await confirm(context, charge, { made, cvnToken });
  await settleCharge(context, of, confirmed);
  return { charge: await readCharge(context, charge), clientSecret: confirmed.clientSecret };
}

function readCharge(context: ChargeContext, charge: Charge): Promise<Charge> {
  return asAccount(context.database, charge.account_id, (trx) =>
    getCharge(trx, charge.account_id, charge.charge_id),
  );
}

const notReached =
  'The card processor can’t be reached right now. You were not charged. Try again in a moment.';

/** Stripe's minimum is half a dollar, for any card. */
function refusedWords(code: string): string {
  return code === 'amount_too_small'
    ? 'The card processor takes no payments under $0.50. Nothing was charged.'
    : 'There was a problem with your card. Enter it again.';
}

function failedPayment(charge: Charge, code: string, message: string): Payment {
  return {
    paymentId: charge.payment_id ?? '',
    state: 'canceled',
    amountCents: charge.total_cents,
    refundedCents: 0,
    clientSecret: '',
    failure: { code, message },
    key: charge.processor_key,
    accountId: charge.account_id,
    chargeId: charge.charge_id,
  };
}

/** Nothing is charged by this: if it fails for a user at a screen the purchase fails. */
async function makePayment(context: ChargeContext, charge: Charge): Promise<Payment | undefined> {
  const accountId = charge.account_id;
  const payer = await asAccount(context.database, accountId, (trx) =>
    trx.selectFrom('payers').select('customer_id').where('account_id', '=', accountId).executeTakeFirst(),
  );
  let payment: Payment;
  try {
    payment = await context.processor.createPayment({
      accountId,
      chargeId: charge.charge_id,
      key: charge.processor_key,
      customerId: payer?.customer_id ?? '',
      paymentMethodId: charge.payment_method_id ?? '',
      amountCents: charge.total_cents,
      description: charge.description,
    });
  } catch (error) {
    if (!(error instanceof ProcessorError)) throw error;
    // Automatic charges wait; the check asks again with the same key.
    if (error.kind === 'lost' && !charge.is_attended) return undefined;
    const of = { accountId, chargeId: charge.charge_id };
    const message = error.kind === 'lost' ? notReached : refusedWords(error.code);
    await settleCharge(context, of, failedPayment(charge, error.code, message));
    return undefined;
  }
  await asAccount(context.database, accountId, (trx) =>
    trx
      .updateTable('charges')
      .set({ payment_id: payment.paymentId })
      .where('account_id', '=', accountId)
      .where('charge_id', '=', charge.charge_id)
      .execute(),
  );
  return payment;
}

async function confirm(
  context: ChargeContext,
  charge: Charge,
  { made, cvnToken }: { made: Payment; cvnToken: string | undefined },
): Promise<Payment> {
  // The same key created it before and it continued from there: its current status counts.
  if (made.state !== 'open') return made;
  try {
    return await context.processor.confirmPayment({
      paymentId: made.paymentId,
      key: charge.processor_key,
      isAttended: charge.is_attended,
      cvnToken,
    });
  } catch (error) {
    if (!(error instanceof ProcessorError)) throw error;
    if (error.kind === 'refused')
      return failedPayment(charge, error.code, 'There was a problem with your purchase.');
    // It may have been charged. Asked once more; if that fails too, the row stays open and is checked later.
    return context.processor
      .readPayment(made.paymentId)
      .catch((): Payment => ({ ...made, state: 'waiting' }));
  }
}

/**
 * A charge whose response was lost: asks for its result. A user's purchase that was never confirmed is
 * canceled, since they were told so or have left; an automatic charge is confirmed again, under the same key.
 */
export async function resolveCharge(context: ChargeContext, charge: Charge, isLate: boolean): Promise<void> {
  const of = { accountId: charge.account_id, chargeId: charge.charge_id };
  if (charge.state !== 'open' && charge.state !== 'action') return;
  if (charge.payment_id === null) {
    if (!isLate) return;
    const made = await makePayment(context, charge);
    if (made === undefined) return;
    await resolveCharge(context, { ...charge, payment_id: made.paymentId }, isLate);
    return;
  }
  const payment = await context.processor.readPayment(charge.payment_id);
  const isUnfinished = payment.state === 'open' || payment.state === 'action';
  if (isUnfinished && isLate) {
    if (charge.is_attended || payment.state === 'action')
      await settleCharge(context, of, await context.processor.cancelPayment(charge.payment_id));
    else
      await settleCharge(context, of, await confirm(context, charge, { made: payment, cvnToken: undefined }));
    return;
  }
  await settleCharge(context, of, payment);
}
