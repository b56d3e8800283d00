import { sql } from 'kysely';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { addCreditCard, createCharge, getAutoRefill, updateAutoRefill } from '../../contract/purchases.ts';
import { shiftClock } from '../clock.ts';
import { ProcessorError } from '../outside/card-processor.ts';
import { createSalesTax, type SalesTax } from '../outside/sales-tax.ts';
import { createCardProcessor } from '../outside/stripe-processor.ts';
import { buildAccount } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { refillCredits, renewSubscription, type UnattendedContext } from './charge-unattended.ts';
import { reconcilePayments } from './reconcile-payments.ts';
import { renewPlans } from './renew-plans.ts';
import { setUpCard } from './testing/pay.ts';

let app: TestApp;
let shifted = 0;

beforeAll(async () => {
  app = await testApp({ '14235550100': 'infobip' }, { SALES_TAX: 'stripe' });
});

afterEach(async () => {
  shiftClock(-shifted);
  shifted = 0;
  await app.sandbox.control('PUT', '/processor/faults', {});
});

/** A separate worker. With a gate, it has read the due rows and waits for the tax office. */
function worker(gate?: { arrived: () => void; opened: Promise<void> }): UnattendedContext {
  const processor = createCardProcessor(app.context.config);
  if (processor === undefined) throw new Error('no card processor');
  const office = createSalesTax(app.context.config);
  const salesTax: SalesTax = {
    ...office,
    async quote(...asked) {
      gate?.arrived();
      await gate?.opened;
      return office.quote(...asked);
    },
  };
  return { database: app.database, processor, salesTax, publicUrl: app.context.config.PUBLIC_URL };
}

/** Runs `charge` in two workers. One of them has read the due rows before the other pays them. */
async function raceTwo(charge: (context: UnattendedContext) => Promise<boolean>): Promise<boolean[]> {
  const arrived = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const late = charge(worker({ arrived: arrived.resolve, opened: opened.promise }));
  await arrived.promise;
  const first = await charge(worker());
  opened.resolve();
  return [first, await late];
}

async function countPaid(accountId: number, chargeType: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from charges
    where account_id = ${accountId} and charge_type = ${chargeType}`.execute(app.database.system);
  return rows[0]?.count ?? 0;
}

async function withCard() {
  const account = await buildAccount(app, { credits: 0 });
  const body = await setUpCard(app, account);
  expect((await app.call(addCreditCard, { body }, account.owner)).status).toBe(200);
  return account;
}

async function withSubscription() {
  const account = await withCard();
  const body = { ChargeType: 'SubscriptionUpgrade', MaxPeople: 500, ConsentText: 'I agree.' } as const;
  expect((await app.call(createCharge, { body }, account.owner)).body.Status).toBe('Paid');
  return account;
}

function moveClock(days: number): void {
  shiftClock(days * 86_400_000);
  shifted += days * 86_400_000;
}

it('charges once for a refill that two workers see', async () => {
  const account = await withCard();
  const body = { IsEnabled: true, NumberOfRefillCredits: 5000, TriggerAmount: 500 };
  await app.call(updateAutoRefill, { body }, account.owner);
  const { rows } = await sql<{ id: number }>`select auto_refill_request_id as id from refill_requests
    where account_id = ${account.accountId}`.execute(app.database.system);
  const requestId = rows[0]?.id ?? 0;
  const charged = await raceTwo((context) =>
    refillCredits(context, { accountId: account.accountId, requestId }),
  );
  expect(charged).toEqual([true, false]);
  expect(await countPaid(account.accountId, 'AutoRefill')).toBe(1);
});

it('charges once for a month that two workers see begin', async () => {
  const account = await withSubscription();
  moveClock(32);
  const charged = await raceTwo((context) => renewSubscription(context, account.accountId));
  expect(charged).toEqual([true, false]);
  expect(await countPaid(account.accountId, 'SubscriptionRenewal')).toBe(1);
});

it('waits for the next minute while the tax office is down', async () => {
  const account = await withSubscription();
  moveClock(32);
  await app.sandbox.control('PUT', '/processor/faults', { TaxDown: true });
  const context = { ...worker(), config: app.context.config, log: app.context.log };
  expect(await renewPlans(context)).toBe(false);
  await app.sandbox.control('PUT', '/processor/faults', {});
  expect(await renewPlans(context)).toBe(true);
  expect(await countPaid(account.accountId, 'SubscriptionRenewal')).toBe(1);
});

it('notices a payment in the books that the processor doesn’t know', async () => {
  const account = await withSubscription();
  const context = { ...worker(), log: app.context.log };
  // Older than the time that the comparison leaves for the next day.
  await sql`update charges set recorded_at = now() - interval '1 hour'
    where account_id = ${account.accountId}`.execute(app.database.system);
  expect((await reconcilePayments(context)).missing).toBe(0);
  await sql`update charges set payment_id = 'pi_unknown' where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
  expect((await reconcilePayments(context)).missing).toBe(1);
});

it('says so when an amount is too small for the processor', async () => {
  const account = await withCard();
  const context = worker();
  const processor = {
    ...context.processor,
    createPayment: () => Promise.reject(new ProcessorError('refused', 'amount_too_small', '400')),
  };
  const body = { IsEnabled: true, NumberOfRefillCredits: 100, TriggerAmount: 500 };
  await app.call(updateAutoRefill, { body }, account.owner);
  const { rows } = await sql<{ id: number }>`select auto_refill_request_id as id from refill_requests
    where account_id = ${account.accountId}`.execute(app.database.system);
  await refillCredits(
    { ...context, processor },
    { accountId: account.accountId, requestId: rows[0]?.id ?? 0 },
  );
  const setting = await app.call(getAutoRefill, {}, account.owner);
  expect(setting.body.Error?.Message).toBe(
    'The card processor takes no payments under $0.50. Nothing was charged.',
  );
});
