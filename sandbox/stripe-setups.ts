/** Setup intents: a card is saved without being charged. */

import { behaviorOfMethod, cardFromForm, requireMethod } from './stripe-customers.ts';
import { cardError, missing } from './stripe-errors.ts';
import { find, metadataOf, nowSeconds, type Stripe, type StripeRequest } from './stripe-request.ts';
import { newId, type StripeObject } from './stripe-store.ts';

export function createSetup(request: StripeRequest): StripeObject {
  const { stripe, form } = request;
  const customer = form.get('customer');
  if (customer !== null && stripe.store.find(customer, 'customer') === undefined)
    throw missing('customer', customer);
  const id = newId('seti');
  const intent = stripe.store.save({
    id,
    object: 'setup_intent',
    client_secret: `${id}_secret_${newId('s')}`,
    created: nowSeconds(),
    customer,
    usage: form.get('usage') ?? 'off_session',
    payment_method: null,
    payment_method_types: ['card'],
    last_setup_error: null,
    next_action: null,
    livemode: false,
    metadata: metadataOf(form),
    status: 'requires_payment_method',
  });
  return form.get('confirm') === 'true' ? confirmSetup(request, intent.id) : intent;
}

export function confirmSetup(request: StripeRequest, id: string): StripeObject {
  const { stripe, form, isBrowser } = request;
  const intent = find(request, 'setup_intent', id);
  const { store, webhooks } = stripe;
  if (intent.status === 'succeeded') return intent;
  const answer = form.get('challenge');
  if (intent.status === 'requires_action') {
    // The cardholder has answered their bank. Only the frame of the challenge says so.
    if (answer === 'fail') {
      const failed = store.save({
        ...intent,
        status: 'requires_payment_method',
        next_action: null,
        payment_method: null,
      });
      throw cardError(authenticationFailed, { setup_intent: failed });
    }
    if (answer !== 'pass') return intent;
    return succeedSetup(stripe, intent, String(intent.payment_method));
  }
  const given = form.get('payment_method');
  const method =
    given === null ? cardFromForm(stripe, form, 'payment_method_data[card]') : requireMethod(stripe, given);
  const { onSetup, asks } = behaviorOfMethod(stripe, method.id);
  if (onSetup) {
    const failed = store.save({
      ...intent,
      last_setup_error: { type: 'card_error', code: onSetup.code, message: onSetup.message },
    });
    webhooks.tell('setup_intent.setup_failed', failed);
    throw cardError(onSetup, { setup_intent: failed });
  }
  if (asks !== undefined && isBrowser)
    return store.save({
      ...intent,
      payment_method: method.id,
      status: 'requires_action',
      next_action: { type: 'use_stripe_sdk', use_stripe_sdk: {} },
    });
  return succeedSetup(stripe, intent, method.id);
}

function succeedSetup({ store, webhooks }: Stripe, intent: StripeObject, methodId: string): StripeObject {
  const method = store.find(methodId, 'payment_method');
  if (method !== undefined) store.save({ ...method, customer: intent.customer });
  const done = store.save({
    ...intent,
    payment_method: methodId,
    status: 'succeeded',
    next_action: null,
    last_setup_error: null,
  });
  webhooks.tell('setup_intent.succeeded', done);
  return done;
}

export const authenticationFailed = {
  code: 'payment_intent_authentication_failure',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};
