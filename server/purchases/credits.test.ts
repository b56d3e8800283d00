import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { getInvoice, listInvoices } from '../../contract/invoices.ts';
import {
  addCreditCard,
  createCharge,
  deleteCreditCard,
  getCharge,
  getCreditCard,
  getPricing,
  listBillingHistory,
  listCreditBalance,
  previewCharge,
} from '../../contract/purchases.ts';
import { moveCredits } from '../billing/move-credits.ts';
import { asSystem } from '../db.ts';
import { buildAccount, buildUser } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { testCredentials } from '../testing/test-sandbox.ts';
import { billing, buyCredits, listPayments, openTill, setUpCard, takenCents } from './testing/pay.ts';

let app: TestApp;
const logged: string[] = [];
const { moveClock, run, withCard, balance, books, putBack } = openTill(() => app);

beforeAll(async () => {
  app = await testApp({ '14235550100': 'infobip' }, { SALES_TAX: 'stripe' }, { logTo: logged });
});
afterEach(putBack);

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

  it('are requested in numbers, or an error explains what is wrong with them', async () => {
    const account = await buildAccount(app);
    const ask = async (body: object) =>
      refusalOf(await app.call(previewCharge, { body }, account.owner)).Message;
    const credits = (NumberOfCredits: number) => ask({ ChargeType: 'CreditPurchase', NumberOfCredits });
    expect(await credits(1.5)).toBe('Use only numbers');
    expect(await credits(99)).toBe('Buy at least 100 credits');
    expect(await credits(10_000_001)).toBe('Number of Credits must be less than or equal to 10000000');
    expect(await ask({ ChargeType: 'SubscriptionUpgrade', MaxPeople: 0 })).toBe(
      'Group Size must be greater than or equal to 1',
    );
  });
});

describe('credits', () => {
  it('are bought with a new card, which becomes the card on file; a repeat buys nothing', async () => {
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
    // The second one gets the result of the first, as far as it is known.
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.ChargeID).toBe(first.body.ChargeID);
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

  it('are not bought twice from two tabs, and not at an outdated price', async () => {
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

  it('are not bought when the card is refused, in the words of the specification', async () => {
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

  it('wait for the cardholder’s bank, and are added after its approval', async () => {
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
    // One that is never answered is canceled, and its money never taken.
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
    // They learn which card they pay with, and nothing of its holder.
    expect((await app.call(getCreditCard, {}, admin)).body).toEqual({
      NumberMasked: '************4242',
      Brand: 'Visa',
      LastFour: '4242',
    });
    const user = await buildUser(app, account.accountId, 'user');
    expect((await app.call(createCharge, { body }, user)).status).toBe(403);
    expect((await app.call(deleteCreditCard, {}, account.owner)).status).toBe(200);
    expect((await app.call(getCreditCard, {}, account.owner)).body).toEqual({});
  });

  it('never cost more than once when the processor is slow, broken or out of order', async () => {
    const account = await withCard();
    const taken = await takenCents(app);
    await app.sandbox.control('PUT', '/processor/faults', { PaymentError: true });
    const broken = await buyCredits(app, account, 1000);
    expect(refusalOf(broken).Message).toBe(
      'The card processor can’t be reached right now. You were not charged. Try again in a moment.',
    );
    await app.sandbox.control('PUT', '/processor/faults', { ConfirmCut: true });
    // The money was taken and the connection cut before the response: a repeat returns that.
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

  it('are removed with a refund as far as they are free', async () => {
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
    // The receipt and a mail say so.
    const params = { InvoiceID: history.body.Items[0]?.InvoiceID ?? 0 };
    const receipt = await app.call(getInvoice, { params }, account.owner);
    expect(receipt.body.Payments.map(({ Amount, Method }) => [Amount, Method])).toEqual([
      [body.TotalAmount, 'Visa ending in 4242'],
      [-(body.TotalAmount ?? 0), 'Refund to Visa ending in 4242'],
    ]);
    await app.drain();
    const { rows: mails } = await sql<{ text: string }>`select body_text as text from mails
      where account_id = ${account.accountId} order by mail_id desc limit 1`.execute(app.database.system);
    expect(mails[0]?.text).toContain('Of its 1,000 credits, 700 had been spent. The other 300 were removed.');
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
  it('names the invalid part of an address, and charges nothing', async () => {
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
    // Elsewhere no tax is collected.
    const ohio = { ...billing, BillingState: 'OH', BillingZipCode: '43004', BillingCity: 'Columbus' };
    expect(await preview(ohio)).toBeNull();
  });
});
