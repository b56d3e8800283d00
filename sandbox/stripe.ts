// Stripe as far as Muster speaks it: customers, cards, setup and payment intents, refunds, sales tax, events. Written
// from Stripe's own description of version 2023-08-16.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, sendJson } from './http.ts';
import { behaviorOf, type CardBehavior, hasChecksum, numberOf } from './stripe-cards.ts';
import { badRequest, cardError, missing, StripeError } from './stripe-errors.ts';
import { newId, type StripeObject, type StripeStore } from './stripe-store.ts';
import { serveTax } from './stripe-tax.ts';
import type { StripeWebhooks } from './stripe-webhooks.ts';

export type Stripe = {
  store: StripeStore;
  webhooks: StripeWebhooks;
  secretKey: string;
  publishableKey: string;
  random: () => number;
};

export type StripeRequest = {
  stripe: Stripe;
  method: string;
  path: string;
  form: URLSearchParams;
  /** The browser's: it may only do what the client secret allows. */
  isBrowser: boolean;
};

const now = () => Math.floor(Date.now() / 1000);
const browserPaths = /^\/v1\/(setup_intents\/\w+(\/confirm)?|payment_intents\/\w+(\/confirm)?|tokens)$/;

export async function serveStripe(
  stripe: Stripe,
  {
    request,
    response,
    path,
    hold,
  }: { request: IncomingMessage; response: ServerResponse; path: string; hold: () => void },
): Promise<void> {
  const { store } = stripe;
  allowBrowser(request, response);
  if (request.method === 'OPTIONS') {
    response.writeHead(204).end();
    return;
  }
  const isBrowser = authenticate(stripe, request, path);
  const query = new URL(request.url ?? '', 'http://sandbox').searchParams;
  const body = request.method === 'POST' ? (await readBody(request)).toString('utf8') : '';
  const form = request.method === 'POST' ? new URLSearchParams(body) : query;
  const key = request.headers['idempotency-key'];
  const print = `${path}?${body}`;
  const kept = typeof key === 'string' ? store.kept.get(key) : undefined;
  if (kept !== undefined) {
    if (kept.print !== print)
      throw new StripeError(400, {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with.`,
      });
    response.setHeader('idempotent-replayed', 'true');
    sendJson(response, kept.status, kept.body);
    return;
  }
  const { faults } = store;
  if (!isBrowser && stripe.random() < faults.TimeoutBefore) return hold();
  const isPayment = path.startsWith('/v1/payment_intents');
  if (!isBrowser && (stripe.random() < faults.ServerError || (faults.PaymentError && isPayment)))
    throw new StripeError(500, { type: 'api_error', message: 'An unknown error occurred' });
  const reply = carryOut({ stripe, method: request.method ?? 'GET', path, form, isBrowser });
  // What was carried out is kept under its key, refusals of cards included; what was malformed is not.
  if (typeof key === 'string' && (reply.status < 300 || reply.status === 402)) {
    store.keep(key, { ...reply, print });
    if (isRecord(reply.body) && typeof reply.body.id === 'string') store.rememberKey(reply.body.id, key);
  }
  if (!isBrowser && request.method === 'POST' && stripe.random() < faults.TimeoutAfter) return hold();
  if (faults.ConfirmCut && path.endsWith('/confirm')) {
    request.socket.resetAndDestroy();
    return;
  }
  sendJson(response, reply.status, reply.body);
}

function carryOut(request: StripeRequest): { status: number; body: unknown } {
  try {
    return { status: 200, body: route(request) };
  } catch (error) {
    if (error instanceof StripeError) return { status: error.status, body: { error: error.body } };
    throw error;
  }
}

/** The page's script calls from Muster's origin and from its own frames. */
function allowBrowser(request: IncomingMessage, response: ServerResponse): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-headers', 'authorization, content-type');
  response.setHeader('vary', 'origin');
}

function authenticate(
  { secretKey, publishableKey }: Stripe,
  request: IncomingMessage,
  path: string,
): boolean {
  const header = request.headers.authorization ?? '';
  const basic = header.startsWith('Basic ')
    ? Buffer.from(header.slice(6), 'base64').toString().split(':')[0]
    : '';
  const key = header.startsWith('Bearer ') ? header.slice(7) : basic;
  if (key === secretKey) return false;
  if (key === publishableKey && browserPaths.test(path)) return true;
  throw new StripeError(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function route(request: StripeRequest): unknown {
  const { method, path } = request;
  const [, , kind = '', id, action] = path.split('/');
  const is = (wanted: string) =>
    `${method} ${kind}${id === undefined ? '' : '/:id'}${action === undefined ? '' : `/${action}`}` ===
    wanted;
  if (kind === 'tax') return serveTax(request);
  if (is('POST customers')) return createCustomer(request);
  if (is('GET customers/:id')) return find(request, 'customer', id);
  if (is('POST customers/:id')) return updateCustomer(request, id ?? '');
  if (is('GET customers/:id/payment_methods'))
    return listOf(request, 'payment_method', { customer: id ?? '' });
  if (is('POST payment_methods')) return createPaymentMethod(request);
  if (is('GET payment_methods/:id')) return find(request, 'payment_method', id);
  if (is('POST payment_methods/:id/attach')) return attach(request, id ?? '');
  if (is('POST payment_methods/:id/detach')) return detach(request, id ?? '');
  if (is('POST setup_intents')) return createSetup(request);
  if (is('GET setup_intents/:id')) return find(request, 'setup_intent', id);
  if (is('POST setup_intents/:id/confirm')) return confirmSetup(request, id ?? '');
  if (is('POST payment_intents')) return createPayment(request);
  if (is('GET payment_intents'))
    return listOf(request, 'payment_intent', { customer: request.form.get('customer') ?? undefined });
  if (is('GET payment_intents/:id')) return expand(request, find(request, 'payment_intent', id));
  if (is('POST payment_intents/:id/confirm')) return confirmPayment(request, id ?? '');
  if (is('POST payment_intents/:id/cancel')) return cancelPayment(request, id ?? '');
  if (is('POST refunds')) return createRefund(request);
  if (is('GET refunds')) return listOf(request, 'refund', {});
  if (is('GET refunds/:id')) return find(request, 'refund', id);
  if (is('GET events')) return listOf(request, 'event', {});
  if (is('GET events/:id')) return find(request, 'event', id);
  if (is('POST tokens')) return createToken(request);
  throw new StripeError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}).`,
  });
}

function find({ stripe, isBrowser, form }: StripeRequest, object: string, id = ''): StripeObject {
  const found = stripe.store.find(id, object);
  if (found === undefined) throw missing(object, id);
  if (isBrowser && form.get('client_secret') !== found.client_secret)
    throw badRequest('The client_secret provided does not match.', 'resource_missing', 'client_secret');
  return found;
}

function expand({ stripe, form }: StripeRequest, intent: StripeObject): StripeObject {
  const wants = [...form].some(
    ([name, value]) => name.startsWith('expand') && value.endsWith('latest_charge'),
  );
  const charge = wants && stripe.store.find(String(intent.latest_charge), 'charge');
  return charge ? { ...intent, latest_charge: charge } : intent;
}

function listOf(
  request: StripeRequest,
  object: string,
  { customer }: { customer?: string | undefined },
): unknown {
  const { stripe, form, path } = request;
  const since = Number(form.get('created[gte]') ?? 0);
  const limit = Math.min(Number(form.get('limit') ?? 10), 100);
  const all = stripe.store
    .list(object)
    .filter((each) => customer === undefined || each.customer === customer)
    .filter((each) => Number(each.created ?? 0) >= since);
  const after = form.get('starting_after');
  const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const data = all.slice(from, from + limit).map((each) => expand(request, each));
  return { object: 'list', url: path, has_more: from + limit < all.length, data };
}

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

function metadataOf(form: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const key = /^metadata\[(\w+)\]$/.exec(name)?.[1];
      return key === undefined ? [] : [[key, value]];
    }),
  );
}

function createCustomer({ stripe, form }: StripeRequest): StripeObject {
  return stripe.store.save({
    id: newId('cus'),
    object: 'customer',
    created: now(),
    name: form.get('name'),
    email: form.get('email'),
    description: form.get('description'),
    livemode: false,
    metadata: metadataOf(form),
    invoice_settings: { default_payment_method: null },
  });
}

function updateCustomer(request: StripeRequest, id: string): StripeObject {
  const customer = find(request, 'customer', id);
  const { stripe, form } = request;
  return stripe.store.save({
    ...customer,
    name: form.get('name') ?? customer.name,
    email: form.get('email') ?? customer.email,
    metadata: { ...(customer.metadata as object), ...metadataOf(form) },
  });
}

function savePaymentMethod(
  stripe: Stripe,
  {
    behavior,
    month,
    year,
    billing,
  }: { behavior: CardBehavior; month: number; year: number; billing: object },
): StripeObject {
  const id = newId('pm');
  stripe.store.saveCard(id, behavior);
  return stripe.store.save({
    id,
    object: 'payment_method',
    type: 'card',
    created: now(),
    customer: null,
    livemode: false,
    metadata: {},
    billing_details: billing,
    card: {
      brand: behavior.brand,
      last4: behavior.last4,
      exp_month: month,
      exp_year: year,
      country: 'US',
      funding: 'credit',
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    },
  });
}

/** A card by its number, as only the processor's own frames send it. */
function cardFromForm(stripe: Stripe, form: URLSearchParams, prefix: string): StripeObject {
  const field = (name: string) => (form.get(`${prefix}[${name}]`) ?? '').replace(/\D/g, '');
  const number = field('number');
  if (!hasChecksum(number))
    throw cardError({ code: 'incorrect_number', message: 'Your card number is incorrect.' });
  const month = Number(field('exp_month'));
  const year = (Number(field('exp_year')) % 100) + 2000;
  const isPast = Date.UTC(year, month, 1) < Date.now();
  if (!(month >= 1 && month <= 12) || isPast)
    throw cardError({ code: 'expired_card', message: 'Your card has expired.' });
  return savePaymentMethod(stripe, { behavior: behaviorOf(number), month, year, billing: {} });
}

function createPaymentMethod({ stripe, form }: StripeRequest): StripeObject {
  if (form.get('type') !== 'card') throw badRequest('Only cards are taken here.', undefined, 'type');
  return cardFromForm(stripe, form, 'card');
}

/** An id of ours, or one of the names that stand for a test card. */
function requireMethod(stripe: Stripe, id: string): StripeObject {
  const found = stripe.store.find(id, 'payment_method');
  if (found !== undefined) return found;
  const number = numberOf(id);
  if (number === undefined) throw missing('PaymentMethod', id);
  return savePaymentMethod(stripe, { behavior: behaviorOf(number), month: 12, year: 2034, billing: {} });
}

function behaviorOfMethod(stripe: Stripe, id: string): CardBehavior {
  return stripe.store.cards.get(id) ?? behaviorOf('4242424242424242');
}

function attach(request: StripeRequest, id: string): StripeObject {
  const { stripe, form } = request;
  const customer = find({ ...request, isBrowser: false }, 'customer', form.get('customer') ?? '');
  const method = requireMethod(stripe, id);
  const { onSetup } = behaviorOfMethod(stripe, method.id);
  if (onSetup) throw cardError(onSetup);
  return stripe.store.save({ ...method, customer: customer.id });
}

function detach(request: StripeRequest, id: string): StripeObject {
  const method = find(request, 'payment_method', id);
  if (method.customer === null) throw badRequest('The payment method is not attached to a customer.');
  return request.stripe.store.save({ ...method, customer: null });
}

function createSetup(request: StripeRequest): StripeObject {
  const { stripe, form } = request;
  const customer = form.get('customer');
  if (customer !== null && stripe.store.find(customer, 'customer') === undefined)
    throw missing('customer', customer);
  const id = newId('seti');
  const intent = stripe.store.save({
    id,
    object: 'setup_intent',
    client_secret: `${id}_secret_${newId('s')}`,
    created: now(),
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

function confirmSetup(request: StripeRequest, id: string): StripeObject {
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

const authenticationFailed = {
  code: 'payment_intent_authentication_failure',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};

function createPayment(request: StripeRequest): StripeObject {
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
    created: now(),
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

function confirmPayment(request: StripeRequest, id: string): StripeObject {
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

function saveCharge({ store }: Stripe, intent: StripeObject, status: string): StripeObject {
  return store.save({
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_refunded: 0,
    created: now(),
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

function cancelPayment(request: StripeRequest, id: string): StripeObject {
  const intent = find(request, 'payment_intent', id);
  if (intent.status === 'succeeded' || intent.status === 'canceled')
    throw badRequest(
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
      'payment_intent_unexpected_state',
    );
  const { store, webhooks } = request.stripe;
  const done = store.save({ ...intent, status: 'canceled', canceled_at: now(), next_action: null });
  webhooks.tell('payment_intent.canceled', done);
  return done;
}

function createRefund(request: StripeRequest): StripeObject {
  const { stripe, form } = request;
  return refundPayment(stripe, form.get('payment_intent') ?? '', {
    amount: form.get('amount') === null ? undefined : Number(form.get('amount')),
    metadata: metadataOf(form),
  });
}

/** Also what the processor's own page does. */
export function refundPayment(
  { store, webhooks }: Stripe,
  paymentId: string,
  { amount, metadata }: { amount: number | undefined; metadata: Record<string, string> },
): StripeObject {
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
    created: now(),
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

/** A token for a CVN that was typed again; its digits go no further. */
function createToken({ stripe, form }: StripeRequest): StripeObject {
  const cvc = form.get('cvc_update[cvc]') ?? '';
  if (!/^\d{3,4}$/.test(cvc))
    throw cardError({ code: 'invalid_cvc', message: 'Your card’s security code is invalid.' });
  return stripe.store.save({
    id: newId('cvctok'),
    object: 'token',
    type: 'cvc_update',
    created: now(),
    livemode: false,
    used: false,
  });
}
