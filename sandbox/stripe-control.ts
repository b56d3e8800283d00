import type { IncomingMessage, ServerResponse } from 'node:http';
import { BadRequest, readBody, sendJson } from './http.ts';
import { StripeError } from './stripe-errors.ts';
import { failRefund, refundPayment } from './stripe-payments.ts';
import { isRecord, type Stripe } from './stripe-request.ts';
import { noProcessorFaults, type ProcessorFaults, type StripeObject } from './stripe-store.ts';

/** The processor's own page: everything it ever did, refunds, and what goes wrong on purpose. */
export async function serveProcessor(
  stripe: Stripe,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const { store } = stripe;
  const route = `${request.method} ${path}`;
  if (route === 'GET /processor/payments') {
    // Oldest first, as in any book.
    const Items = store
      .list('payment_intent')
      .reverse()
      .map((intent) => paymentOf(stripe, intent));
    return sendJson(response, 200, { Items });
  }
  if (route === 'GET /processor/taxes') {
    const Items = store.list('tax.transaction').reverse().map(taxOf);
    return sendJson(response, 200, { Items });
  }
  if (route === 'GET /processor/cards') {
    const Items = store.list('payment_method').flatMap((method) => cardOf(stripe, method));
    return sendJson(response, 200, { Items });
  }
  if (route === 'GET /processor/faults') return sendJson(response, 200, store.faults);
  if (route === 'PUT /processor/faults') {
    store.faults = readFaults(await readJson(request));
    return sendJson(response, 200, store.faults);
  }
  if (route === 'GET /processor/refunds') {
    const Items = store.list('refund').reverse().map(refundOf);
    return sendJson(response, 200, { Items });
  }
  const failed = /^POST \/processor\/refunds\/(\w+)\/fail$/.exec(route)?.[1];
  if (failed !== undefined) {
    const refund = orBadRequest(() => failRefund(stripe, failed));
    return sendJson(response, 200, refundOf(refund));
  }
  const refunded = /^POST \/processor\/payments\/(\w+)\/refund$/.exec(route)?.[1];
  if (refunded !== undefined) {
    const { AmountCents } = await readJson(request);
    orBadRequest(() =>
      refundPayment(stripe, refunded, {
        amount: typeof AmountCents === 'number' ? AmountCents : undefined,
        metadata: {},
      }),
    );
    const intent = store.find(refunded, 'payment_intent');
    return sendJson(response, 200, intent === undefined ? {} : paymentOf(stripe, intent));
  }
  throw new BadRequest('There is nothing here.', 404);
}

/** The page gets the processor's own words in the shape of all its answers. */
function orBadRequest<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof StripeError) throw new BadRequest(error.message, error.status);
    throw error;
  }
}

function refundOf(refund: StripeObject) {
  return {
    RefundID: refund.id,
    PaymentID: refund.payment_intent,
    AmountCents: refund.amount,
    Status: refund.status,
    CreatedAt: new Date(Number(refund.created) * 1000).toISOString(),
  };
}

/** "Visa 4242" */
function nameOf({ brand, last4 }: Record<string, unknown>): string {
  const name = String(brand);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${last4}`;
}

/** A card that a customer keeps; one that was detached is nobody's. */
function cardOf({ store }: Stripe, method: StripeObject) {
  const customer = store.find(String(method.customer), 'customer');
  const card = isRecord(method.card) ? method.card : undefined;
  if (customer === undefined || card === undefined) return [];
  return [
    {
      CardID: method.id,
      CustomerName: customer.name ?? '',
      Card: nameOf(card),
      Expires: `${String(card.exp_month).padStart(2, '0')}/${String(card.exp_year).slice(-2)}`,
    },
  ];
}

/** A sale reported to the tax office, or the part of one that was reversed. */
function taxOf(transaction: StripeObject) {
  const reversal = isRecord(transaction.reversal) ? transaction.reversal : undefined;
  return {
    TransactionID: transaction.id,
    Reference: transaction.reference,
    AmountCents: transaction.amount_total,
    OriginalID: reversal?.original_transaction ?? null,
  };
}

function paymentOf({ store }: Stripe, intent: StripeObject) {
  const charge = store.find(String(intent.latest_charge), 'charge');
  const method = store.find(String(intent.payment_method), 'payment_method');
  const customer = store.find(String(intent.customer), 'customer');
  const card = isRecord(method?.card) ? method.card : undefined;
  return {
    PaymentID: intent.id,
    CustomerID: intent.customer,
    AmountCents: intent.amount,
    RefundedCents: Number(charge?.amount_refunded ?? 0),
    Status: intent.status,
    IdempotencyKey: store.creationKeys.get(intent.id) ?? null,
    CreatedAt: new Date(Number(intent.created) * 1000).toISOString(),
    /** For the page. */
    CustomerName: customer?.name ?? '',
    Description: intent.description ?? '',
    Card: card === undefined ? '' : nameOf(card),
  };
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const text = (await readBody(request)).toString('utf8');
  try {
    const value: unknown = text === '' ? {} : JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Told below.
  }
  throw new BadRequest('Send a JSON object.');
}

function readFaults(change: Record<string, unknown>): ProcessorFaults {
  const next: Record<string, unknown> = { ...noProcessorFaults };
  for (const [name, value] of Object.entries(change)) {
    const known = (noProcessorFaults as Record<string, unknown>)[name];
    if (known === undefined) throw new BadRequest(`There is no fault "${name}".`);
    if (typeof value !== typeof known) throw new BadRequest(`${name} must be a ${typeof known}.`);
    next[name] = value;
  }
  return next as ProcessorFaults;
}
