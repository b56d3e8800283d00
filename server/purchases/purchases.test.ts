import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { getAccount, updateAccount } from '../../contract/accounts.ts';
import {
  addInvoiceAddress,
  createInvoice,
  getInvoice,
  listInvoices,
  payInvoice,
  previewInvoice,
  updateInvoice,
} from '../../contract/invoices.ts';
import {
  addCreditCard,
  cancelAccount,
  createCharge,
  deleteCreditCard,
  dismissAutoRefillError,
  getAutoRefill,
  getCharge,
  getCreditCard,
  getPricing,
  getUsageSummary,
  listBillingHistory,
  listCreditBalance,
  previewCharge,
  updateAutoRefill,
  updateFlatRate,
  useGroupCode,
  validatePromoCode,
} from '../../contract/purchases.ts';
import { moveCredits } from '../billing/move-credits.ts';
import { nowMs, shiftClock } from '../clock.ts';
import { asAccount, asSystem } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { testCredentials } from '../testing/test-sandbox.ts';
import { billing, buyCredits, listPayments, setUpCard, takenCents } from './testing/pay.ts';

let app: TestApp;
const logged: string[] = [];
const dayMs = 86_400_000;
let shifted = 0;

beforeAll(async () => {
  app = await testApp({ '14235550100': 'infobip' }, { SALES_TAX: 'stripe' }, { logTo: logged });
});

afterEach(async () => {
  shiftClock(-shifted);
  shifted = 0;
  await app.sandbox.control('PUT', '/processor/faults', {});
});

function moveClock(byMs: number): void {
  shiftClock(byMs);
  shifted += byMs;
}

async function moveTo(date: string): Promise<void> {
  moveClock(Date.parse(date) - nowMs());
}

async function run(task: 'renew_plans' | 'resolve_charges' | 'reconcile_payments'): Promise<void> {
  await asSystem(app.database, (trx) => enqueue(trx, task, {}));
  await app.drain();
}

async function withCard(card = 'pm_card_visa', options: Parameters<typeof buildAccount>[1] = {}) {
  const account = await buildAccount(app, { credits: 0, ...options });
  const saved = await app.call(addCreditCard, { body: await setUpCard(app, account, card) }, account.owner);
  expect(saved.status).toBe(200);
  return account;
}

async function balance(account: BuiltAccount): Promise<number> {
  return (await app.call(getAccount, {}, account.owner)).body.CallBalance;
}

async function books(account: BuiltAccount): Promise<Record<string, number>> {
  const { rows } = await sql<{ book: string; sum: number }>`
    select book, sum(amount_cents)::bigint as sum from money_entries where account_id = ${account.accountId}
    group by book`.execute(app.database.system);
  return Object.fromEntries(rows.map(({ book, sum }) => [book, sum]));
}

const consent = 'I agree to be charged every month.';

function subscribe(account: BuiltAccount, MaxPeople: number, more: object = {}) {
  return app.call(
    createCharge,
    { body: { ChargeType: 'SubscriptionUpgrade', MaxPeople, ConsentText: consent, ...more } },
    account.owner,
  );
}

describe('prices', () => {
  it('are those of the installation, or the account’s own', async () => {
    const account = await buildAccount(app);
    const { body } = await app.call(getPricing, { params: { PricingId: 'payg' } }, account.owner);
    expect(body.PricingDetails[0]).toEqual({ LowerLimit: 500, UpperLimit: 1999, Cost: 0.05 });
    const { rows } = await sql<{
      pricing_id: number;
    }>`select pricing_id from pricings where not is_default`.execute(app.database.system);
    expect(rows).toEqual([]);
    const unknown = await app.call(getPricing, { params: { PricingId: 9999 } }, account.owner);
    expect(unknown.status).toBe(404);
  });
});

describe('credits', () => {
  it('are bought with a new card, which becomes the card on file; the same press twice buys once', async () => {
    const account = await buildAccount(app, { credits: 10 });
    const CreditCard = await setUpCard(app, account);
    const preview = await app.call(
      previewCharge,
      { body: { ChargeType: 'CreditPurchase', NumberOfCredits: 10_800, CreditCard: billing } },
      account.owner,
    );
    expect(preview.body).toMatchObject({
      Amount: 378,
      TotalAmount: 412.97,
      SalesTax: { Amount: 34.97, ErrorCode: null, Label: 'Tennessee 9.25%' },
      SalesTaxCharged: true,
    });
    const before = (await listPayments(app)).length;
    const more = { CreditCard, key: 'press-1', TotalAmount: 412.97 };
    const [first, second] = await Promise.all([
      buyCredits(app, account, 10_800, more),
      buyCredits(app, account, 10_800, more),
    ]);
    const statuses = [first.status, second.status].sort();
    // The second waits for nothing: it is told that one is under way, or gets the reply of the first.
    expect(statuses[0]).toBe(200);
    const again = await buyCredits(app, account, 10_800, more);
    expect(again.body).toMatchObject({ Status: 'Paid', TotalAmount: 412.97 });
    expect((await listPayments(app)).length).toBe(before + 1);
    expect(await balance(account)).toBe(10_810);
    expect(await books(account)).toEqual({ cash: 41_297, credits: -37_800, tax: -3497 });
    const card = await app.call(getCreditCard, {}, account.owner);
    expect(card.body).toMatchObject({
      NumberMasked: '************4242',
      Brand: 'Visa',
      LastName: 'Whitfield',
    });
    const history = await app.call(listBillingHistory, {}, account.owner);
    expect(history.body.Items).toMatchObject([
      { Description: '10,800 credits', TotalAmount: 412.97, CardLabel: 'Visa ending in 4242' },
    ]);
    const ledger = await app.call(listCreditBalance, {}, account.owner);
    expect(ledger.body.Items.map(({ Credits, Balance }) => [Credits, Balance])).toEqual([
      [10_800, 10_810],
      [10, 10],
    ]);
    const invoices = await app.call(listInvoices, {}, account.owner);
    expect(invoices.body.Items).toMatchObject([
      { InvoiceStatusCategory: 'Paid', GrandTotal: 412.97, BalanceDue: 0 },
    ]);
  });

  it('are not bought twice from two tabs, and not at a price that has changed', async () => {
    const account = await withCard();
    const both = await Promise.all([
      buyCredits(app, account, 1000, { key: 'tab-1' }),
      buyCredits(app, account, 1000, { key: 'tab-2' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await balance(account)).toBe(1000);
    const changed = await buyCredits(app, account, 2000, { TotalAmount: 1 });
    expect(refusalOf(changed)).toMatchObject({
      status: 409,
      Message: 'The price has changed. Nothing was charged. Look at the new price and try again.',
    });
    expect(await balance(account)).toBe(1000);
    const key = both[0]?.status === 200 ? 'tab-1' : 'tab-2';
    const reused = await buyCredits(app, account, 3000, { key });
    expect(reused.status).toBe(409);
  });

  it('stay unbought when the card is refused, in the words of the specification', async () => {
    const account = await withCard('pm_card_chargeCustomerFail');
    expect(refusalOf(await buyCredits(app, account, 1000))).toMatchObject({
      status: 402,
      Message: 'Your card was declined.',
      ExtendedData: { isCcError: true },
    });
    const purchasing = await withCard('pm_card_purchasing');
    expect(refusalOf(await buyCredits(app, purchasing, 1000)).Message).toMatch(
      /^There was a problem with your card. In most cases, this means you are using a P card/,
    );
    expect(await balance(account)).toBe(0);
    expect(await books(account)).toEqual({});
  });

  it('wait for the cardholder’s bank, and come when it is satisfied', async () => {
    const account = await withCard('pm_card_authenticationRequired');
    const asked = await buyCredits(app, account, 1000);
    expect(asked.body).toMatchObject({
      Status: 'Action',
      ClientSecret: expect.stringMatching(/^pi_.*_secret_/),
    });
    const secret = asked.body.ClientSecret ?? '';
    await fetch(`${app.sandbox.url}/v1/payment_intents/${secret.split('_secret_')[0]}/confirm`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testCredentials.STRIPE_PUBLISHABLE_KEY}` },
      body: new URLSearchParams({ client_secret: secret, challenge: 'pass' }),
    });
    const after = await app.call(getCharge, { params: { ChargeID: asked.body.ChargeID } }, account.owner);
    expect(after.body.Status).toBe('Paid');
    expect(await balance(account)).toBe(1000);
    // One that is never answered is called off, and its money never taken.
    const second = await buyCredits(app, account, 2000);
    moveClock(31 * 60_000);
    await run('resolve_charges');
    const gone = await app.call(getCharge, { params: { ChargeID: second.body.ChargeID } }, account.owner);
    expect(gone.body.Status).toBe('Failed');
    expect(await balance(account)).toBe(1000);
  });

  it('are for owners, and for admins with the card on file', async () => {
    const account = await buildAccount(app, { credits: 0 });
    const admin = await buildUser(app, account.accountId, 'admin');
    const body = { ChargeType: 'CreditPurchase', NumberOfCredits: 500 } as const;
    expect((await app.call(createCharge, { body }, admin)).status).toBe(403);
    await app.call(addCreditCard, { body: await setUpCard(app, account) }, account.owner);
    expect((await app.call(createCharge, { body }, admin)).status).toBe(200);
    expect((await app.call(deleteCreditCard, {}, admin)).status).toBe(403);
    const user = await buildUser(app, account.accountId, 'user');
    expect((await app.call(createCharge, { body }, user)).status).toBe(403);
    expect((await app.call(deleteCreditCard, {}, account.owner)).status).toBe(200);
    expect((await app.call(getCreditCard, {}, account.owner)).body).toEqual({});
  });

  it('never cost more than once when the processor is slow, broken or talks out of turn', async () => {
    const account = await withCard();
    const taken = await takenCents(app);
    await app.sandbox.control('PUT', '/processor/faults', { PaymentError: true });
    const broken = await buyCredits(app, account, 1000);
    expect(refusalOf(broken).Message).toBe(
      'The card processor can’t be reached right now. You were not charged. Try again in a moment.',
    );
    await app.sandbox.control('PUT', '/processor/faults', { ConfirmCut: true });
    // The money was taken and the connection cut before the answer: asked again, it says so.
    const cut = await buyCredits(app, account, 1500);
    expect(cut.body.Status).toBe('Paid');
    await app.sandbox.control('PUT', '/processor/faults', { WebhookTwice: true, WebhookShuffle: true });
    const bought = await buyCredits(app, account, 2000);
    expect(bought.body.Status).toBe('Paid');
    await run('reconcile_payments');
    expect(await balance(account)).toBe(3500);
    const paid = Math.round((cut.body.TotalAmount + bought.body.TotalAmount) * 100);
    expect((await takenCents(app)) - taken).toBe(paid);
    expect((await books(account)).cash).toBe(paid);
  });

  it('are taken back with a refund as far as they are there', async () => {
    const account = await withCard();
    const { body } = await buyCredits(app, account, 1000);
    await asSystem(app.database, (trx) =>
      moveCredits(trx, [
        { accountId: account.accountId, kind: 'reserve', credits: 700 },
        { accountId: account.accountId, kind: 'settle', credits: 700 },
      ]),
    );
    const payment = (await listPayments(app)).at(-1);
    await app.sandbox.control('POST', `/processor/payments/${payment?.PaymentID}/refund`, {});
    await app.until(async () => (await balance(account)) === 0);
    const { rows } =
      await sql`select credits, credits_short from refunds where account_id = ${account.accountId}`.execute(
        app.database.system,
      );
    expect(rows).toEqual([{ credits: 300, credits_short: 700 }]);
    expect(await books(account)).toEqual({ cash: 0, credits: 0, tax: 0 });
    const history = await app.call(listBillingHistory, {}, account.owner);
    expect(history.body.Items[0]?.RefundedAmount).toBe(body.TotalAmount);
  });
});

describe('a card number', () => {
  it('is refused in any field, and nothing of it is logged', async () => {
    const account = await buildAccount(app);
    const number = '4242 4242 4242 4242';
    const tries = [
      { ...billing, SetupIntentID: 'seti_1', LastName: number },
      { ...billing, SetupIntentID: 'seti_1', CardNumber: '4242424242424242' },
      { ...billing, SetupIntentID: 'seti_1', CVN: '123' },
      { ...billing, SetupIntentID: 'seti_1', Deep: [{ Note: `Card ${number}, 12/27` }] },
      { ...billing, SetupIntentID: 'seti_1', Note: 4242424242424242 },
    ];
    for (const body of tries) {
      const reply = await app.call(addCreditCard, { body }, account.owner);
      expect(refusalOf(reply)).toMatchObject({
        status: 422,
        Message:
          'Card numbers and CVNs are never sent to Muster. Enter the card in the fields of the card processor.',
      });
      expect(JSON.stringify(reply.body)).not.toMatch(/4242/);
    }
    expect(logged.join('\n')).not.toMatch(/4242 ?4242/);
    const { rows } = await sql<{
      count: number;
    }>`select count(*) from cards where account_id = ${account.accountId}`.execute(app.database.system);
    expect(rows[0]?.count).toBe(0);
  });
});

describe('sales tax', () => {
  it('names what is wrong with an address, and charges nothing', async () => {
    const account = await buildAccount(app);
    const preview = async (address: object) =>
      (
        await app.call(
          previewCharge,
          {
            body: {
              ChargeType: 'CreditPurchase',
              NumberOfCredits: 500,
              CreditCard: { ...billing, ...address },
            },
          },
          account.owner,
        )
      ).body.SalesTax.ErrorCode;
    expect(await preview({ BillingZipCode: '30301' })).toBe('ZipNotFound');
    expect(await preview({ BillingCity: 'Nowhere' })).toBe('CityNotFound');
    expect(await preview({ BillingCity: 'Invalid' })).toBe('Invalid');
    expect(await preview({ BillingCity: '' })).toBe('Incomplete');
    expect(await preview({ BillingCity: 'TaxDown' })).toBe('ServiceFailure');
    expect(await preview({})).toBeNull();
    const CreditCard = { ...(await setUpCard(app, account)), BillingZipCode: '30301' };
    expect(refusalOf(await buyCredits(app, account, 500, { CreditCard }))).toMatchObject({
      Message: "We weren't able to verify your billing address. ZIP Code not found in State.",
      ExtendedData: { SalesTaxError: 'ZipNotFound' },
    });
    // Elsewhere nothing is collected.
    const ohio = { ...billing, BillingState: 'OH', BillingZipCode: '43004', BillingCity: 'Columbus' };
    expect(await preview(ohio)).toBeNull();
  });
});

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
      await run('renew_plans');
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

  it('grow at once with credit for what is left, and shrink at the end of the period', async () => {
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
      // To the second: a cent less when the test takes its time.
      PartialCredit: expect.closeTo(6, 1),
      MonthlyFee: 79,
      MaxPeople: 1000,
    });
    await subscribe(account, 1000);
    await subscribe(account, 250);
    const planned = (await app.call(getAccount, {}, account.owner)).body;
    expect(planned).toMatchObject({ MonthlyLevel: 1000, NextMonthlyLevel: 250, NextMonthlyFee: 25 });
    await moveTo('2027-05-17T12:00:00Z');
    await run('renew_plans');
    const renewed = (await app.call(getAccount, {}, account.owner)).body;
    expect(renewed).toMatchObject({ MonthlyLevel: 250, NextMonthlyLevel: null, UniqueCallCount: 0 });
    const { deferred } = await books(account);
    expect(deferred).toBe(-2500);
  });

  it('end when they are canceled, can be kept after all, and come back', async () => {
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
  });

  it('stop after three days of refused cards, and go on with another card', async () => {
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

describe('unlimited conversations', () => {
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

describe('invoices', () => {
  const address = {
    Address1: 'Harlow Creek School District',
    Address2: 'Accounts Payable',
    Address3: '410 Mill Street',
    Address4: 'Suite 200',
    City: 'Chattanooga',
    State: 'TN',
    PostalCode: '37402',
  };

  it('are made, paid in part and in whole, resent and voided; their credits come with the last cent', async () => {
    const account = await withCard();
    const params = { AccountID: account.accountId };
    const none = await app.call(previewInvoice, { body: { NumberOfCredits: 1000 } }, account.owner);
    expect(refusalOf(none).Message).toBe('Please add an invoice billing address.');
    const { AddressID: InvoiceAddressID } = (
      await app.call(addInvoiceAddress, { params, body: address }, account.owner)
    ).body;
    const body = {
      NumberOfCredits: 30_200,
      InvoiceAddressID,
      PoNumber: '4417',
      AdditionalNotes: 'Spring term.',
    };
    const preview = await app.call(previewInvoice, { body }, account.owner);
    expect(preview.body).toMatchObject({
      InvoiceID: 0,
      Amount: 906,
      SalesTax: 83.81,
      GrandTotal: 989.81,
      Terms: 'Due on Receipt',
    });
    const as = { ...account.owner, headers: { 'idempotency-key': 'invoice-1' } };
    const made = await app.call(createInvoice, { body }, as);
    expect((await app.call(createInvoice, { body }, as)).body.InvoiceID).toBe(made.body.InvoiceID);
    const { InvoiceID } = made.body;
    const due = await app.call(
      listInvoices,
      { query: { category: 'outstanding', pagesize: 1 } },
      account.owner,
    );
    expect(due.body).toMatchObject({ Size: 1, Items: [{ InvoiceID, BalanceDue: 989.81 }] });
    const pay = (Amount: number) =>
      app.call(payInvoice, { params: { InvoiceID }, body: { Amount, PaidByCC: true } }, account.owner);
    expect(refusalOf(await pay(0)).Message).toBe('Amount is Too Small');
    expect(refusalOf(await pay(989.82)).Message).toBe('Amount is Too Big');
    expect((await pay(400)).body.Status).toBe('Paid');
    const part = await app.call(getInvoice, { params: { InvoiceID } }, account.owner);
    expect(part.body).toMatchObject({ InvoiceStatusCategory: 'Partially Paid', BalanceDue: 589.81 });
    expect(await balance(account)).toBe(0);
    const voided = await app.call(
      updateInvoice,
      { params: { InvoiceID }, body: { NewStatus: 'Voided' } },
      account.owner,
    );
    expect(refusalOf(voided).Message).toBe('An invoice with payments can’t be voided.');
    await pay(589.81);
    const whole = await app.call(getInvoice, { params: { InvoiceID } }, account.owner);
    expect(whole.body).toMatchObject({ InvoiceStatusCategory: 'Paid', BalanceDue: 0 });
    expect(whole.body.Payments.map(({ Amount, Method }) => [Amount, Method])).toEqual([
      [400, 'Visa ending in 4242'],
      [589.81, 'Visa ending in 4242'],
    ]);
    expect(await balance(account)).toBe(30_200);
    expect(await books(account)).toEqual({ cash: 98_981, credits: -90_600, tax: -8381 });
    const sent = await app.call(
      updateInvoice,
      { params: { InvoiceID }, body: { NewStatus: 'SendPaymentReceived' } },
      account.owner,
    );
    expect(sent.status).toBe(200);
    const pdf = await fetch(`${app.url}/proxy/api/invoices/${InvoiceID}.pdf`, {
      headers: { cookie: account.owner.cookie },
    });
    expect(pdf.headers.get('content-disposition')).toContain(`${InvoiceID}.pdf`);
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  });

  it('for a subscription start it for three months, renew before it ends, and it lapses unpaid', async () => {
    await moveTo('2028-02-10T12:00:00Z');
    const account = await withCard();
    const params = { AccountID: account.accountId };
    const { AddressID } = (await app.call(addInvoiceAddress, { params, body: address }, account.owner)).body;
    const made = await app.call(
      createInvoice,
      { body: { IsPayG: false, MaxPeople: 400, InvoiceAddressID: AddressID, AutoRenewInvoices: true } },
      account.owner,
    );
    expect(made.body).toMatchObject({ SubscriptionDuration: 3, Amount: 135, MonthlyFee: 45 });
    await app.call(payInvoice, { params: { InvoiceID: made.body.InvoiceID }, body: {} }, account.owner);
    expect((await app.call(getAccount, {}, account.owner)).body).toMatchObject({
      AccountTypeID: 3,
      MonthlyLevel: 500,
      SubscriptionEndDate: expect.stringMatching(/^2028-05-10T11:00/),
      InvoiceRenewal: { AutoRenewal: true, InvoiceDuration: 3 },
    });
    await moveTo('2028-04-12T12:00:00Z');
    await run('renew_plans');
    const due = await app.call(listInvoices, { query: { category: 'outstanding' } }, account.owner);
    expect(due.body.Items).toMatchObject([
      { Amount: 135, SubscriptionStartDate: expect.stringMatching(/^2028-05-10T11:00/) },
    ]);
    await moveTo('2028-05-11T12:00:00Z');
    await run('renew_plans');
    expect((await app.call(getAccount, {}, account.owner)).body.AccountStatusID).toBe(4);
  });
});

describe('auto refill', () => {
  it('is asked for by the ledger in its own transaction, and charged once', async () => {
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
  });

  it('tells what went wrong, and waits until somebody has seen it', async () => {
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
  it('a group code gives its credits once', async () => {
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
