// Stripe as far as Muster speaks it: customers, cards, setup and payment intents, refunds, sales tax, events. Written
// from Stripe's own description of version 2023-08-16.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, sendJson } from './http.ts';
import {
  attach,
  createCustomer,
  createPaymentMethod,
  createToken,
  detach,
  updateCustomer,
} from './stripe-customers.ts';
import { badRequest, missing, StripeError } from './stripe-errors.ts';
import { cancelPayment, confirmPayment, createPayment, createRefund, expand } from './stripe-payments.ts';
import { find, isRecord, type Stripe, type StripeRequest } from './stripe-request.ts';
import { confirmSetup, createSetup } from './stripe-setups.ts';
import type { StripeObject } from './stripe-store.ts';
import { serveTax } from './stripe-tax.ts';

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
  const isConfirmation = !isBrowser && path.endsWith('/confirm');
  if (!isBrowser && stripe.random() < faults.TimeoutBefore) return hold();
  if (isConfirmation && faults.ConfirmTimeoutBefore) return hold();
  const isPayment = path.startsWith('/v1/payment_intents');
  if (!isBrowser && (stripe.random() < faults.ServerError || (faults.PaymentError && isPayment)))
    throw new StripeError(500, { type: 'api_error', message: 'An unknown error occurred' });
  const reply = carryOut({ stripe, method: request.method ?? 'GET', path, form, isBrowser });
  // Requests that were carried out are kept under their keys, also if the card was refused; malformed ones are not.
  if (typeof key === 'string' && (reply.status < 300 || reply.status === 402)) {
    store.keep(key, { ...reply, print });
    if (isRecord(reply.body) && typeof reply.body.id === 'string') store.rememberKey(reply.body.id, key);
  }
  if (!isBrowser && request.method === 'POST' && stripe.random() < faults.TimeoutAfter) return hold();
  if (isConfirmation && faults.ConfirmTimeoutAfter) return hold();
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
  if (is('GET payment_intents')) return listOf(request, 'payment_intent', only(request, 'customer'));
  if (is('GET payment_intents/:id')) return expand(request, find(request, 'payment_intent', id));
  if (is('POST payment_intents/:id/confirm')) return confirmPayment(request, id ?? '');
  if (is('POST payment_intents/:id/cancel')) return cancelPayment(request, id ?? '');
  if (is('POST refunds')) return createRefund(request);
  if (is('GET refunds')) return listOf(request, 'refund', only(request, 'charge', 'payment_intent'));
  if (is('GET refunds/:id')) return expand(request, find(request, 'refund', id));
  if (is('GET events')) return listOf(request, 'event', {});
  if (is('GET events/:id')) return find(request, 'event', id);
  if (is('POST tokens')) return createToken(request);
  throw new StripeError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}).`,
  });
}

/** The fields that a list is asked to be limited to. */
function only({ form }: StripeRequest, ...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = form.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

const listParameters =
  /^(limit|starting_after|created\[(gt|gte|lt|lte)\]|expand\[\d*\]|customer|charge|payment_intent|type)$/;

function listOf(request: StripeRequest, object: string, wanted: Record<string, string>): unknown {
  const { stripe, form, path } = request;
  for (const name of form.keys())
    if (!listParameters.test(name))
      throw badRequest(`Received unknown parameter: ${name}`, 'parameter_unknown', name);
  const limit = Number(form.get('limit') ?? 10);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    throw badRequest('This value must be between 1 and 100.', 'parameter_invalid_integer', 'limit');
  const bound = (name: string, otherwise: number) => Number(form.get(`created[${name}]`) ?? otherwise);
  const from = Math.max(bound('gte', 0), bound('gt', -1) + 1);
  const to = Math.min(bound('lte', Infinity), bound('lt', Infinity) - 1);
  const isInTime = ({ created = 0 }: StripeObject) => Number(created) >= from && Number(created) <= to;
  // Newest first by their own dates: some are dated back on purpose.
  const all = stripe.store
    .list(object)
    .filter((each) => Object.entries(wanted).every(([name, value]) => each[name] === value))
    .filter(isInTime)
    .sort((one, other) => Number(other.created ?? 0) - Number(one.created ?? 0));
  const after = form.get('starting_after');
  if (after !== null && stripe.store.find(after, object) === undefined) throw missing(object, after);
  const first = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const data = all.slice(first, first + limit).map((each) => expand(request, each));
  return { object: 'list', url: path, has_more: first + limit < all.length, data };
}
