import { inflateSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { getAccount } from '../../contract/accounts.ts';
import {
  addInvoiceAddress,
  createInvoice,
  getInvoice,
  listInvoices,
  payInvoice,
  previewInvoice,
  updateInvoice,
} from '../../contract/invoices.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { openTill } from './testing/pay.ts';

let app: TestApp;

const { moveTo, run, withCard, balance, books, putBack } = openTill(() => app);

beforeAll(async () => {
  app = await testApp({ '14235550100': 'infobip' }, { SALES_TAX: 'stripe' });
});
afterEach(putBack);

/** What is drawn on the page of a PDF. */
function pageOf(pdf: Buffer): string {
  const text = pdf.toString('latin1');
  return Array.from(text.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g), ([, stream = '']) => {
    try {
      return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
    } catch {
      return '';
    }
  }).join('\n');
}

describe('invoices', () => {
  const address = {
    Address1: 'Harlow Creek School District',
    Address2: 'Łukasz Žižek, 李',
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
    // Three presses at once, and one later, are one invoice.
    const pressed = await Promise.all([1, 2, 3].map(() => app.call(createInvoice, { body }, as)));
    const made = pressed[0] ?? (await app.call(createInvoice, { body }, as));
    expect(pressed.map(({ status, body: { InvoiceID } }) => [status, InvoiceID])).toEqual(
      pressed.map(() => [200, made.body.InvoiceID]),
    );
    expect((await app.call(createInvoice, { body }, as)).body.InvoiceID).toBe(made.body.InvoiceID);
    const other = await app.call(createInvoice, { body: { ...body, NumberOfCredits: 500 } }, as);
    expect(refusalOf(other).status).toBe(409);
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
    const bytes = Buffer.from(await pdf.arrayBuffer());
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    // Outlines for what the built-in fonts lack, with the words beside them: Ł and ž in UTF-16.
    expect(pageOf(bytes)).toContain(
      Buffer.from('\x01\x41\x00u\x00k\x00a\x00s\x00z', 'latin1').toString('latin1'),
    );
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
