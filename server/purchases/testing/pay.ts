import { sql } from 'kysely';
import { expect } from 'vitest';
import { getAccount } from '../../../contract/accounts.ts';
import { addCreditCard, createCardSetup, createCharge } from '../../../contract/purchases.ts';
import { nowMs, shiftClock } from '../../clock.ts';
import { asSystem } from '../../db.ts';
import { enqueue } from '../../jobs.ts';
import { type BuiltAccount, buildAccount } from '../../testing/builders.ts';
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

/**
 * The browser's part with the processor's script: a setup, confirmed with one of the processor's test cards.
 */
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

/** All requests that the processor has handled. */
export async function listPayments(app: TestApp): Promise<ProcessorPayment[]> {
  const answer = await app.sandbox.control('GET', '/processor/payments');
  return ((await answer.json()) as { Items: ProcessorPayment[] }).Items;
}

/** The net amount that it has charged, in cents. */
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

export const consent = 'I agree to be charged every month.';

/** Shared steps of tests about money, with a clock that they move and reset. */
export function openTill(app: () => TestApp) {
  let shifted = 0;
  const moveClock = (byMs: number) => {
    shiftClock(byMs);
    shifted += byMs;
  };
  return {
    moveClock,
    moveTo: (date: string) => moveClock(Date.parse(date) - nowMs()),
    /** After each test. */
    async putBack(): Promise<void> {
      shiftClock(-shifted);
      shifted = 0;
      await app().sandbox.control('PUT', '/processor/faults', {});
    },
    async run(task: 'renew_plans' | 'resolve_charges' | 'reconcile_payments'): Promise<void> {
      await asSystem(app().database, (trx) => enqueue(trx, task, {}));
      await app().drain();
    },
    async withCard(card = 'pm_card_visa', options: Parameters<typeof buildAccount>[1] = {}) {
      const account = await buildAccount(app(), { credits: 0, ...options });
      const saved = await app().call(
        addCreditCard,
        { body: await setUpCard(app(), account, card) },
        account.owner,
      );
      expect(saved.status).toBe(200);
      return account;
    },
    async balance(account: BuiltAccount): Promise<number> {
      return (await app().call(getAccount, {}, account.owner)).body.CallBalance;
    },
    /** The balance of each book for the account, in cents. */
    async books(account: BuiltAccount): Promise<Record<string, number>> {
      const { rows } = await sql<{ book: string; sum: number }>`
        select book, sum(amount_cents)::bigint as sum from money_entries where account_id = ${account.accountId}
        group by book`.execute(app().database.system);
      return Object.fromEntries(rows.map(({ book, sum }) => [book, sum]));
    },
    subscribe(account: BuiltAccount, MaxPeople: number, more: object = {}) {
      return app().call(
        createCharge,
        { body: { ChargeType: 'SubscriptionUpgrade', MaxPeople, ConsentText: consent, ...more } },
        account.owner,
      );
    },
  };
}
