import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runOperator } from '../operator.ts';
import type { CardProcessor } from '../outside/card-processor.ts';
import { createCardProcessor } from '../outside/stripe-processor.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { closeAtEnd } from '../testing/closers.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { asOwner } from '../testing/test-db.ts';
import { testCredentials } from '../testing/test-sandbox.ts';
import { reconcilePayments } from './reconcile-payments.ts';
import { settleCharge } from './settle-charge.ts';
import { buyCredits, listPayments, openTill } from './testing/pay.ts';

let app: TestApp;
let processor: CardProcessor;
const { balance, books, putBack, run, withCard } = openTill(() => app);
const dayMs = 86_400_000;

beforeAll(async () => {
  app = await testApp({}, { SALES_TAX: 'none' });
  const made = createCardProcessor(app.context.config);
  if (made === undefined) throw new Error('there is no processor');
  processor = made;
  closeAtEnd(() => made.close());
});
const context = (change: Partial<CardProcessor> = {}) => ({
  ...{ database: app.database, log: app.context.log, publicUrl: app.url },
  processor: { ...processor, ...change },
});
// None of the processor's webhooks arrive.
const faults = (change: object = {}) =>
  app.sandbox.control('PUT', '/processor/faults', { WebhookNever: true, ...change });
beforeEach(async () => {
  await faults();
});
afterEach(putBack);

/** Bought so long ago that it isn't in any recent list. */
async function buyLongAgo(account: BuiltAccount, days = 40): Promise<string> {
  await faults({ DatedBackMs: days * dayMs });
  await buyCredits(app, account, 1000);
  await faults();
  await sql`update charges set recorded_at = recorded_at - ${days} * interval '1 day'
    where account_id = ${account.accountId}`.execute(app.database.system);
  return (await listPayments(app)).at(-1)?.PaymentID ?? '';
}
const refund = (paymentId: string, AmountCents?: number) =>
  app.sandbox.control('POST', `/processor/payments/${paymentId}/refund`, { AmountCents });
/** The cardholder's bank returns the last refund. */
async function failLastRefund(): Promise<void> {
  const answer = await app.sandbox.control('GET', '/processor/refunds');
  const { Items } = (await answer.json()) as { Items: { RefundID: string }[] };
  await app.sandbox.control('POST', `/processor/refunds/${Items.at(-1)?.RefundID}/fail`);
}
const chargeOf = async (account: BuiltAccount) => {
  const { rows } = await sql<{ charge_id: number }>`select charge_id from charges
    where account_id = ${account.accountId}`.execute(app.database.system);
  return rows[0]?.charge_id ?? 0;
};
const countRefunds = async (account: BuiltAccount) => {
  const { rows } = await sql<{ cents: number }>`select amount_cents as cents from refunds
    where account_id = ${account.accountId} order by refund_id`.execute(app.database.system);
  return rows.map(({ cents }) => cents);
};
const differences = () => runOperator(app.database, ['differences']);
const last = async () => {
  const { rows } = await sql<Record<string, number>>`
    select refunds, mended, returned, unexplained, missing from reconciliations
    order by reconciliation_id desc limit 1`.execute(app.database.system);
  return rows[0];
};

describe('a refund that was made at the processor', () => {
  it('of an old payment is booked once, even without any webhook', async () => {
    const account = await withCard();
    const payment = await buyLongAgo(account);
    await run('reconcile_payments');
    await refund(payment, 1000);
    await refund(payment, 1500);
    await run('reconcile_payments');
    expect(await last()).toMatchObject({ mended: 1 });
    await run('reconcile_payments');
    expect(await last()).toMatchObject({ mended: 0 });
    expect(await countRefunds(account)).toEqual([2500]);
    expect([await balance(account), await books(account)]).toEqual([500, { cash: 2500, credits: -2500 }]);
    expect(await differences()).toEqual(['The books are what the card processor says.']);
  });

  it('is found later if the comparison didn’t run for weeks', async () => {
    const account = await withCard();
    const payment = await buyLongAgo(account, 200);
    await faults({ DatedBackMs: 60 * dayMs });
    await refund(payment, 1000);
    await faults();
    await asOwner(app.databaseUrl, (client) =>
      client.query(`update reconciliations set created_at = created_at - interval '30 days'`),
    );
    await run('reconcile_payments');
    expect(await countRefunds(account)).toEqual([1000]);
  });

  it('is found in a list of several pages', async () => {
    const account = await withCard();
    const payment = await buyLongAgo(account);
    await refund(payment, 4000);
    const other = await buyLongAgo(await withCard());
    for (let part = 0; part < 105; part += 1) await refund(other, 1);
    await run('reconcile_payments');
    expect(await countRefunds(account)).toEqual([4000]);
  });

  it('that the bank returned is owed to the cardholder, until it is refunded again', async () => {
    const account = await withCard();
    const payment = await buyLongAgo(account);
    await refund(payment, 2000);
    await run('reconcile_payments');
    await failLastRefund();
    for (const _ of ['first', 'second']) {
      await run('reconcile_payments');
      expect(await books(account)).toEqual({ cash: 5000, credits: -3000, deferred: -2000 });
      expect(await differences()).toEqual([
        expect.stringMatching(`${payment}.*\\$20\\.00 was refunded and came back`),
      ]);
    }
    await refund(payment, 2500);
    await run('reconcile_payments');
    expect(await books(account)).toEqual({ cash: 2500, credits: -2500, deferred: 0 });
    expect(await countRefunds(account)).toEqual([2000, 500]);
    expect(await differences()).toEqual(['The books are what the card processor says.']);
  });

  it.each([
    ['in whole', []],
    ['in part', ['10.00']],
  ])('and that the bank returned can be refunded again by the operator: %s', async (_, dollars) => {
    const account = await withCard();
    const payment = await buyLongAgo(account);
    const charge = String(await chargeOf(account));
    const refundByCommand = async () => {
      await runOperator(app.database, ['refund', String(account.accountId), charge, ...dollars]);
      await app.drain();
    };
    const left = async () => (await books(account)).cash;
    await refundByCommand();
    const afterRefund = await left();
    await failLastRefund();
    await run('reconcile_payments');
    expect(await left()).toBe(5000);
    await refundByCommand();
    expect(await left()).toBe(afterRefund);
    expect((await books(account)).deferred).toBe(0);
    await run('reconcile_payments');
    expect((await differences()).join()).not.toContain(payment);
  });

  it('and that was read before a later one was booked has not come back', async () => {
    const account = await withCard();
    const payment = await buyLongAgo(account);
    await refund(payment, 1000);
    const older = await processor.readPayment(payment);
    await refund(payment, 1500);
    await run('reconcile_payments');
    const of = { accountId: account.accountId, chargeId: await chargeOf(account) };
    expect(await settleCharge(context(), of, older)).toBe('paid');
    expect(await books(account)).toEqual({ cash: 2500, credits: -2500 });
    expect((await differences()).join()).not.toContain(payment);
  });

  it('is reported again if it comes back a second time, even if the first time was explained', async () => {
    const account = await withCard();
    const payment = await buyLongAgo(account);
    for (const _ of ['first', 'second']) {
      await refund(payment, 2000);
      await run('reconcile_payments');
      expect((await differences()).join()).not.toContain(payment);
      await failLastRefund();
      await run('reconcile_payments');
      expect((await differences()).join()).toContain(`${payment}  `);
      await runOperator(app.database, ['explained', payment, 'Paid', 'by', 'check']);
      await run('reconcile_payments');
      expect((await differences()).join()).not.toContain(payment);
    }
    const { rows } = await sql<{ actor: string; changes: unknown }>`
      select actor_kind as actor, changes from events
      where account_id = ${account.accountId} and kind = 'charge.explained'`.execute(app.database.system);
    const explained = {
      actor: 'operator',
      changes: { Difference: 'returned', Explanation: 'Paid by check' },
    };
    expect(rows).toEqual([explained, explained]);
  });
});

describe('a payment that is not in the books', () => {
  it('is reported once, and stays on the list until it is explained', async () => {
    await buildAccount(app);
    const answer = await fetch(`${app.sandbox.url}/v1/payment_intents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testCredentials.STRIPE_SECRET_KEY}` },
      body: new URLSearchParams({
        ...{ amount: '777', currency: 'usd', payment_method: 'pm_card_visa', confirm: 'true' },
      }),
    });
    const { id } = (await answer.json()) as { id: string };
    await run('reconcile_payments');
    await run('reconcile_payments');
    const found = (await differences()).filter((line) => line.includes(id));
    expect(found).toEqual([expect.stringContaining('$7.77 at the processor, not in the books.')]);
    const { rows } = await sql<{ found: Date }>`select found_at as found from payment_differences
      where payment_id = ${id}`.execute(app.database.system);
    await run('reconcile_payments');
    const { rows: later } = await sql<{ found: Date }>`select found_at as found from payment_differences
      where payment_id = ${id}`.execute(app.database.system);
    expect(later).toEqual(rows);
    expect(await runOperator(app.database, ['explained', id])).toEqual([
      'Say how it came about: "Paid by check 4410".',
    ]);
    await runOperator(app.database, ['explained', id, 'Our', 'own', 'test']);
    await run('reconcile_payments');
    expect((await differences()).join()).not.toContain(id);
    // Another property of it differs now.
    await refund(id, 100);
    await run('reconcile_payments');
    expect((await differences()).join()).toContain('$6.77');
    await refund(id);
    await run('reconcile_payments');
    expect((await differences()).join()).not.toContain(id);
  });

  it('stays on the list until it is refunded in full, if the processor has only a charge for it', async () => {
    const reconcile = (keptCents: number) =>
      reconcilePayments(
        context({
          async *listRefunds() {
            yield {
              paymentId: undefined,
              chargeId: 'ch_of_nobody',
              refundedCents: 1000 - keptCents,
              keptCents,
            };
          },
        }),
      );
    await reconcile(400);
    await reconcile(400);
    expect((await differences()).join()).toContain('$4.00 at the processor, not in the books.');
    await reconcile(0);
    expect((await differences()).join()).not.toContain('ch_of_nobody');
  });
});
