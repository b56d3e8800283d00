/** Long because every test moves the same clock and pays at the same processor, which are set up once. */
import { inflateSync } from 'node:zlib';
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
import { cancelAccount } from '../../contract/purchases.ts';
import { earnDeferred, subscriptionSubject } from '../billing/post-money.ts';
import { asAccount } from '../db.ts';
import { runOperator } from '../operator.ts';
import type { BuiltAccount } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { asOwner } from '../testing/test-db.ts';
import { listPayments, openTill } from './testing/pay.ts';

let app: TestApp;

const { moveTo, run, withCard, balance, books, putBack, subscribe } = openTill(() => app);

beforeAll(async () => {
  app = await testApp({ '14235550100': 'infobip' }, { SALES_TAX: 'stripe' });
});
afterEach(putBack);

/** The drawn contents of a PDF page. */
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

/** Its words in the built-in fonts, as codes in angle brackets. */
function wordsOf(pdf: Buffer): string {
  const lines = Array.from(pageOf(pdf).matchAll(/\[(.*?)\] TJ/g), ([, line = '']) =>
    Array.from(line.matchAll(/<([\da-f]+)>/g), ([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')),
  );
  return lines.map((parts) => parts.join('')).join('\n');
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

  it('are created, paid in part or in whole, resent, voided; credits come with the last cent', async () => {
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
    // Three requests at once, and one later, are one invoice.
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
    const download = () =>
      fetch(`${app.url}/proxy/api/invoices/${InvoiceID}.pdf`, { headers: { cookie: account.owner.cookie } });
    const pdf = await download();
    expect(pdf.headers.get('content-disposition')).toContain(`${InvoiceID}.pdf`);
    const bytes = Buffer.from(await pdf.arrayBuffer());
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    // Outlines for letters that the built-in fonts lack, with their text: Ł and ž in UTF-16.
    expect(pageOf(bytes)).toContain(
      Buffer.from('\x01\x41\x00u\x00k\x00a\x00s\x00z', 'latin1').toString('latin1'),
    );
    expect(wordsOf(bytes)).toContain('Bill to');
    await sql`update users set language_id = 2 where user_id = ${account.owner.userId}`.execute(
      app.database.system,
    );
    const spanish = Buffer.from(await (await download()).arrayBuffer());
    expect(spanish.toString('latin1')).toContain('/Lang (es-US)');
    const words = wordsOf(spanish);
    for (const said of [
      'Factura',
      'Facturar a',
      'Orden de compra',
      'Saldo por pagar',
      'Visa terminada en 4242',
    ])
      expect(words).toContain(said);
    expect(words).not.toMatch(/Invoice|Paid|Due|Amount|Tax/);
  });

  it('are reported to the tax office when created, and reversed when voided or refunded', async () => {
    const account = await withCard();
    const params = { AccountID: account.accountId };
    const { AddressID } = (await app.call(addInvoiceAddress, { params, body: address }, account.owner)).body;
    const taxes = async () => {
      await app.drain();
      const answer = await app.sandbox.control('GET', '/processor/taxes');
      return ((await answer.json()) as { Items: { AmountCents: number; OriginalID: string | null }[] }).Items;
    };
    const make = async () => {
      const body = { NumberOfCredits: 1000, InvoiceAddressID: AddressID };
      return (await app.call(createInvoice, { body }, account.owner)).body;
    };
    const before = (await taxes()).length;
    const isSale = (each: { OriginalID: string | null }) => each.OriginalID === null;
    const news = async () =>
      (await taxes()).slice(before).map((each) => [each.AmountCents, isSale(each) ? 'sale' : 'reversal']);
    const voided = await make();
    expect(voided).toMatchObject({ SalesTax: 4.63, GrandTotal: 54.63 });
    expect(await news()).toEqual([[5463, 'sale']]);
    await app.call(
      updateInvoice,
      { params: { InvoiceID: voided.InvoiceID }, body: { NewStatus: 'Voided' } },
      account.owner,
    );
    expect(await news()).toEqual([
      [5463, 'sale'],
      [-5463, 'reversal'],
    ]);
    const paid = await make();
    await app.call(payInvoice, { params: { InvoiceID: paid.InvoiceID }, body: {} }, account.owner);
    // Paying it is not another sale.
    expect((await news()).slice(2)).toEqual([[5463, 'sale']]);
    const [payment] = (await listPayments(app)).slice(-1);
    await app.sandbox.control('POST', `/processor/payments/${payment?.PaymentID}/refund`, {
      AmountCents: 1000,
    });
    await app.until(async () => (await news()).length === 4);
    expect((await news()).at(-1)).toEqual([-1000, 'reversal']);
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
    const mails = await app.database.system
      .selectFrom('mails')
      .select('body_text')
      .where('account_id', '=', account.accountId)
      .where('subject', '=', 'Your subscription has stopped')
      .execute();
    expect(mails.length).toBe(1);
    expect(mails[0]?.body_text).toContain('The months that you have paid for are over.');
  });

  /** A subscription by invoice, paid at once. */
  async function invoiceMonths(account: BuiltAccount, months: number, MaxPeople = 400) {
    const params = { AccountID: account.accountId };
    const { AddressID } = (await app.call(addInvoiceAddress, { params, body: address }, account.owner)).body;
    const body = { IsPayG: false, MaxPeople, SubscriptionDuration: months, InvoiceAddressID: AddressID };
    const made = (await app.call(createInvoice, { body }, account.owner)).body;
    const pay = () =>
      app.call(payInvoice, { params: { InvoiceID: made.InvoiceID }, body: {} }, account.owner);
    return { made, pay };
  }
  const read = async (account: BuiltAccount) => (await app.call(getAccount, {}, account.owner)).body;
  const cycleOf = async (account: BuiltAccount) => {
    const { SubscriptionCycleStartDate: start, SubscriptionCycleEndDate: end } = await read(account);
    return [start?.slice(0, 10), end?.slice(0, 10)];
  };

  it('for months count people by the month, on the 31st, and follow paid periods', async () => {
    await moveTo('2028-01-31T15:00:00Z');
    const account = await withCard();
    const first = await invoiceMonths(account, 1);
    expect(first.made.Description).toBe('1 month for up to 500 people');
    await first.pay();
    expect(await cycleOf(account)).toEqual(['2028-01-31', '2028-02-29']);
    await sql`update accounts set unique_call_count = 120 where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    // Prepaid, for a smaller group: the current month stays unchanged, with the people it has reached.
    await moveTo('2028-02-10T12:00:00Z');
    const second = await invoiceMonths(account, 3, 100);
    expect(second.made.SubscriptionStartDate).toMatch(/^2028-02-29/);
    await second.pay();
    expect(await cycleOf(account)).toEqual(['2028-01-31', '2028-02-29']);
    expect(await read(account)).toMatchObject({
      MonthlyLevel: 500,
      UniqueCallCount: 120,
      SubscriptionEndDate: expect.stringMatching(/^2028-05-31/),
    });
    const cycles: unknown[] = [];
    for (const day of ['2028-03-01', '2028-03-31', '2028-04-30']) {
      await moveTo(`${day}T23:00:00Z`);
      await run('renew_plans');
      cycles.push(await cycleOf(account));
    }
    expect(cycles).toEqual([
      ['2028-02-29', '2028-03-31'],
      ['2028-03-31', '2028-04-30'],
      ['2028-04-30', '2028-05-31'],
    ]);
    expect(await read(account)).toMatchObject({ MonthlyLevel: 100, UniqueCallCount: 0, AccountStatusID: 0 });
  });

  /** The earned amounts by day. */
  async function earned(account: BuiltAccount) {
    const { rows } = await sql<{ day: string; cents: number }>`
      select to_char(created_at at time zone 'UTC', 'MM-DD') as day, -sum(amount_cents)::bigint as cents
      from money_entries where account_id = ${account.accountId} and book = 'revenue'
      group by 1 having sum(amount_cents) <> 0 order by 1`.execute(app.database.system);
    return rows.map(({ day, cents }) => [day, cents]);
  }
  const deferred = async (account: BuiltAccount) => (await books(account)).deferred ?? 0;

  it('are earned month by month, however early they were paid, in part or in whole', async () => {
    await moveTo('2028-03-10T12:00:00Z');
    const account = await withCard();
    await subscribe(account, 500);
    await moveTo('2028-03-20T12:00:00Z');
    // Prepaid in two parts: neither earns the current month, nor itself.
    const { made } = await invoiceMonths(account, 3, 100);
    const params = { InvoiceID: made.InvoiceID };
    await app.call(payInvoice, { params, body: { Amount: 10 } }, account.owner);
    await moveTo('2028-03-25T12:00:00Z');
    await app.call(payInvoice, { params, body: {} }, account.owner);
    await run('renew_plans');
    expect([await earned(account), await deferred(account)]).toEqual([[], -4500 - 3600]);
    await moveTo('2028-04-10T13:00:00Z');
    await run('renew_plans');
    expect(await earned(account)).toEqual([['04-10', 4500]]);
    // After an outage, a worker earns each month on its day.
    await moveTo('2028-06-20T13:00:00Z');
    await run('renew_plans');
    await run('renew_plans');
    const both = [
      ['05-10', 1200],
      ['06-10', 1200],
    ];
    expect((await earned(account)).slice(1)).toEqual(both);
    // The next ones are paid before these are over, which earns nothing of them.
    await (await invoiceMonths(account, 1, 100)).pay();
    expect([(await earned(account)).slice(1), await deferred(account)]).toEqual([both, -2400]);
    await moveTo('2028-09-10T13:00:00Z');
    await run('renew_plans');
    expect((await earned(account)).slice(3)).toEqual([
      ['07-10', 1200],
      ['08-10', 1200],
    ]);
    expect(await deferred(account)).toBe(0);
  });

  it('earn less per month after a partial refund, and all the rest with a switch to credits', async () => {
    await moveTo('2028-03-10T12:00:00Z');
    const account = await withCard();
    const { pay } = await invoiceMonths(account, 3);
    await pay();
    const [payment] = (await listPayments(app)).slice(-1);
    await moveTo('2028-04-20T12:00:00Z');
    await run('renew_plans');
    expect([await earned(account), await deferred(account)]).toEqual([[['04-10', 4500]], -9000]);
    const half = { AmountCents: Math.round((payment?.AmountCents ?? 0) / 2) };
    await app.sandbox.control('POST', `/processor/payments/${payment?.PaymentID}/refund`, half);
    await app.until(async () => (await deferred(account)) > -9000);
    const { deferred: owed = 0, revenue = 0 } = await books(account);
    expect(-owed - revenue).toBeCloseTo(6750, -1);
    expect(-revenue).toBe(Math.floor((-owed - revenue) / 3));
    await moveTo('2028-05-20T12:00:00Z');
    await run('renew_plans');
    expect(-((await books(account)).revenue ?? 0)).toBe(Math.floor(((-owed - revenue) * 2) / 3));
    await app.call(updateAccount, { body: { AccountTypeID: 0 } }, account.owner);
    expect(await books(account)).toMatchObject({ deferred: 0, revenue: owed + revenue });
    await moveTo('2028-07-01T12:00:00Z');
    await run('renew_plans');
    expect(await books(account)).toMatchObject({ deferred: 0, revenue: owed + revenue });
  });

  /** As processes of the version before keep payments and deliver months. */
  async function asVersionBefore({ accountId }: BuiltAccount): Promise<void> {
    await asOwner(app.databaseUrl, async (client) => {
      await client.query(
        `delete from money_entries where account_id = $1 and note = 'Earned' and subject like 'invoice:%'`,
        [accountId],
      );
      await client.query(
        `update money_entries set subject = 'subscription' where account_id = $1 and subject like 'invoice:%'`,
        [accountId],
      );
      await client.query('update invoices set next_earning_at = null where account_id = $1', [accountId]);
    });
  }
  async function keptBySubject({ accountId }: BuiltAccount) {
    const { rows } = await sql<{ subject: string; cents: number }>`
      select regexp_replace(subject, '\\d+', '#') as subject, -sum(amount_cents)::bigint as cents from money_entries
      where account_id = ${accountId} and book = 'deferred'
      group by 1 having sum(amount_cents) <> 0 order by 1`.execute(app.database.system);
    return rows.map(({ subject, cents }) => [subject, cents]);
  }

  it('that a process of the version before took are earned month by month all the same', async () => {
    await moveTo('2028-03-10T12:00:00Z');
    const account = await withCard();
    await (await invoiceMonths(account, 3)).pay();
    await asVersionBefore(account);
    await moveTo('2028-04-20T12:00:00Z');
    await run('renew_plans');
    expect([await earned(account), await deferred(account)]).toEqual([[['04-10', 4500]], -9000]);
    await moveTo('2028-07-01T12:00:00Z');
    await run('renew_plans');
    expect(await earned(account)).toEqual([
      ['04-10', 4500],
      ['05-10', 4500],
      ['06-10', 4500],
    ]);
  });

  it('that were delivered before they were paid, by the version before, are earned when they are over', async () => {
    await moveTo('2028-03-10T12:00:00Z');
    const account = await withCard();
    await runOperator(app.database, ['offline', String(account.accountId), 'on']);
    const params = { AccountID: account.accountId };
    const { AddressID } = (await app.call(addInvoiceAddress, { params, body: address }, account.owner)).body;
    const body = { IsPayG: false, MaxPeople: 400, InvoiceAddressID: AddressID, AddCreditsToAccount: true };
    const { InvoiceID } = (await app.call(createInvoice, { body }, account.owner)).body;
    await asVersionBefore(account);
    await run('renew_plans');
    const check = [String(account.accountId), String(InvoiceID), '147.49', 'Check 1'];
    await runOperator(app.database, ['payment', ...check]);
    await moveTo('2028-05-20T12:00:00Z');
    await run('renew_plans');
    expect(await books(account)).toMatchObject({ revenue: -9000, deferred: -4500 });
  });

  it('that were paid in part before stay with their invoice, apart from a month that was paid by card', async () => {
    await moveTo('2028-03-10T12:00:00Z');
    const account = await withCard();
    const { made, pay } = await invoiceMonths(account, 3);
    const params = { InvoiceID: made.InvoiceID };
    const payPart = async (Amount: number) => {
      await app.call(payInvoice, { params, body: { Amount } }, account.owner);
      await asVersionBefore(account);
    };
    await payPart(10);
    expect(await keptBySubject(account)).toEqual([['subscription', 916]]);
    // The first payment of another invoice has earned it.
    const { accountId } = account;
    const at = new Date('2028-03-10T12:00:00Z');
    await asAccount(app.database, accountId, (trx) =>
      earnDeferred(trx, { accountId, subject: subscriptionSubject, keepCents: 0, at }),
    );
    await subscribe(account, 500);
    await payPart(20);
    expect(await keptBySubject(account)).toEqual([['subscription', 4500 + 1830]]);
    for (const _ of ['once', 'again']) {
      await run('renew_plans');
      expect(await keptBySubject(account)).toEqual([
        ['invoice:#', 1830],
        ['subscription', 4500],
      ]);
    }
    await pay();
    expect((await keptBySubject(account))[0]).toEqual(['invoice:#', 13_500 - 916]);
  });

  it('that are paid while they run are earned up to the day of the payment', async () => {
    await moveTo('2028-03-10T12:00:00Z');
    const account = await withCard();
    await runOperator(app.database, ['offline', String(account.accountId), 'on']);
    const params = { AccountID: account.accountId };
    const { AddressID } = (await app.call(addInvoiceAddress, { params, body: address }, account.owner)).body;
    const body = { IsPayG: false, MaxPeople: 400, InvoiceAddressID: AddressID, AddCreditsToAccount: true };
    const { InvoiceID } = (await app.call(createInvoice, { body }, account.owner)).body;
    expect((await read(account)).MonthlyLevel).toBe(500);
    await moveTo('2028-05-20T12:00:00Z');
    await run('renew_plans');
    expect(await books(account)).toEqual({});
    await runOperator(app.database, [
      'payment',
      String(account.accountId),
      String(InvoiceID),
      '147.49',
      'Check 1',
    ]);
    expect(await books(account)).toMatchObject({ bank: 14_749, revenue: -9000, deferred: -4500 });
  });

  it('give nothing before they are paid, whatever was paid before, unless the operator allows it', async () => {
    await moveTo('2028-03-10T12:00:00Z');
    const account = await withCard();
    const { made, pay } = await invoiceMonths(account, 1);
    await pay();
    expect(await read(account)).toMatchObject({ AccountTypeID: 3, PaysInvoicesOffline: false });
    const InvoiceAddressID = made.InvoiceAddressID;
    const unpaid = { InvoiceAddressID, AddCreditsToAccount: true };
    const months = { ...unpaid, IsPayG: false, MaxPeople: 400, SubscriptionDuration: 36 };
    const credits = { ...unpaid, NumberOfCredits: 10_000_000 };
    const refused = async (body: object) =>
      refusalOf(await app.call(createInvoice, { body }, account.owner)).Errors;
    expect(await refused(credits)).toMatchObject([
      { Field: 'AddCreditsToAccount', Message: 'Credits are added as soon as the invoice is paid.' },
    ]);
    expect(await refused(months)).toMatchObject([
      {
        Field: 'AddCreditsToAccount',
        Message: 'The subscription starts as soon as the invoice is paid.',
      },
    ]);
    expect(await balance(account)).toBe(0);
    await runOperator(app.database, ['offline', String(account.accountId), 'on']);
    const trusted = { ...credits, NumberOfCredits: 1000 };
    expect((await app.call(createInvoice, { body: trusted }, account.owner)).status).toBe(200);
    expect(await balance(account)).toBe(1000);
  });

  it('can’t start on a day before which nothing is paid', async () => {
    await moveTo('2028-03-10T12:00:00Z');
    const account = await withCard();
    const params = { AccountID: account.accountId };
    const { AddressID } = (await app.call(addInvoiceAddress, { params, body: address }, account.owner)).body;
    const make = (SubscriptionStartDate: string) => {
      const body = { IsPayG: false, MaxPeople: 400, InvoiceAddressID: AddressID, SubscriptionDuration: 1 };
      return app.call(createInvoice, { body: { ...body, SubscriptionStartDate } }, account.owner);
    };
    expect(refusalOf(await make('2029-03-10T12:00:00Z')).Errors).toMatchObject([
      {
        Field: 'SubscriptionStartDate',
        Message: 'The subscription can’t start later than now.',
      },
    ]);
    await (await invoiceMonths(account, 1)).pay();
    const { SubscriptionEndDate: end = '' } = await read(account);
    expect(refusalOf(await make('2028-04-20T12:00:00Z')).Errors).toMatchObject([
      { Message: 'The subscription can’t start later than the current one ends.' },
    ]);
    expect((await make(end ?? '')).body).toMatchObject({ SubscriptionStartDate: end });
  });

  it('for later months start at once when nothing runs any more at their payment', async () => {
    await moveTo('2028-03-10T12:00:00Z');
    const account = await withCard();
    await subscribe(account, 500);
    const { made, pay } = await invoiceMonths(account, 1, 100);
    expect(made.SubscriptionStartDate).toMatch(/^2028-04-10/);
    await app.call(updateAccount, { body: { AccountTypeID: 0 } }, account.owner);
    await moveTo('2028-03-12T12:00:00Z');
    await pay();
    expect(await cycleOf(account)).toEqual(['2028-03-12', '2028-04-12']);
    expect((await read(account)).SubscriptionEndDate).toMatch(/^2028-04-12/);
  });

  it('for months renew as the organization last chose, and open invoices too if it says so', async () => {
    await moveTo('2028-03-10T12:00:00Z');
    const account = await withCard();
    await (await invoiceMonths(account, 3)).pay();
    const { made } = await invoiceMonths(account, 3);
    const params = { InvoiceID: made.InvoiceID };
    const renews = async () => (await app.call(getInvoice, { params }, account.owner)).body.AutoRenewInvoices;
    const InvoiceRenewal = { AutoRenewal: true, InvoiceDuration: 6 };
    const saved = await app.call(updateAccount, { body: { InvoiceRenewal } }, account.owner);
    expect(saved.body.InvoiceRenewal).toMatchObject(InvoiceRenewal);
    expect(await renews()).toBe(false);
    const query = { updateinvoices: true };
    await app.call(updateAccount, { query, body: { InvoiceRenewal } }, account.owner);
    expect(await renews()).toBe(true);
  });

  it('that are paid late begin with the payment', async () => {
    await moveTo('2028-06-01T12:00:00Z');
    const account = await withCard();
    const { made, pay } = await invoiceMonths(account, 3);
    await moveTo('2028-09-15T12:00:00Z');
    await pay();
    expect((await read(account)).SubscriptionEndDate).toMatch(/^2028-12-15/);
    const params = { InvoiceID: made.InvoiceID };
    expect((await app.call(getInvoice, { params }, account.owner)).body).toMatchObject({
      SubscriptionStartDate: expect.stringMatching(/^2028-09-15/),
    });
  });

  it('for credits don’t restart a canceled subscription or a suspended account', async () => {
    await moveTo('2028-07-01T12:00:00Z');
    const account = await withCard();
    await subscribe(account, 100);
    const params = { AccountID: account.accountId };
    const { AddressID } = (await app.call(addInvoiceAddress, { params, body: address }, account.owner)).body;
    const pay = async (NumberOfCredits: number) => {
      const body = { NumberOfCredits, InvoiceAddressID: AddressID };
      const { InvoiceID } = (await app.call(createInvoice, { body }, account.owner)).body;
      await app.call(payInvoice, { params: { InvoiceID }, body: {} }, account.owner);
      return (await read(account)).AccountStatusID;
    };
    await app.call(cancelAccount, { body: { Reason: 'Other' } }, account.owner);
    expect(await pay(1000)).toBe(8);
    // After its end, the account continues with credits, and not with unpaid months.
    await moveTo('2028-08-02T12:00:00Z');
    await run('renew_plans');
    expect(await pay(1500)).toBe(0);
    expect(await read(account)).toMatchObject({ AccountTypeID: 0, MonthlyLevel: null });
    await sql`update accounts set status_id = 1 where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    expect(await pay(2000)).toBe(1);
    expect(await balance(account)).toBe(4500);
  });
});
