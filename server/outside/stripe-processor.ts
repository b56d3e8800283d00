import { createHmac } from 'node:crypto';
import { machineNowMs } from '../clock.ts';
import type { Config } from '../config.ts';
import { type CardProcessor, type Payment, ProcessorError, type Refund } from './card-processor.ts';
import { HookRefused } from './carrier.ts';
import { isRecord, parseObject } from './carrier-line.ts';
import { equalSecrets } from './equal-secrets.ts';
import { openStripeLine, StripeCardError, type StripeLine, type StripeObject } from './stripe-line.ts';

/** Stripe, if it is configured. */
export function createCardProcessor(config: Config): CardProcessor | undefined {
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET } = config;
  if (!STRIPE_SECRET_KEY || !STRIPE_PUBLISHABLE_KEY || !STRIPE_WEBHOOK_SECRET) return undefined;
  const line = openStripeLine({
    baseUrl: config.STRIPE_BASE_URL,
    secretKey: STRIPE_SECRET_KEY,
    timeoutMs: config.STRIPE_TIMEOUT_MS,
  });
  return {
    fields: { scriptUrl: config.STRIPE_SCRIPT_URL, publishableKey: STRIPE_PUBLISHABLE_KEY },
    ...cardsOf(line),
    ...paymentsOf(line),
    readHook: ({ signature, body }) => readHook({ secret: STRIPE_WEBHOOK_SECRET, signature, body }),
    close: () => line.close(),
  };
}

function cardsOf(line: StripeLine) {
  return {
    async createCustomer({ accountId, name, email, key }) {
      const reply = await line.post(
        '/v1/customers',
        { name, email: email === '' ? undefined : email, 'metadata[account]': accountId },
        key,
      );
      return textOf(reply, 'id');
    },
    async createSetup(customerId) {
      const reply = await line.post('/v1/setup_intents', {
        customer: customerId,
        usage: 'off_session',
        'payment_method_types[0]': 'card',
      });
      return { setupId: textOf(reply, 'id'), clientSecret: textOf(reply, 'client_secret') };
    },
    async findSetup(setupId) {
      // It comes from a browser: anything but an id must not become another path.
      if (!/^seti_\w{1,100}$/.test(setupId)) return undefined;
      let reply: StripeObject;
      try {
        reply = await line.get(`/v1/setup_intents/${setupId}`);
      } catch (error) {
        if (error instanceof ProcessorError && error.kind === 'refused') return undefined;
        throw error;
      }
      const { status, customer, payment_method } = reply;
      if (status !== 'succeeded' || typeof payment_method !== 'string') return undefined;
      return {
        customerId: typeof customer === 'string' ? customer : null,
        paymentMethodId: payment_method,
      };
    },
    async readCard(paymentMethodId) {
      const { card } = await line.get(`/v1/payment_methods/${paymentMethodId}`);
      if (!isRecord(card)) throw new ProcessorError('refused', 'not_a_card', 'the payment method is no card');
      return {
        brand: brandNames[String(card.brand)] ?? 'Card',
        lastFour: textOf(card, 'last4'),
        expiresMonth: Number(card.exp_month),
        expiresYear: Number(card.exp_year),
      };
    },
    async forgetCard(paymentMethodId) {
      try {
        await line.post(`/v1/payment_methods/${paymentMethodId}/detach`, {}, `detach-${paymentMethodId}`);
      } catch (error) {
        // Detached before: the intended result.
        if (!(error instanceof ProcessorError) || error.kind !== 'refused') throw error;
      }
    },
  } satisfies Partial<CardProcessor>;
}

const brandNames: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'Amex',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

const expanded = { 'expand[0]': 'latest_charge' } as const;

function paymentsOf(line: StripeLine) {
  const readPayment = async (paymentId: string) =>
    toPayment(await line.get(`/v1/payment_intents/${paymentId}`, expanded));
  return {
    async createPayment(payment) {
      const reply = await line.post(
        '/v1/payment_intents',
        {
          amount: payment.amountCents,
          currency: 'usd',
          customer: payment.customerId,
          payment_method: payment.paymentMethodId,
          'payment_method_types[0]': 'card',
          description: payment.description,
          'metadata[account]': payment.accountId,
          'metadata[charge]': payment.chargeId,
          'metadata[key]': payment.key,
        },
        payment.key,
      );
      return toPayment(reply);
    },
    async confirmPayment({ paymentId, key, isAttended, cvnToken }) {
      try {
        const reply = await line.post(
          `/v1/payment_intents/${paymentId}/confirm`,
          {
            off_session: isAttended ? undefined : true,
            'payment_method_options[card][cvc_token]': cvnToken,
          },
          `${key}-confirm`,
        );
        return toPayment(reply);
      } catch (error) {
        if (error instanceof StripeCardError) return refusedPayment(paymentId, error.error);
        // Confirmed or canceled in the meantime: its own status says which.
        if (error instanceof ProcessorError && error.code === 'payment_intent_unexpected_state')
          return readPayment(paymentId);
        throw error;
      }
    },
    readPayment,
    async cancelPayment(paymentId) {
      try {
        return toPayment(
          await line.post(`/v1/payment_intents/${paymentId}/cancel`, {}, `cancel-${paymentId}`),
        );
      } catch (error) {
        if (error instanceof ProcessorError && error.kind === 'refused') return readPayment(paymentId);
        throw error;
      }
    },
    async findPayment({ customerId, key, since }) {
      for await (const payment of listPayments(line, since, customerId)) {
        if (payment.key === key) return payment;
      }
      return undefined;
    },
    listPayments: (since) => listPayments(line, since),
    listRefunds: (since) => listRefunds(line, since),
    async refund({ paymentId, amountCents, key }) {
      await line.post(
        '/v1/refunds',
        { payment_intent: paymentId, amount: amountCents, 'metadata[key]': key },
        key,
      );
    },
  } satisfies Partial<CardProcessor>;
}

async function* listPayments(line: StripeLine, since: Date, customer?: string): AsyncGenerator<Payment> {
  const query = { customer, 'expand[0]': 'data.latest_charge' };
  for await (const intent of listAll(line, '/v1/payment_intents', { since, query })) yield toPayment(intent);
}

async function* listRefunds(line: StripeLine, since: Date): AsyncGenerator<Refund> {
  const query = { 'expand[0]': 'data.charge' };
  for await (const refund of listAll(line, '/v1/refunds', { since, query })) {
    const charge = isRecord(refund.charge) ? refund.charge : {};
    const refundedCents = Number(charge.amount_refunded ?? 0);
    yield {
      paymentId: typeof refund.payment_intent === 'string' ? refund.payment_intent : undefined,
      chargeId: typeof charge.id === 'string' ? charge.id : textOf(refund, 'id'),
      refundedCents,
      keptCents: Number(charge.amount ?? 0) - refundedCents,
    };
  }
}

/** One of the processor's lists, page by page. */
async function* listAll(
  line: StripeLine,
  path: string,
  { since, query }: { since: Date; query: Record<string, string | undefined> },
): AsyncGenerator<StripeObject> {
  let after: string | undefined;
  for (;;) {
    const { data, has_more } = await line.get(path, {
      ...query,
      limit: 100,
      'created[gte]': Math.max(0, Math.floor(since.getTime() / 1000)),
      starting_after: after,
    });
    const page = (Array.isArray(data) ? data : []).filter(isRecord);
    yield* page;
    const last = page.at(-1);
    if (has_more !== true || last === undefined) return;
    after = textOf(last, 'id');
  }
}

/** The card was refused while the payment was confirmed; the error contains the intent, or else its id. */
function refusedPayment(paymentId: string, error: StripeObject): Payment {
  const intent = isRecord(error.payment_intent) ? toPayment(error.payment_intent) : undefined;
  const failure = failureOf(error);
  if (intent !== undefined) return { ...intent, state: 'refused', failure };
  return {
    paymentId,
    state: 'refused',
    amountCents: 0,
    refundedCents: 0,
    clientSecret: '',
    failure,
    key: '',
    accountId: undefined,
    chargeId: undefined,
  };
}

const states: Readonly<Record<string, Payment['state']>> = {
  requires_confirmation: 'open',
  requires_action: 'action',
  processing: 'waiting',
  succeeded: 'paid',
  canceled: 'canceled',
};

function toPayment(intent: StripeObject): Payment {
  const metadata = isRecord(intent.metadata) ? intent.metadata : {};
  const charge = isRecord(intent.latest_charge) ? intent.latest_charge : {};
  const error = isRecord(intent.last_payment_error) ? intent.last_payment_error : undefined;
  const status = String(intent.status);
  return {
    paymentId: textOf(intent, 'id'),
    // Without a payment method it was refused, or, without an error about the card, never confirmed.
    state: states[status] ?? (error === undefined ? 'open' : 'refused'),
    amountCents: Number(intent.amount ?? 0),
    refundedCents: Number(charge.amount_refunded ?? 0),
    clientSecret: typeof intent.client_secret === 'string' ? intent.client_secret : '',
    failure: error && failureOf(error),
    key: typeof metadata.key === 'string' ? metadata.key : '',
    accountId: idOf(metadata.account),
    chargeId: idOf(metadata.charge),
  };
}

function idOf(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** The cardholder isn't told that the bank considers the card stolen; somebody else may be reading. */
const plainDecline = 'Your card was declined.';
const untold = ['lost_card', 'stolen_card', 'pickup_card', 'fraudulent', 'merchant_blacklist'];
/** Organizations' purchasing cards are restricted to certain shops. */
const restricted = ['card_not_supported', 'transaction_not_allowed', 'restricted_card'];

function failureOf(error: StripeObject): { code: string; message: string } {
  const code = String(error.decline_code ?? error.code ?? 'declined');
  const message = typeof error.message === 'string' ? error.message.slice(0, 300) : plainDecline;
  if (untold.includes(code)) return { code: 'declined', message: plainDecline };
  if (restricted.includes(code)) return { code, message: '03 Invalid Merchant ID' };
  return { code, message };
}

function textOf(object: StripeObject, name: string): string {
  const value = object[name];
  if (typeof value !== 'string') throw new ProcessorError('lost', 'unreadable', `the reply has no ${name}`);
  return value;
}

/** Allowed seconds of difference in a webhook's timestamp. */
const toleranceSeconds = 300;

function readHook({
  secret,
  signature,
  body,
}: {
  secret: string;
  signature: string;
  body: Buffer;
}): ReturnType<CardProcessor['readHook']> {
  const parts = signature.split(',').map((part) => part.trim().split('='));
  const stamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  const expected = createHmac('sha256', secret).update(`${stamp}.`).update(body).digest('hex');
  const isRight = parts.some(([name, value]) => name === 'v1' && equalSecrets(value ?? '', expected));
  const isRecent = Math.abs(machineNowMs() / 1000 - Number(stamp)) <= toleranceSeconds;
  if (!isRight || !isRecent) throw new HookRefused();
  const event = parseObject(body.toString('utf8'));
  const data = isRecord(event?.data) ? event.data : {};
  const object = isRecord(data.object) ? data.object : {};
  // Charges, refunds and disputes name their payment.
  const paymentId = object.object === 'payment_intent' ? object.id : object.payment_intent;
  if (typeof paymentId !== 'string') return undefined;
  return { paymentId, saysPaid: event?.type === 'payment_intent.succeeded' };
}
