import { createCardSetup, createCharge } from '../../../contract/purchases.ts';
import type { BuiltAccount } from '../../testing/builders.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { testCredentials } from '../../testing/test-sandbox.ts';

export const billing = {
  FirstName: 'Dana',
  LastName: 'Whitfield',
  BillingAddress1: '410 Mill Street',
  BillingCity: 'Chattanooga',
  BillingState: 'TN',
  BillingZipCode: '37402',
};

/** What the browser does with the processor's script: a setup, confirmed with one of the processor's test cards. */
export async function setUpCard(app: TestApp, account: BuiltAccount, card = 'pm_card_visa') {
  const setup = await app.call(createCardSetup, { body: {} }, account.owner);
  if (setup.status !== 200) throw new Error(`no setup: ${JSON.stringify(setup.body)}`);
  const answer = await fetch(`${app.sandbox.url}/v1/setup_intents/${setup.body.SetupIntentID}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testCredentials.STRIPE_SECRET_KEY}` },
    body: new URLSearchParams({ payment_method: card }),
  });
  if (!answer.ok) throw new Error(`not confirmed: ${await answer.text()}`);
  return { ...billing, SetupIntentID: setup.body.SetupIntentID };
}

export interface ProcessorPayment {
  PaymentID: string;
  CustomerID: string;
  AmountCents: number;
  RefundedCents: number;
  Status: string;
  IdempotencyKey: string;
}

/** Everything that the processor ever did. */
export async function listPayments(app: TestApp): Promise<ProcessorPayment[]> {
  const answer = await app.sandbox.control('GET', '/processor/payments');
  return ((await answer.json()) as { Items: ProcessorPayment[] }).Items;
}

/** What it has taken and not given back, in cents. */
export async function takenCents(app: TestApp): Promise<number> {
  const paid = (await listPayments(app)).filter(({ Status }) => Status === 'succeeded');
  return paid.reduce((sum, payment) => sum + payment.AmountCents - payment.RefundedCents, 0);
}

export function buyCredits(
  app: TestApp,
  account: BuiltAccount,
  NumberOfCredits: number,
  more: { CreditCard?: Awaited<ReturnType<typeof setUpCard>>; key?: string; TotalAmount?: number } = {},
) {
  const { key, ...body } = more;
  return app.call(
    createCharge,
    { body: { ChargeType: 'CreditPurchase', NumberOfCredits, ...body } },
    { ...account.owner, ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }) },
  );
}
