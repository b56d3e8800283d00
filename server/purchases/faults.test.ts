import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { getAccount } from '../../contract/accounts.ts';
import { getBroadcast, updateBroadcast } from '../../contract/broadcasts.ts';
import { addInvoiceAddress, createInvoice, getInvoice, payInvoice } from '../../contract/invoices.ts';
import { listBillingHistory, previewCharge } from '../../contract/purchases.ts';
import { moveCredits } from '../billing/move-credits.ts';
import { asSystem } from '../db.ts';
import { runOperator } from '../operator.ts';
import { aBroadcast } from '../testing/broadcasts.ts';
import type { BuiltAccount } from '../testing/builders.ts';
import { downloadFile } from '../testing/download-file.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { asOwner } from '../testing/test-db.ts';
import { testCredentials } from '../testing/test-sandbox.ts';
import { buyCredits, listPayments, openTill, takenCents } from './testing/pay.ts';

let app: TestApp;
const { balance, books, moveClock, moveTo, putBack, run, subscribe, withCard } = openTill(() => app);

beforeAll(async () => {
  app = await testApp(
    { '14235550100': 'infobip', '18655550100': 'infobip' },
    // Long enough for the sandbox, and short enough for tests of time-outs.
    { SALES_TAX: 'none', STRIPE_TIMEOUT_MS: '1000' },
  );
});
afterEach(putBack);

const operate = (words: string) => runOperator(app.database, words.split(' '));

async function spend(account: BuiltAccount, credits: number): Promise<void> {
  const { accountId } = account;
  await asSystem(app.database, (trx) =>
    moveCredits(trx, [
      { accountId, kind: 'reserve', credits },
      { accountId, kind: 'settle', credits },
    ]),
  );
}

async function handedTexts(broadcastId: number): Promise<number> {
  const { rows } = await sql<{ texts: number }>`select count(*)::int as texts from messages
    where broadcast_id = ${broadcastId} and handed_at is not null`.execute(app.database.system);
  return rows[0]?.texts ?? 0;
}

describe('a purchase', () => {
  it('is delivered by the webhook if that arrives first, and once', async () => {
    const account = await withCard('pm_card_authenticationRequired');
    const asked = await buyCredits(app, account, 1000);
    const secret = asked.body.ClientSecret ?? '';
    await fetch(`${app.sandbox.url}/v1/payment_intents/${secret.split('_secret_')[0]}/confirm`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testCredentials.STRIPE_PUBLISHABLE_KEY}` },
      body: new URLSearchParams({ client_secret: secret, challenge: 'pass' }),
    });
    await app.until(async () => (await balance(account)) === 1000);
    await run('resolve_charges');
    await run('reconcile_payments');
    expect(await balance(account)).toBe(1000);
    expect(await books(account)).toEqual({ cash: 5000, credits: -5000 });
  });

  it('is refused with a card that expired between preview and charge', async () => {
    const account = await withCard();
    const preview = await app.call(
      previewCharge,
      { body: { ChargeType: 'CreditPurchase', NumberOfCredits: 1000 } },
      account.owner,
    );
    expect(preview.body.TotalAmount).toBe(50);
    await sql`update cards set expires_month = 1, expires_year = 2026 where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    const taken = await takenCents(app);
    expect(refusalOf(await buyCredits(app, account, 1000, { TotalAmount: 50 }))).toMatchObject({
      status: 402,
      Message: 'Credit card is expired.',
    });
    expect([await takenCents(app), await balance(account)]).toEqual([taken, 0]);
  });

  it('that never reached the processor is canceled, and its money never taken', async () => {
    const account = await withCard();
    const taken = await takenCents(app);
    // No response to any payment request, before anything happened: like a time-out.
    await app.sandbox.control('PUT', '/processor/faults', { PaymentError: true });
    expect((await buyCredits(app, account, 1000)).status).not.toBe(200);
    await putBack();
    await run('resolve_charges');
    await run('reconcile_payments');
    expect([await takenCents(app), await balance(account)]).toEqual([taken, 0]);
    expect((await buyCredits(app, account, 1000)).body.Status).toBe('Paid');
    expect(await balance(account)).toBe(1000);
  });
});

describe('a processor that doesn’t answer in time', () => {
  it('before it charged: nothing is taken, and an open payment is canceled', async () => {
    const account = await withCard();
    const taken = await takenCents(app);
    await app.sandbox.control('PUT', '/processor/faults', { ConfirmTimeoutBefore: true, WebhookNever: true });
    const asked = await buyCredits(app, account, 1000, { key: 'silent' });
    expect(asked.body).toMatchObject({ Status: 'Pending' });
    // Nothing else can be bought before the result of this is known.
    expect((await buyCredits(app, account, 2000)).status).toBe(409);
    await putBack();
    expect((await buyCredits(app, account, 1000, { key: 'silent' })).body).toEqual(asked.body);
    moveClock(2 * 60_000);
    await run('resolve_charges');
    expect(refusalOf(await buyCredits(app, account, 1000, { key: 'silent' })).Message).toBe(
      'The payment was not confirmed in time, so nothing was charged.',
    );
    expect([await takenCents(app), await balance(account), await books(account)]).toEqual([taken, 0, {}]);
  });

  it('after it charged: it is asked, and the purchase is recorded once', async () => {
    const account = await withCard();
    const taken = await takenCents(app);
    await app.sandbox.control('PUT', '/processor/faults', { ConfirmTimeoutAfter: true, WebhookNever: true });
    const bought = await buyCredits(app, account, 1000, { key: 'late' });
    expect(bought.body.Status).toBe('Paid');
    expect((await buyCredits(app, account, 1000, { key: 'late' })).body).toEqual(bought.body);
    await run('resolve_charges');
    await run('reconcile_payments');
    expect([(await takenCents(app)) - taken, await balance(account)]).toEqual([5000, 1000]);
    expect(await books(account)).toEqual({ cash: 5000, credits: -5000 });
  });

  it('completely silent, a renewal is charged when it responds again, and once', async () => {
    await app.sandbox.control('PUT', '/processor/faults', { WebhookNever: true });
    moveTo('2027-01-05T12:00:00Z');
    const account = await withCard();
    await subscribe(account, 100);
    moveTo('2027-02-05T12:01:00Z');
    await app.sandbox.control('PUT', '/processor/faults', { TimeoutBefore: 1, WebhookNever: true });
    await run('renew_plans');
    expect(await books(account)).toMatchObject({ cash: 1200 });
    await app.sandbox.control('PUT', '/processor/faults', { TimeoutAfter: 1, WebhookNever: true });
    moveClock(2 * 60_000);
    await run('resolve_charges');
    await app.sandbox.control('PUT', '/processor/faults', {});
    moveClock(2 * 60_000);
    await run('resolve_charges');
    await run('renew_plans');
    expect((await books(account)).cash).toBe(2 * 1200);
  });
});

describe('a subscription', () => {
  it('upgraded and downgraded in one period costs the value of each', async () => {
    moveTo('2027-04-01T12:00:00Z');
    const account = await withCard();
    await subscribe(account, 500);
    expect((await subscribe(account, 100)).body.TotalAmount).toBe(0);
    moveTo('2027-04-11T12:00:00Z');
    // The larger one cancels the planned change, with credit for twenty of thirty days.
    const { body } = await subscribe(account, 1000);
    expect(body.TotalAmount).toBeCloseTo(79 - 30, 1);
    expect((await app.call(getAccount, {}, account.owner)).body).toMatchObject({
      MonthlyLevel: 1000,
      NextMonthlyLevel: null,
    });
    moveTo('2027-05-11T12:01:00Z');
    await run('renew_plans');
    await run('renew_plans');
    const { cash = 0 } = await books(account);
    expect(cash).toBe(4500 + Math.round(body.TotalAmount * 100) + 7900);
  });

  it('begins its month while a broadcast runs: one renewal, and every text once', async () => {
    moveTo('2027-06-01T12:00:00Z');
    const account = await withCard('pm_card_visa', { numbers: { '14235550100': 'infobip' } });
    await subscribe(account, 100);
    const sender = {
      ...{ accountId: account.accountId, userId: account.owner.userId },
      textNumberId: account.numbers['14235550100'] ?? 0,
    };
    const broadcastId = await aBroadcast(app.database, sender, { count: 30, creditsEach: 0, perMinute: 600 });
    moveTo('2027-07-01T12:01:00Z');
    await Promise.all([app.drain(), run('renew_plans'), run('renew_plans')]);
    await app.until(async () => {
      const { rows } = await sql<{ texts: number; phones: number }>`
        select count(*)::int as texts, count(distinct phone)::int as phones from messages
        where account_id = ${account.accountId} and broadcast_id = ${broadcastId} and handed_at is not null`.execute(
        app.database.system,
      );
      return rows[0]?.texts === 30 && rows[0].phones === 30;
    });
    expect((await books(account)).cash).toBe(2 * 1200);
    expect((await app.call(getAccount, {}, account.owner)).body).toMatchObject({
      AccountStatusID: 0,
      SubscriptionCycleStartDate: expect.stringMatching(/^2027-07-01/),
    });
  });

  it('is charged for pictures of a broadcast, if the operator enables it, with the next month', async () => {
    moveTo('2027-08-01T12:00:00Z');
    const account = await withCard('pm_card_visa', { numbers: { '18655550100': 'infobip' } });
    await subscribe(account, 100);
    const sender = {
      ...{ accountId: account.accountId, userId: account.owner.userId },
      textNumberId: account.numbers['18655550100'] ?? 0,
    };
    const begin = async (perMinute: number | null = null) => {
      const BroadcastID = await aBroadcast(app.database, sender, {
        ...{ count: 50, creditsEach: 0, status: 'scheduled', startAt: new Date(Date.now() + 86_400_000) },
        perMinute,
      });
      await sql`with picture as (
          insert into media (account_id, public_key, content_type, file_name, byte_size, width, height, content_hash)
          values (${account.accountId}, gen_random_uuid()::text, 'image/png', 'x.png', 100, 10, 10, gen_random_uuid()::text)
          returning media_id)
        update broadcasts set media_ids = array[(select media_id from picture)], next_feed_at = now(), status = 'broadcasting'
        where account_id = ${account.accountId} and broadcast_id = ${BroadcastID}`.execute(
        app.database.system,
      );
      return BroadcastID;
    };
    const send = async () => {
      const BroadcastID = await begin();
      await app.until(async () => {
        const { rows } = await sql<{ status: string }>`
          select status from broadcasts where broadcast_id = ${BroadcastID}`.execute(app.database.system);
        return rows[0]?.status === 'completed';
      });
      return (await app.call(getBroadcast, { params: { BroadcastID } }, account.owner)).body;
    };
    expect((await send()).EnhancedMessageAddOnCharge).toBeNull();
    await operate(`mms ${account.accountId} on`);
    expect((await send()).EnhancedMessageAddOnCharge).toEqual({ ChargeAmount: 1 });
    // A broadcast canceled midway: for the pictures that were sent.
    const BroadcastID = await begin(60);
    await app.until(async () => (await handedTexts(BroadcastID)) > 0);
    const params = { BroadcastID };
    await app.call(updateBroadcast, { params, body: { BroadcastStatus: 'Canceled' } }, account.owner);
    await app.drain();
    const texts = await handedTexts(BroadcastID);
    expect(texts).toBeLessThan(50);
    const canceled = (await app.call(getBroadcast, { params }, account.owner)).body;
    expect(canceled.EnhancedMessageAddOnCharge).toEqual({ ChargeAmount: (texts * 2) / 100 });
    moveTo('2027-09-01T12:01:00Z');
    await run('renew_plans');
    expect(await books(account)).toMatchObject({ cash: 1200 + 1200 + 100 + texts * 2 });
  });
});

describe('a refund', () => {
  it('that was requested twice, or got no response, is made once', async () => {
    const account = await withCard();
    const { body } = await buyCredits(app, account, 1000);
    const { accountId } = account;
    await app.sandbox.control('PUT', '/processor/faults', { TimeoutAfter: 1, WebhookNever: true });
    await operate(`refund ${accountId} ${body.ChargeID} 10`);
    await expect(app.drain()).rejects.toThrow('refund_charge failed: no answer in time');
    await app.sandbox.control('PUT', '/processor/faults', {});
    // The same again, by a user who saw no result, and a retry of the first one.
    await operate(`refund ${accountId} ${body.ChargeID} 10`);
    await asOwner(app.databaseUrl, (client) =>
      client.query('update graphile_worker._private_jobs set run_at = now() where last_error is not null'),
    );
    await app.drain();
    await run('reconcile_payments');
    expect((await listPayments(app)).at(-1)).toMatchObject({ AmountCents: 5000, RefundedCents: 1000 });
    expect([await balance(account), await books(account)]).toEqual([800, { cash: 4000, credits: -4000 }]);
  });
});

describe('an invoice', () => {
  const address = { Address3: '410 Mill Street', City: 'Chattanooga', State: 'TN', PostalCode: '37402' };

  async function anInvoice(account: BuiltAccount, NumberOfCredits: number): Promise<number> {
    const params = { AccountID: account.accountId };
    const { AddressID } = (await app.call(addInvoiceAddress, { params, body: address }, account.owner)).body;
    const body = { NumberOfCredits, InvoiceAddressID: AddressID };
    return (await app.call(createInvoice, { body }, account.owner)).body.InvoiceID;
  }
  const read = async (account: BuiltAccount, InvoiceID: number) =>
    (await app.call(getInvoice, { params: { InvoiceID } }, account.owner)).body;

  it('is paid by check in parts, which never touch the processor’s cash', async () => {
    const account = await withCard();
    const id = await anInvoice(account, 1000);
    const { accountId } = account;
    expect(await operate(`offline ${accountId} on`)).toEqual([expect.stringContaining('is on')]);
    expect(await operate(`payment ${accountId} ${id} 20 Check 20117`)).toEqual([
      expect.stringMatching(/\$20\.00 for invoice \d+ by Check 20117\. \$30\.00 is due\.$/),
    ]);
    await expect(operate(`payment ${accountId} ${id} 30.01 Check 1`)).rejects.toThrow('Only $30.00 is due.');
    await expect(operate(`payment ${accountId} ${id} much Check 1`)).rejects.toThrow('Say dollars');
    expect(await balance(account)).toBe(0);
    expect((await operate(`payment ${accountId} ${id} 30.00 Wire 7`))[0]).toMatch(/It is paid\.$/);
    expect(await balance(account)).toBe(1000);
    expect(await read(account, id)).toMatchObject({
      InvoiceStatusCategory: 'Paid',
      Payments: [
        { Amount: 20, Method: 'Check 20117' },
        { Amount: 30, Method: 'Wire 7' },
      ],
    });
    expect(await books(account)).toEqual({ bank: 5000, credits: -5000 });
  });

  it('is refunded in part and in whole, with the remaining credits', async () => {
    const account = await withCard();
    const id = await anInvoice(account, 1000);
    await app.call(payInvoice, { params: { InvoiceID: id }, body: { PaidByCC: true } }, account.owner);
    expect(await balance(account)).toBe(1000);
    await spend(account, 700);
    const charge = (await app.call(listBillingHistory, {}, account.owner)).body.Items[0]?.ChargeID ?? 0;
    await operate(`refund ${account.accountId} ${charge} 10`);
    await app.until(async () => (await balance(account)) === 100);
    await expect(operate(`refund ${account.accountId} ${charge} 40.01`)).rejects.toThrow(
      'Only $40.00 can be refunded.',
    );
    await operate(`refund ${account.accountId} ${charge}`);
    await app.until(async () => (await balance(account)) === 0);
    await app.drain();
    const { rows } = await sql`select amount_cents, credits, credits_short from refunds
      where account_id = ${account.accountId} order by refund_id`.execute(app.database.system);
    expect(rows).toEqual([
      { amount_cents: 1000, credits: 200, credits_short: 0 },
      { amount_cents: 4000, credits: 100, credits_short: 700 },
    ]);
    expect(await books(account)).toEqual({ cash: 0, credits: 0 });
    const invoice = await read(account, id);
    expect(invoice).toMatchObject({ InvoiceStatusCategory: 'Paid', BalanceDue: 0 });
    expect(invoice.Payments.map(({ Amount, Method }) => [Amount, Method])).toEqual([
      [50, 'Visa ending in 4242'],
      [-10, 'Refund to Visa ending in 4242'],
      [-40, 'Refund to Visa ending in 4242'],
    ]);
    await expect(operate(`refund ${account.accountId} ${charge}`)).rejects.toThrow(
      'There is nothing to refund.',
    );
    expect((await listPayments(app)).at(-1)).toMatchObject({ RefundedCents: 5000 });
    expect((await downloadFile(app, account.owner, `/invoices/${id}.pdf`)).slice(0, 5)).toBe('%PDF-');
  });
});
