import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { getAccount, updateAccount } from '../../contract/accounts.ts';
import {
  addCreditCard,
  cancelAccount,
  createCharge,
  deleteCreditCard,
  previewCharge,
  updateFlatRate,
} from '../../contract/purchases.ts';
import { nowMs } from '../clock.ts';
import { asSystem } from '../db.ts';
import { runOperator } from '../operator.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { asOwner } from '../testing/test-db.ts';
import { holdCharges } from './hold-charges.ts';
import { consent, openTill, setUpCard } from './testing/pay.ts';

let app: TestApp;
const dayMs = 86_400_000;
const { moveClock, moveTo, run, withCard, books, subscribe, putBack } = openTill(() => app);

beforeAll(async () => {
  app = await testApp(
    { '14235550100': 'infobip', '14235550101': 'infobip', '14235550102': 'infobip' },
    { SALES_TAX: 'stripe' },
  );
});
afterEach(putBack);

describe('subscriptions', () => {
  it('that begin on the 31st renew on the last day of shorter months, for two years, once each', async () => {
    await moveTo('2027-01-31T15:00:00Z');
    const account = await withCard();
    const without = await app.call(
      createCharge,
      { body: { ChargeType: 'SubscriptionUpgrade', MaxPeople: 450 } },
      account.owner,
    );
    expect(refusalOf(without).Message).toBe('You must provide consent to proceed.');
    const bought = await subscribe(account, 450);
    expect(bought.body).toMatchObject({ Status: 'Paid', Amount: 45, SalesTax: 4.16 });
    const first = (await app.call(getAccount, {}, account.owner)).body;
    expect(first).toMatchObject({
      AccountTypeID: 1,
      MonthlyLevel: 500,
      SubscriptionCycleEndDate: expect.stringMatching(/^2027-02-28T15:00/),
    });
    const ends: string[] = [];
    for (let month = 0; month < 24; month++) {
      const { SubscriptionCycleEndDate } = (await app.call(getAccount, {}, account.owner)).body;
      await moveTo(SubscriptionCycleEndDate ?? '');
      moveClock(60_000);
      await run('renew_plans');
      // A second run finds nothing to do: tried for the first months, short and long.
      if (month < 3) await run('renew_plans');
      ends.push(
        ((await app.call(getAccount, {}, account.owner)).body.SubscriptionCycleEndDate ?? '').slice(0, 10),
      );
    }
    expect(ends.slice(0, 4)).toEqual(['2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30']);
    expect(ends.slice(-2)).toEqual(['2029-01-31', '2029-02-28']);
    const { rows } = await sql<{ count: number }>`select count(*) from charges
      where account_id = ${account.accountId} and state = 'paid'`.execute(app.database.system);
    expect(rows[0]?.count).toBe(25);
    const after = await books(account);
    expect(after.cash).toBe(25 * 4916);
    expect(after.deferred).toBe(-4500);
    expect(after.revenue).toBe(-24 * 4500);
  });

  it('grow at once with credit for the rest, and shrink at the end of the period', async () => {
    await moveTo('2027-04-01T12:00:00Z');
    const account = await withCard();
    await subscribe(account, 100);
    await moveTo('2027-04-16T12:00:00Z');
    const smaller = await subscribe(account, 100);
    expect(smaller.body).toMatchObject({ ChargeID: 0, TotalAmount: 0 });
    const preview = await app.call(
      previewCharge,
      { body: { ChargeType: 'SubscriptionUpgrade', MaxPeople: 1000 } },
      account.owner,
    );
    expect(preview.body).toMatchObject({
      Amount: 79,
      // To the second: a cent less when the test takes longer.
      PartialCredit: expect.closeTo(6, 1),
      MonthlyFee: 79,
      MaxPeople: 1000,
    });
    await subscribe(account, 1000);
    await subscribe(account, 250);
    const planned = (await app.call(getAccount, {}, account.owner)).body;
    expect(planned).toMatchObject({ MonthlyLevel: 1000, NextMonthlyLevel: 250, NextMonthlyFee: 25 });
    // The prices have changed since: the month costs what was agreed, and is shown.
    await sql`update accounts set next_monthly_fee_cents = 2400 where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    await moveTo('2027-05-17T12:00:00Z');
    await run('renew_plans');
    const renewed = (await app.call(getAccount, {}, account.owner)).body;
    expect(renewed).toMatchObject({ MonthlyLevel: 250, NextMonthlyLevel: null, UniqueCallCount: 0 });
    const { deferred } = await books(account);
    expect(deferred).toBe(-2400);
  });

  it('end when they are canceled, can be kept before that, and can be restarted', async () => {
    await moveTo('2027-06-10T12:00:00Z');
    const account = await withCard();
    await subscribe(account, 100);
    const wrong = await app.call(cancelAccount, { body: { Reason: 'None' as never } }, account.owner);
    expect(wrong.status).toBe(400);
    const Reason = 'End of season / Seasonal Usage';
    const canceled = await app.call(cancelAccount, { body: { Reason } }, account.owner);
    expect(canceled.body).toEqual({
      AccountStatusID: 8,
      SubscriptionEndDate: expect.stringMatching(/^2027-07-10T12:00/),
    });
    await subscribe(account, 100);
    expect((await app.call(getAccount, {}, account.owner)).body).toMatchObject({
      AccountStatusID: 0,
      SubscriptionEndDate: null,
    });
    await app.call(cancelAccount, { body: { Reason } }, account.owner);
    const { cash: paid } = await books(account);
    await moveTo('2027-07-11T12:00:00Z');
    await run('renew_plans');
    expect((await books(account)).cash).toBe(paid);
    const lapsed = (await app.call(getAccount, {}, account.owner)).body;
    expect(lapsed.AccountStatusID).toBe(8);
    const back = await subscribe(account, 250);
    expect(back.body).toMatchObject({ Status: 'Paid', Amount: 25 });
    expect((await app.call(getAccount, {}, account.owner)).body).toMatchObject({
      AccountStatusID: 0,
      MonthlyLevel: 250,
      ReactivationDate: expect.stringMatching(/^2027-07-11/),
    });
    const converted = await app.call(updateAccount, { body: { AccountTypeID: 0 } }, account.owner);
    expect(converted.body).toMatchObject({ AccountTypeID: 0, MonthlyLevel: null });
    // The log says what it was before, once each.
    const renewal = { InvoiceRenewal: { AutoRenewal: true, InvoiceDuration: 6 } };
    await app.call(updateAccount, { body: renewal }, account.owner);
    const { rows } = await sql<{ kind: string; changes: unknown }>`
      select kind, changes from events where account_id = ${account.accountId} and kind like 'account.%'
      order by event_id`.execute(app.database.system);
    expect(rows).toMatchObject([
      { kind: 'account.canceled', changes: { StatusId: [0, 8] } },
      { kind: 'account.planChanged', changes: { StatusId: [8, 0] } },
      { kind: 'account.canceled', changes: { StatusId: [0, 8] } },
      { kind: 'account.planChanged', changes: { TypeId: [1, 0], MonthlyLevel: [250, null] } },
      {
        kind: 'account.planChanged',
        changes: { InvoiceAutoRenewal: [false, true], InvoiceDuration: [expect.anything(), 6] },
      },
    ]);
  });

  it('stop after three days of refused cards, and continue with another card', async () => {
    await moveTo('2027-08-01T12:00:00Z');
    const account = await withCard();
    await subscribe(account, 100);
    await sql`update cards set payment_method_id = 'pm_card_chargeCustomerFail' where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    await moveTo('2027-09-01T13:00:00Z');
    for (let day = 0; day < 5; day++) {
      await run('renew_plans');
      moveClock(dayMs);
    }
    const stopped = (await app.call(getAccount, {}, account.owner)).body;
    expect(stopped.AccountStatusID).toBe(3);
    const { rows } = await sql<{ count: number }>`select count(*) from charges
      where account_id = ${account.accountId} and charge_type = 'SubscriptionRenewal'`.execute(
      app.database.system,
    );
    expect(rows[0]?.count).toBe(4);
    const CreditCard = await setUpCard(app, account);
    expect((await subscribe(account, 100, { CreditCard })).body.Status).toBe('Paid');
    expect((await app.call(getAccount, {}, account.owner)).body.AccountStatusID).toBe(0);
  });
});

/** Automatic charges of the account. */
async function countRenewals(accountId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from charges
    where account_id = ${accountId} and charge_type in ('SubscriptionRenewal', 'FlatRateRenewal')`.execute(
    app.database.system,
  );
  return rows[0]?.count ?? 0;
}

describe('a month that ends during a payment', () => {
  it('is renewed when the result of that is known: nothing is paid twice', async () => {
    await moveTo('2027-08-10T12:00:00Z');
    const account = await withCard();
    await subscribe(account, 100);
    await sql`insert into add_on_charges (account_id, broadcast_id, texts, amount_cents)
      values (${account.accountId}, 1, 200, 400)`.execute(app.database.system);
    await app.call(
      addCreditCard,
      { body: await setUpCard(app, account, 'pm_card_authenticationRequired') },
      account.owner,
    );
    await moveTo('2027-09-10T11:59:00Z');
    const asked = await app.call(
      createCharge,
      { body: { ChargeType: 'MonthlyAddOnCharges' } },
      account.owner,
    );
    expect(asked.body).toMatchObject({ Status: 'Action', Amount: 4 });
    moveClock(2 * 60_000);
    await run('renew_plans');
    expect(await countRenewals(account.accountId)).toBe(0);
    moveClock(40 * 60_000);
    await run('resolve_charges');
    await run('renew_plans');
    expect(await countRenewals(account.accountId)).toBe(1);
    // The reverse: while the month is being charged, nobody can change it.
    await sql`update charges set state = 'open' where account_id = ${account.accountId}
      and charge_type = 'SubscriptionRenewal'`.execute(app.database.system);
    const changed = await subscribe(account, 500);
    expect(refusalOf(changed)).toMatchObject({
      status: 409,
      Message: expect.stringMatching(/^Another purchase is still being processed/),
    });
  });

  it('does not count refunded money toward a larger group', async () => {
    await moveTo('2027-04-01T12:00:00Z');
    const account = await withCard();
    const { ChargeID } = (await subscribe(account, 500)).body;
    const { payment_id } = await app.database.system
      .selectFrom('charges')
      .select('payment_id')
      .where('charge_id', '=', ChargeID)
      .executeTakeFirstOrThrow();
    await app.sandbox.control('POST', `/processor/payments/${payment_id}/refund`, {});
    await run('reconcile_payments');
    const preview = await app.call(
      previewCharge,
      { body: { ChargeType: 'SubscriptionUpgrade', MaxPeople: 1000 } },
      account.owner,
    );
    expect(preview.body).toMatchObject({ Amount: 79, PartialCredit: 0 });
  });
});

describe('a refund of a month', () => {
  it('is taken from what was earned when the month is over, and from what is owed during it', async () => {
    await moveTo('2027-04-01T12:00:00Z');
    const account = await withCard();
    const { ChargeID } = (await subscribe(account, 500)).body;
    await moveTo('2027-05-02T12:00:00Z');
    await run('renew_plans');
    expect(await books(account)).toEqual({ cash: 9832, deferred: -4500, revenue: -4500, tax: -832 });
    const refund = async (chargeId: number, AmountCents: number) => {
      const { payment_id } = await app.database.system
        .selectFrom('charges')
        .select('payment_id')
        .where('account_id', '=', account.accountId)
        .where('charge_id', '=', chargeId)
        .executeTakeFirstOrThrow();
      await app.sandbox.control('POST', `/processor/payments/${payment_id}/refund`, { AmountCents });
      await run('reconcile_payments');
    };
    await refund(ChargeID, 4916);
    expect(await books(account)).toEqual({ cash: 4916, deferred: -4500, revenue: 0, tax: -416 });
    const renewal = await app.database.system
      .selectFrom('charges')
      .select('charge_id')
      .where('account_id', '=', account.accountId)
      .where('charge_type', '=', 'SubscriptionRenewal')
      .executeTakeFirstOrThrow();
    await refund(renewal.charge_id, 1000);
    expect(await books(account)).toEqual({ cash: 3916, deferred: -3584, revenue: 0, tax: -332 });
    // Switching to credits earns the rest. A larger refund was earned.
    await app.call(updateAccount, { body: { AccountTypeID: 0 } }, account.owner);
    await refund(renewal.charge_id, 500);
    expect(await books(account)).toEqual({ cash: 3416, deferred: 0, revenue: -3126, tax: -290 });
  });
});

describe('an account that the operator stopped', () => {
  it('can’t be restarted by its owner, and is not charged', async () => {
    await moveTo('2027-05-10T12:00:00Z');
    const account = await withCard();
    await subscribe(account, 100);
    const stop = (status: number) =>
      sql`update accounts set status_id = ${status} where account_id = ${account.accountId}`.execute(
        app.database.system,
      );
    for (const status of [1, 5, 6]) {
      await stop(status);
      const switched = await app.call(updateAccount, { body: { AccountTypeID: 0 } }, account.owner);
      expect(refusalOf(switched).Message).toBe('This account can’t switch to credits. Please contact us.');
    }
    expect((await app.call(getAccount, {}, account.owner)).body.AccountStatusID).toBe(6);
  });
});

describe('unlimited conversations', () => {
  it('end with the account: a canceled account is not charged again', async () => {
    await moveTo('2027-03-10T12:00:00Z');
    const account = await withCard('pm_card_visa', { numbers: { '14235550101': 'infobip' } });
    const TextNumberID = account.numbers['14235550101'] ?? 0;
    await app.call(
      createCharge,
      { body: { ChargeType: 'AddFlatRate', TextNumberID, ConsentText: consent } },
      account.owner,
    );
    await app.call(cancelAccount, { body: { Reason: 'Other' } }, account.owner);
    await moveTo('2027-04-11T12:00:00Z');
    await run('renew_plans');
    expect(await countRenewals(account.accountId)).toBe(0);
    const { flat_rate_status } = await app.database.system
      .selectFrom('text_numbers')
      .select('flat_rate_status')
      .where('text_number_id', '=', TextNumberID)
      .executeTakeFirstOrThrow();
    expect(flat_rate_status).toBeNull();
  });

  it('are paid by the month, canceled at its end, and block a number only after the grace', async () => {
    await moveTo('2027-10-31T12:00:00Z');
    const account = await withCard('pm_card_visa', { numbers: { '14235550100': 'infobip' } });
    const TextNumberID = account.numbers['14235550100'] ?? 0;
    const bought = await app.call(
      createCharge,
      { body: { ChargeType: 'AddFlatRate', TextNumberID, ConsentText: consent } },
      account.owner,
    );
    expect(bought.body).toMatchObject({ Status: 'Paid', Amount: 25 });
    const params = { TextNumberID };
    const set = (FlatRateConversationStatus: 'Active' | 'CancelPending') =>
      app.call(updateFlatRate, { params, body: { FlatRateConversationStatus } }, account.owner);
    expect((await set('CancelPending')).body.FlatRateSubscriptionEndDate).toMatch(/^2027-11-30T13:00/);
    expect((await set('Active')).body.FlatRateConversationStatus).toBe('Active');
    await moveTo('2027-12-01T12:00:00Z');
    await run('renew_plans');
    const row = () =>
      app.database.system
        .selectFrom('text_numbers')
        .select(['flat_rate_status', 'flat_rate_end_at'])
        .where('text_number_id', '=', TextNumberID)
        .executeTakeFirstOrThrow();
    expect((await row()).flat_rate_end_at?.toISOString()).toMatch(/^2027-12-31T13:00/);
    await app.call(deleteCreditCard, {}, account.owner);
    await moveTo('2028-01-01T12:00:00Z');
    await run('renew_plans');
    expect((await row()).flat_rate_status).toBe('BillingProblem');
    expect((await set('CancelPending')).body.FlatRateConversationStatus).toBeNull();
  });
});

describe('unlimited conversations on a monthly plan, which includes conversations', () => {
  const stateOf = async (textNumberId: number) =>
    app.database.system
      .selectFrom('text_numbers')
      .select(['flat_rate_status', 'flat_rate_end_at'])
      .where('text_number_id', '=', textNumberId)
      .executeTakeFirstOrThrow();

  it('are not charged again, can’t be bought, and can be kept after a return to credits', async () => {
    await moveTo('2027-03-10T12:00:00Z');
    const phones = { '14235550111': 'infobip', '14235550112': 'infobip' } as const;
    const account = await withCard('pm_card_visa', { numbers: phones });
    const [first = 0, second = 0] = Object.values(account.numbers);
    const buy = (TextNumberID: number) =>
      app.call(
        createCharge,
        { body: { ChargeType: 'AddFlatRate', TextNumberID, ConsentText: consent } },
        account.owner,
      );
    const keep = () =>
      app.call(
        updateFlatRate,
        { params: { TextNumberID: first }, body: { FlatRateConversationStatus: 'Active' } },
        account.owner,
      );
    expect((await buy(first)).body.Status).toBe('Paid');
    await sql`update text_numbers set flat_rate_status = 'BillingProblem', flat_rate_end_at = now() - interval '9 years'
      where text_number_id = ${second}`.execute(app.database.system);
    await subscribe(account, 100);
    expect((await stateOf(first)).flat_rate_status).toBe('CancelPending');
    expect(await stateOf(second)).toEqual({ flat_rate_status: null, flat_rate_end_at: null });
    for (const refused of [await buy(second), await keep()])
      expect(refusalOf(refused).Message).toBe('Your monthly plan includes conversations.');
    await app.call(updateAccount, { body: { AccountTypeID: 0 } }, account.owner);
    expect((await keep()).body.FlatRateConversationStatus).toBe('Active');
  });

  it('end with their month, without a charge, also if they are still on', async () => {
    await moveTo('2027-03-10T12:00:00Z');
    const account = await withCard('pm_card_visa', { numbers: { '14235550113': 'infobip' } });
    const [number = 0] = Object.values(account.numbers);
    await subscribe(account, 100);
    // As a process of the version before leaves it.
    await sql`update text_numbers set flat_rate_status = 'Active', flat_rate_end_at = '2027-03-20T12:00:00Z'
      where text_number_id = ${number}`.execute(app.database.system);
    await moveTo('2027-03-21T12:00:00Z');
    await run('renew_plans');
    expect(await countRenewals(account.accountId)).toBe(0);
    expect((await stateOf(number)).flat_rate_status).toBeNull();
  });
});

describe('after older data was restored', () => {
  it('nothing is charged by itself until the operator lets it go on', async () => {
    await moveTo('2027-03-01T15:00:00Z');
    const account = await withCard();
    await subscribe(account, 450);
    await asSystem(app.database, (trx) => holdCharges(trx, new Date(nowMs())));
    await moveTo('2027-04-01T15:01:00Z');
    await run('renew_plans');
    expect(await countRenewals(account.accountId)).toBe(0);
    const told = await runOperator(app.database, ['charges']);
    expect(told.join(' ')).toContain('Renewals, refills and invoices wait');
    // People may pay meanwhile.
    const bought = await app.call(
      createCharge,
      { body: { ChargeType: 'SubscriptionUpgrade', MaxPeople: 900, ConsentText: consent } },
      account.owner,
    );
    expect(bought.status).toBe(200);
    expect(await runOperator(app.database, ['charges', 'on'])).toEqual([
      'Renewals, refills and invoices go on by themselves.',
    ]);
    await moveTo('2027-05-02T15:01:00Z');
    await run('renew_plans');
    expect(await countRenewals(account.accountId)).toBe(1);
  });
});

describe('a price that rises', () => {
  /** Of the price list of the installation, for everybody. */
  const multiply = (kind: 'monthly' | 'unlimited', by: number) =>
    asOwner(app.databaseUrl, (client) =>
      client.query(
        `update pricing_tiers t set cost = cost * $2 from pricings p
         where p.pricing_id = t.pricing_id and p.kind = $1 and p.is_default`,
        [kind, by],
      ),
    );
  const noticesTo = async (account: { owner: { userName: string } }) => {
    await app.drain();
    const mails = await app.sandbox.mails(`${account.owner.userName}@example.org`);
    return mails.map(({ Subject }) => Subject).filter((subject) => subject.startsWith('The price of'));
  };
  const paid = async (accountId: number) => {
    const { rows } = await sql<{ amount_cents: number }>`
      select amount_cents from charges where account_id = ${accountId} and state = 'paid' order by charge_id`.execute(
      app.database.system,
    );
    return rows.map(({ amount_cents }) => amount_cents);
  };

  it('holds for a plan when its owner was told a week before, and not earlier', async () => {
    await moveTo('2027-03-01T15:00:00Z');
    const account = await withCard();
    await subscribe(account, 450);
    // Too late for the month that begins on April 1.
    await moveTo('2027-03-28T15:00:00Z');
    await multiply('monthly', 2);
    try {
      await run('renew_plans');
      await moveTo('2027-04-01T15:01:00Z');
      await run('renew_plans');
      expect(await noticesTo(account)).toEqual([]);
      await moveTo('2027-04-22T15:00:00Z');
      await run('renew_plans');
      await run('renew_plans');
      expect(await noticesTo(account)).toEqual(['The price of your plan changes']);
      expect((await app.call(getAccount, {}, account.owner)).body).toMatchObject({
        NextMonthlyLevel: 500,
        NextMonthlyFee: 90,
      });
      await moveTo('2027-05-01T15:01:00Z');
      await run('renew_plans');
      expect(await paid(account.accountId)).toEqual([4500, 4500, 9000]);
    } finally {
      await multiply('monthly', 0.5);
    }
    // A lower one needs no notice.
    await moveTo('2027-06-01T15:01:00Z');
    await run('renew_plans');
    expect(await paid(account.accountId)).toEqual([4500, 4500, 9000, 4500]);
    expect(await noticesTo(account)).toHaveLength(1);
  });

  it('holds for unlimited conversations in the same way', async () => {
    await moveTo('2027-09-01T15:00:00Z');
    const account = await withCard('pm_card_visa', { numbers: { '14235550102': 'infobip' } });
    const TextNumberID = account.numbers['14235550102'] ?? 0;
    await app.call(
      createCharge,
      { body: { ChargeType: 'AddFlatRate', TextNumberID, ConsentText: consent } },
      account.owner,
    );
    await multiply('unlimited', 2);
    try {
      // The worker was down in the days of the notice.
      await moveTo('2027-10-01T15:01:00Z');
      await run('renew_plans');
      await moveTo('2027-10-23T15:00:00Z');
      await run('renew_plans');
      expect(await noticesTo(account)).toEqual(['The price of unlimited conversations changes']);
      await moveTo('2027-11-01T15:01:00Z');
      await run('renew_plans');
      expect(await paid(account.accountId)).toEqual([2500, 2500, 5000]);
    } finally {
      await multiply('unlimited', 0.5);
    }
  });
});
