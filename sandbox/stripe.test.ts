import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from './app.ts';
import { parseConfig } from './config.ts';

let sandbox: Sandbox;
let stripe: Stripe;
const heard: { body: string; signature: string }[] = [];
const listener = createServer(async (request, response) => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  heard.push({
    body: Buffer.concat(pieces).toString(),
    signature: String(request.headers['stripe-signature']),
  });
  response.end();
});

beforeAll(async () => {
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  sandbox = await startSandbox(
    parseConfig({ SANDBOX_PORT: '0', STRIPE_WEBHOOK_URL: `http://127.0.0.1:${port}/hooks` }),
  );
  stripe = new Stripe('sk_test_sandbox', {
    host: '127.0.0.1',
    port: sandbox.port,
    protocol: 'http',
    apiVersion: '2023-08-16' as never,
    telemetry: false,
    maxNetworkRetries: 0,
  });
});

afterAll(async () => {
  await sandbox.close();
  listener.close();
  listener.closeAllConnections();
});

it('takes a card, charges it once per key, and refunds it, as Stripe’s own library asks', async () => {
  const customer = await stripe.customers.create({ name: 'Town of Example', metadata: { account: '7' } });
  const setup = await stripe.setupIntents.create({
    customer: customer.id,
    payment_method: 'pm_card_visa',
    confirm: true,
    usage: 'off_session',
  });
  expect(setup.status).toBe('succeeded');
  const payment = {
    amount: 2500,
    currency: 'usd',
    customer: customer.id,
    payment_method: String(setup.payment_method),
    payment_method_types: ['card'],
    confirm: true,
    off_session: true,
  };
  const first = await stripe.paymentIntents.create(payment, { idempotencyKey: 'one' });
  const again = await stripe.paymentIntents.create(payment, { idempotencyKey: 'one' });
  expect([first.status, again.id]).toEqual(['succeeded', first.id]);
  const other = stripe.paymentIntents.create({ ...payment, amount: 1 }, { idempotencyKey: 'one' });
  await expect(other).rejects.toMatchObject({ type: 'StripeIdempotencyError' });
  await stripe.refunds.create({ payment_intent: first.id, amount: 500 });
  const answer = await fetch(`${sandbox.url}/processor/payments`);
  expect(((await answer.json()) as { Items: object[] }).Items).toMatchObject([
    {
      PaymentID: first.id,
      CustomerID: customer.id,
      AmountCents: 2500,
      RefundedCents: 500,
      Status: 'succeeded',
      IdempotencyKey: 'one',
      CreatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    },
  ]);
});

it('lists refunds by their own dates, page by page, with the charge that they belong to', async () => {
  const faults = (change: object) =>
    fetch(`${sandbox.url}/processor/faults`, { method: 'PUT', body: JSON.stringify(change) });
  await faults({ DatedBackMs: 40 * 86_400_000 });
  const old = await stripe.paymentIntents.create({
    ...{ amount: 900, currency: 'usd', payment_method: 'pm_card_visa', confirm: true },
  });
  await faults({});
  for (const amount of [100, 200, 300]) await stripe.refunds.create({ payment_intent: old.id, amount });
  const recent = { created: { gte: Math.floor(Date.now() / 1000) - 86_400 } };
  // The payment is too old for a list of these days; its refunds are not.
  const payments = await stripe.paymentIntents.list({ ...recent, limit: 100 });
  expect(payments.data.map(({ id }) => id)).not.toContain(old.id);
  const refunds: Stripe.Refund[] = [];
  const pages = stripe.refunds.list({ ...recent, payment_intent: old.id, limit: 2, expand: ['data.charge'] });
  for await (const refund of pages) refunds.push(refund);
  expect(refunds.map(({ amount }) => amount)).toEqual([300, 200, 100]);
  expect(refunds[0]?.charge).toMatchObject({ amount: 900, amount_refunded: 600 });
  await fetch(`${sandbox.url}/processor/refunds/${refunds[0]?.id}/fail`, { method: 'POST' });
  const charge = (await stripe.refunds.retrieve(refunds[0]?.id ?? '', { expand: ['charge'] })).charge;
  expect(charge).toMatchObject({ amount_refunded: 300 });
});

it('knows the cards that scripts rely on by their numbers', async () => {
  const typed = (number: string) =>
    stripe.paymentMethods.create({
      type: 'card',
      card: { number, exp_month: 12, exp_year: 2034, cvc: '123' },
    });
  const pay = async (number: string) =>
    stripe.paymentIntents.create({
      ...{ amount: 100, currency: 'usd', confirm: true, off_session: true },
      payment_method: (await typed(number)).id,
    });
  expect((await pay('4242424242424242')).status).toBe('succeeded');
  await expect(pay('4000000000000002')).rejects.toMatchObject({ code: 'card_declined' });
  await expect(pay('4000000000009995')).rejects.toMatchObject({ decline_code: 'insufficient_funds' });
  // The bank asks when the card is saved, which the browser does.
  const { id, client_secret } = await stripe.setupIntents.create({ usage: 'off_session' });
  const answer = await fetch(`${sandbox.url}/v1/setup_intents/${id}/confirm`, {
    method: 'POST',
    headers: { authorization: 'Bearer pk_test_sandbox' },
    body: new URLSearchParams({
      payment_method: (await typed('4000002500003155')).id,
      client_secret: client_secret ?? '',
    }),
  });
  const challenged = (await answer.json()) as { status: string };
  expect(challenged.status).toBe('requires_action');
});

it('refuses cards as they are meant to be refused', async () => {
  const pay = (payment_method: string) =>
    stripe.paymentIntents.create({
      amount: 100,
      currency: 'usd',
      payment_method,
      confirm: true,
      off_session: true,
    });
  await expect(pay('pm_card_visa_chargeDeclined')).rejects.toMatchObject({ code: 'card_declined' });
  await expect(pay('pm_card_visa_chargeDeclinedInsufficientFunds')).rejects.toMatchObject({
    decline_code: 'insufficient_funds',
  });
  await expect(pay('pm_card_authenticationRequired')).rejects.toMatchObject({
    code: 'authentication_required',
  });
  await expect(pay('pm_card_purchasing')).rejects.toMatchObject({
    message: 'Declined: 03 Invalid Merchant ID',
  });
});

it('signs webhooks so that Stripe’s own library accepts them', async () => {
  const intent = await stripe.paymentIntents.create({
    ...{ amount: 700, currency: 'usd', payment_method: 'pm_card_visa', confirm: true },
  });
  await expect.poll(() => heard.some(({ body }) => body.includes(intent.id))).toBe(true);
  for (const { body, signature } of heard) {
    expect(stripe.webhooks.constructEvent(body, signature, 'whsec_sandbox').object).toBe('event');
    expect(() => stripe.webhooks.constructEvent(`${body} `, signature, 'whsec_sandbox')).toThrow();
  }
});
