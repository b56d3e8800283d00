import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useGroupCode, validatePromoCode } from '../../contract/group-codes.ts';
import {
  cancelAccount,
  dismissAutoRefillError,
  getAutoRefill,
  getAutoRefillStatus,
  getUsageSummary,
  updateAutoRefill,
} from '../../contract/purchases.ts';
import { moveCredits } from '../billing/move-credits.ts';
import { asAccount, asSystem } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { buildAccount } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { listPayments, openTill } from './testing/pay.ts';

let app: TestApp;

const { withCard, balance, putBack } = openTill(() => app);

beforeAll(async () => {
  app = await testApp({ '14235550100': 'infobip' }, { SALES_TAX: 'stripe' });
});
afterEach(putBack);

describe('auto refill', () => {
  it('is requested by the ledger in its own transaction, and charged once', async () => {
    const account = await withCard('pm_card_visa', { credits: 1000 });
    const body = { IsEnabled: true, NumberOfRefillCredits: 5000, TriggerAmount: 500 };
    expect((await app.call(updateAutoRefill, { body }, account.owner)).status).toBe(200);
    const spend = (credits: number) =>
      asAccount(app.database, account.accountId, (trx) =>
        moveCredits(trx, [{ accountId: account.accountId, kind: 'reserve', credits }]),
      );
    await spend(400);
    await app.drain();
    expect(await balance(account)).toBe(1000);
    await Promise.all([spend(100), spend(20), spend(20), spend(20)]);
    await app.drain();
    await app.drain();
    expect(await balance(account)).toBe(6000);
    const { rows } = await sql<{
      count: number;
    }>`select count(*) from charges where account_id = ${account.accountId}`.execute(app.database.system);
    expect(rows[0]?.count).toBe(1);
    // A refund doesn't charge the money again at once. The next message does.
    const [payment] = (await listPayments(app)).slice(-1);
    await app.sandbox.control('POST', `/processor/payments/${payment?.PaymentID}/refund`, {});
    await app.until(async () => (await balance(account)) === 1000);
    await app.drain();
    await app.drain();
    expect(await balance(account)).toBe(1000);
    await spend(1);
    await app.drain();
    await app.drain();
    expect(await balance(account)).toBe(6000);
  });

  it('charges nothing that was still waiting when it was turned off or its account canceled', async () => {
    await app.sandbox.control('PUT', '/processor/faults', { TaxDown: true });
    const body = { IsEnabled: true, NumberOfRefillCredits: 5000, TriggerAmount: 500 };
    const turnedOff = await withCard('pm_card_visa', { credits: 100 });
    const canceled = await withCard('pm_card_visa', { credits: 100 });
    for (const account of [turnedOff, canceled]) {
      await app.call(updateAutoRefill, { body }, account.owner);
      await app.drain();
      expect((await app.call(getAutoRefillStatus, {}, account.owner)).body.IsPending).toBe(true);
    }
    await app.call(updateAutoRefill, { body: { ...body, IsEnabled: false } }, turnedOff.owner);
    await app.call(cancelAccount, { body: { Reason: 'Other' } }, canceled.owner);
    await app.sandbox.control('PUT', '/processor/faults', {});
    await asSystem(app.database, (trx) => enqueue(trx, 'refill_credits', {}));
    await app.drain();
    for (const account of [turnedOff, canceled]) {
      expect(await balance(account)).toBe(100);
      expect((await app.call(getAutoRefillStatus, {}, account.owner)).body).toMatchObject({
        IsPending: false,
        Error: null,
      });
    }
  });

  it('says at the field that it would begin again and again', async () => {
    const account = await withCard('pm_card_visa', { credits: 100_000 });
    const body = { IsEnabled: true, NumberOfRefillCredits: 1000, TriggerAmount: 10_000 };
    const Message = 'Refill more credits at a time, or begin later.';
    expect(refusalOf(await app.call(updateAutoRefill, { body }, account.owner))).toMatchObject({
      Message,
      Errors: [{ Field: 'NumberOfRefillCredits', Message }],
    });
  });

  it('reports a failure, and waits until a user has seen it', async () => {
    const account = await withCard('pm_card_chargeCustomerFail', { credits: 100 });
    const body = { IsEnabled: true, NumberOfRefillCredits: 5000, TriggerAmount: 500 };
    await app.call(updateAutoRefill, { body }, account.owner);
    await app.drain();
    const failed = (await app.call(getAutoRefill, {}, account.owner)).body;
    expect(failed.Error?.Message).toBe('Your card was declined.');
    await asAccount(app.database, account.accountId, (trx) =>
      moveCredits(trx, [{ accountId: account.accountId, kind: 'reserve', credits: 1 }]),
    );
    await app.drain();
    const params = { AutoRefillRequestID: failed.Error?.AutoRefillRequestId ?? 0 };
    expect((await app.call(dismissAutoRefillError, { params, body: {} }, account.owner)).status).toBe(200);
    expect((await app.call(getAutoRefill, {}, account.owner)).body.Error).toBeNull();
  });
});

describe('codes and usage', () => {
  it('a group code adds its credits once', async () => {
    const account = await buildAccount(app, { credits: 0 });
    const use = (Name: string) => app.call(useGroupCode, { body: { Name } }, account.owner);
    expect((await use('welcome')).body).toMatchObject({ Name: 'WELCOME', FreeCredits: 100 });
    expect((await use('WELCOME')).status).toBe(422);
    expect(refusalOf(await use('nothing')).Message).toBe('The group code is not valid.');
    expect(await balance(account)).toBe(100);
    const check = async (Source: string) => (await app.call(validatePromoCode, { body: { Source } })).body;
    expect(await check('WELCOME')).toEqual({ Success: true, ErrorMessage: null });
    expect(await check('x')).toEqual({ Success: false, ErrorMessage: 'This is not a valid promo code.' });
    const usage = await app.call(getUsageSummary, { query: { days: 7 } }, account.owner);
    expect(usage.body.Days).toHaveLength(7);
  });
});
