/** Payment intents, charges and refunds. */

import { behaviorOfMethod, requireMethod } from './stripe-customers.ts';
import { badRequest, cardError, missing } from './stripe-errors.ts';
import {
  find,
  madeSeconds,
  metadataOf,
  nowSeconds,
  type Stripe,
  type StripeRequest,
} from './stripe-request.ts';
import { authenticationFailed } from './stripe-setups.ts';
import { newId, type StripeObject } from './stripe-store.ts';

const known = {
  payment_intents:
    /^(amount|currency|customer|payment_method|payment_method_types\[\d*\]|confirm|off_session|description|metadata\[\w+\]|expand\[\d*\]|receipt_email|payment_method_options\[card\]\[\w+\]|capture_method|setup_future_usage)$/,
  confirm:
    /^(payment_method|off_session|payment_method_options\[card\]\[\w+\]|expand\[\d*\]|client_secret|return_url|use_stripe_sdk)$/,
} as const;

/** Stripe refuses what it doesn't know, so a slip in a name is found here too. */
function refuseUnknown(form: URLSearchParams, allowed: RegExp): void {
  for (const name of form.keys())
    if (!allowed.test(name))
      throw badRequest(`Received unknown parameter: ${name}`, 'parameter_unknown', name);
}

export function createPayment(request: StripeRequest): StripeObject {
  const { stripe, form } = request;
  refuseUnknown(form, known.payment_intents);
  const amount = Number(form.get('amount'));
  if (!Number.isInteger(amount) || amount < 1)
    throw badRequest('Invalid integer: amount', 'parameter_invalid_integer', 'amount');
  if (form.get('currency') !== 'usd')
    throw badRequest('Missing required param: currency.', 'parameter_missing', 'currency');
  const customer = form.get('customer');
  if (customer !== null && stripe.store.find(customer, 'customer') === undefined)
    throw missing('customer', customer);
  const method = form.get('payment_method');
  const methodId = method === null ? null : requireMethod(stripe, method).id;
  const id = newId('pi');
  const intent = stripe.store.save({
    id,
    object: 'payment_intent',
    amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${newId('s')}`,
    confirmation_method: 'automatic',
    created: madeSeconds(stripe),
    currency: 'usd',
    customer,
    description: form.get('description'),
    invoice: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: metadataOf(form),
    next_action: null,
    payment_method: methodId,
    payment_method_types: ['card'],
    processing: null,
    receipt_email: form.get('receipt_email'),
    setup_future_usage: null,
    status: methodId === null ? 'requires_payment_method' : 'requires_confirmation',
  });
  if (form.get('confirm') !== 'true') return intent;
  return confirmIntent(stripe, intent, { isOffSession: form.get('off_session') === 'true', answer: null });
}

export function confirmPayment(request: StripeRequest, id: string): StripeObject {
  const { stripe, form, isBrowser } = request;
  const intent = find(request, 'payment_intent', id);
  if (!isBrowser) refuseUnknown(form, known.confirm);
  const given = form.get('payment_method');
  const withMethod =
    given === null
      ? intent
      : stripe.store.save({ ...intent, payment_method: requireMethod(stripe, given).id });
  return expand(
    request,
    confirmIntent(stripe, withMethod, {
      isOffSession: form.get('off_session') === 'true',
      answer: isBrowser ? form.get('challenge') : null,
    }),
  );
}

function confirmIntent(
  stripe: Stripe,
  intent: StripeObject,
  { isOffSession, answer }: { isOffSession: boolean; answer: string | null },
): StripeObject {
  const { store, webhooks } = stripe;
  if (intent.status === 'succeeded' || intent.status === 'canceled' || intent.payment_method === null)
    throw badRequest(`This PaymentIntent's status is ${intent.status}.`, 'payment_intent_unexpected_state');
  const { onCharge, asks } = behaviorOfMethod(stripe, String(intent.payment_method));
  const fail = (decline: { code: string; declineCode?: string; message: string }) => {
    const chargeId = saveCharge(stripe, intent, 'failed').id;
    const failed = store.save({
      ...intent,
      status: 'requires_payment_method',
      next_action: null,
      latest_charge: chargeId,
      payment_method: null,
      last_payment_error: {
        type: 'card_error',
        code: decline.code,
        decline_code: decline.declineCode ?? null,
        message: decline.message,
      },
    });
    webhooks.tell('payment_intent.payment_failed', failed);
    return cardError(decline, { payment_intent: failed, charge: chargeId });
  };
  if (onCharge) throw fail(onCharge);
  if (asks === 'always' && answer !== 'pass') {
    if (answer === 'fail') throw fail(authenticationFailed);
    if (isOffSession)
      throw fail({
        code: 'authentication_required',
        declineCode: 'authentication_required',
        message: 'Your card was declined. This transaction requires authentication.',
      });
    const asked = store.save({
      ...intent,
      status: 'requires_action',
      next_action: { type: 'use_stripe_sdk', use_stripe_sdk: {} },
    });
    webhooks.tell('payment_intent.requires_action', asked);
    return asked;
  }
  const charge = saveCharge(stripe, intent, 'succeeded');
  const done = store.save({
    ...intent,
    status: 'succeeded',
    next_action: null,
    last_payment_error: null,
    amount_received: intent.amount,
    latest_charge: charge.id,
  });
  webhooks.tell('payment_intent.succeeded', done);
  return done;
}

function saveCharge(stripe: Stripe, intent: StripeObject, status: string): StripeObject {
  return stripe.store.save({
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_refunded: 0,
    created: madeSeconds(stripe),
    currency: 'usd',
    customer: intent.customer,
    payment_intent: intent.id,
    payment_method: intent.payment_method,
    paid: status === 'succeeded',
    refunded: false,
    status,
    livemode: false,
    metadata: intent.metadata,
  });
}

export function cancelPayment(request: StripeRequest, id: string): StripeObject {
  const intent = find(request, 'payment_intent', id);
  if (intent.status === 'succeeded' || intent.status === 'canceled')
    throw badRequest(
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
      'payment_intent_unexpected_state',
    );
  const { store, webhooks } = request.stripe;
  const done = store.save({ ...intent, status: 'canceled', canceled_at: nowSeconds(), next_action: null });
  webhooks.tell('payment_intent.canceled', done);
  return done;
}

export function createRefund(request: StripeRequest): StripeObject {
  const { stripe, form } = request;
  return refundPayment(stripe, form.get('payment_intent') ?? '', {
    amount: form.get('amount') === null ? undefined : Number(form.get('amount')),
    metadata: metadataOf(form),
  });
}

/** Also what the processor's own page does. */
export function refundPayment(
  stripe: Stripe,
  paymentId: string,
  { amount, metadata }: { amount: number | undefined; metadata: Record<string, string> },
): StripeObject {
  const { store, webhooks } = stripe;
  const intent = store.find(paymentId, 'payment_intent');
  const charge = intent && store.find(String(intent.latest_charge), 'charge');
  if (intent === undefined || charge === undefined || intent.status !== 'succeeded')
    throw missing('payment_intent', paymentId);
  const left = Number(charge.amount) - Number(charge.amount_refunded);
  const refunded = amount ?? left;
  if (!Number.isInteger(refunded) || refunded < 1 || refunded > left)
    throw badRequest(
      left === 0
        ? `Charge ${charge.id} has already been refunded.`
        : 'Refund amount is greater than what is left of the charge.',
      left === 0 ? 'charge_already_refunded' : undefined,
      'amount',
    );
  const refund = store.save({
    id: newId('re'),
    object: 'refund',
    amount: refunded,
    balance_transaction: newId('txn'),
    charge: charge.id,
    created: madeSeconds(stripe),
    currency: 'usd',
    metadata,
    payment_intent: intent.id,
    reason: null,
    receipt_number: null,
    status: 'succeeded',
  });
  const after = store.save({
    ...charge,
    amount_refunded: Number(charge.amount_refunded) + refunded,
    refunded: left === refunded,
  });
  webhooks.tell('charge.refunded', after);
  return refund;
}

/** The cardholder's bank returned it: the money is with the processor again. */
export function failRefund({ store, webhooks }: Stripe, refundId: string): StripeObject {
  const refund = store.find(refundId, 'refund');
  const charge = refund && store.find(String(refund.charge), 'charge');
  if (refund === undefined || charge === undefined) throw missing('refund', refundId);
  if (refund.status === 'failed') throw badRequest('The refund has failed already.');
  const failed = store.save({
    ...refund,
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
    failure_balance_transaction: newId('txn'),
  });
  store.save({
    ...charge,
    amount_refunded: Number(charge.amount_refunded) - Number(refund.amount),
    refunded: false,
  });
  webhooks.tell('charge.refund.updated', failed);
  return failed;
}

/** Puts the charge in place of its id, where the request asks for it. */
export function expand({ stripe, form }: StripeRequest, object: StripeObject): StripeObject {
  const name = object.object === 'refund' ? 'charge' : 'latest_charge';
  const wants = [...form].some(
    ([field, value]) => field.startsWith('expand') && value.split('.').at(-1) === name,
  );
  const charge = wants && stripe.store.find(String(object[name]), 'charge');
  return charge ? { ...object, [name]: charge } : object;
}
