import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { listOptOuts } from '../../contract/consents.ts';
import { listInvoices } from '../../contract/invoices.ts';
import { getUsageSummary, listBillingHistory, listCreditBalance } from '../../contract/purchases.ts';
import {
  getBillingMonths,
  getCreditDays,
  getInvoiceMonths,
  getOptInCounts,
  getOptOutCounts,
  listOptIns,
} from '../../contract/reports.ts';
import { findUserActor } from '../access/load-actor.ts';
import { countUsage } from '../billing/count-usage.ts';
import { moveCredits } from '../billing/move-credits.ts';
import { mendConsentCounts } from '../consents/count-moved.ts';
import { recordConsents } from '../consents/record-consents.ts';
import { asSystem } from '../db.ts';
import { runOperator } from '../operator.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../testing/builders.ts';
import { downloadFile } from '../testing/download-file.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { describeReport } from './describe-report.ts';
import { wholeMonths } from './rules.ts';

let app: TestApp;
let account: BuiltAccount;
let admin: BuiltUser;
let user: BuiltUser;
const march = { 'date-from': '2026-03-01', 'date-to': '2026-03-31' };

beforeAll(async () => {
  app = await testApp({ '14235550100': 'infobip' });
  account = await buildAccount(app, { credits: 0, numbers: { '14235550100': 'infobip' } });
  admin = await buildUser(app, account.accountId, 'admin');
  user = await buildUser(app, account.accountId, 'user');
  const { accountId } = account;
  const system = app.database.system;
  await system
    .updateTable('users')
    .set({ time_zone: 'America/New_York' })
    .where('account_id', '=', accountId)
    .execute();
  await asSystem(app.database, (trx) =>
    countUsage(trx, [
      {
        accountId,
        day: '2026-03-01',
        userId: account.owner.userId,
        kind: 'broadcast',
        messages: 700,
        credits: 900,
      },
      { accountId, day: '2026-03-02', userId: admin.userId, kind: 'call', messages: 20, credits: 60 },
      { accountId, day: '2026-03-02', userId: user.userId, kind: 'conversation', messages: 5, credits: 5 },
      { accountId, day: '2026-03-02', userId: null, kind: 'conversation', messages: 3, credits: 3 },
      { accountId, day: '2026-02-10', userId: user.userId, kind: 'conversation', messages: 1, credits: 2 },
    ]),
  );
  await sql`update users set is_active = false where user_id = ${user.userId}`.execute(system);
  let balance = 0;
  for (const [at, kind, delta] of [
    ['2026-02-01T12:00:00Z', 'purchase', 1000],
    ['2026-03-01T04:59:59Z', 'settle', -100], // still February in New York
    ['2026-03-01T05:00:00Z', 'settle', -300],
    ['2026-03-10T12:00:00Z', 'grant', 50],
    ['2026-03-15T12:00:00Z', 'reserve', 0],
    ['2026-03-20T12:00:00Z', 'refund', -150],
  ] as const) {
    balance += delta;
    await sql`insert into credit_entries (account_id, kind, balance_delta, reserved_delta, balance_after, reserved_after, created_at)
      values (${accountId}, ${kind}, ${delta}, ${kind === 'reserve' ? 10 : 0}, ${balance}, 0, ${at}::timestamptz)`.execute(
      system,
    );
  }
  for (const [at, type, cents, refunded] of [
    ['2026-02-28T12:00:00Z', 'CreditPurchase', 5000, 0],
    ['2026-03-05T12:00:00Z', 'CreditPurchase', 10_000, 1000],
    ['2026-03-06T12:00:00Z', 'SubscriptionRenewal', 1200, 0],
    ['2026-03-07T12:00:00Z', 'InvoicePayment', 300, 0],
  ] as const)
    await sql`insert into charges (account_id, charge_type, state, lane, description, purchase, amount_cents, total_cents,
        refunded_cents, is_attended, card_label, created_at)
      values (${accountId}, ${type}, 'paid', ${at}, ${`=${type}`}, '{}', ${cents}, ${cents}, ${refunded}, true,
        'Visa ending in 4242', ${at}::timestamptz)`.execute(system);
  for (const [at, total, paid, voided] of [
    ['2026-03-03T12:00:00Z', 10_000, 4000, null],
    ['2026-03-04T12:00:00Z', 2000, 0, '2026-03-05T12:00:00Z'],
    ['2026-04-03T12:00:00Z', 700, 700, null],
  ] as const)
    await sql`insert into invoices (account_id, description, is_payg, amount_cents, total_cents, paid_cents, voided_at, terms, created_at)
      values (${accountId}, '500 credits', true, ${total}, ${total}, ${paid}, ${voided}::timestamptz, 'Net 30', ${at}::timestamptz)`.execute(
      system,
    );
});

describe('usage summary', () => {
  it('reads whole months as sums, and the days around them', () => {
    const cut = (since: string, until: string) => wholeMonths({ since, until });
    expect(cut('2025-11-19', '2026-11-18')).toEqual({
      months: { first: '2025-12-01', last: '2026-10-01' },
      days: [
        { since: '2025-11-19', until: '2025-11-30' },
        { since: '2026-11-01', until: '2026-11-18' },
      ],
    });
    expect(cut('2024-02-01', '2024-02-29')).toEqual({
      months: { first: '2024-02-01', last: '2024-02-01' },
      days: [],
    });
    expect(cut('2026-01-31', '2026-03-30').months).toEqual({ first: '2026-02-01', last: '2026-02-01' });
    expect(cut('2026-01-02', '2026-02-27')).toEqual({
      months: undefined,
      days: [{ since: '2026-01-02', until: '2026-02-27' }],
    });
    expect(cut('2026-12-31', '2026-12-31').days).toHaveLength(1);
  });

  const usage = async (query: object = march) =>
    (await app.call(getUsageSummary, { query }, account.owner)).body;

  it('adds up by day and user, in credits and messages, with the previous period', async () => {
    const all = await usage();
    expect(all).toMatchObject({
      ...{ StartDate: '2026-03-01', EndDate: '2026-03-31', Credits: 968, Messages: 728 },
      ...{ Broadcasts: 900, Calls: 60, Conversations: 8, BroadcastMessages: 700, CallMessages: 20 },
      Before: { Credits: 2, Messages: 1 },
    });
    expect(all.Days[1]).toMatchObject({
      Date: '2026-03-02',
      Credits: 68,
      Calls: 60,
      ConversationMessages: 8,
    });
    expect(all.Users.map(({ Name, Role, IsActive, Credits }) => [Name, Role, IsActive, Credits])).toEqual([
      [expect.any(String), 'owner', true, 900],
      [expect.any(String), 'admin', true, 60],
      [expect.any(String), 'user', false, 5],
      ['Automatic replies and notices', null, true, 3],
    ]);
  });

  it('shows only enabled or disabled users, for everybody with permission', async () => {
    expect(await usage({ ...march, users: 'enabled' })).toMatchObject({ Credits: 960 });
    const disabled = await usage({ ...march, users: 'disabled' });
    expect([disabled.Credits, disabled.Users.map(({ UserID }) => UserID)]).toEqual([5, [user.userId]]);
    expect((await app.call(getUsageSummary, {}, admin)).body.Days).toHaveLength(30);
    const wrong = await app.call(getUsageSummary, { query: { users: 'none' as never } }, account.owner);
    expect(wrong.status).toBe(400);
    const file = (
      await downloadFile(
        app,
        account.owner,
        '/account/usage-summary.csv?date-from=2026-03-01&date-to=2026-03-31',
      )
    ).split('\r\n');
    expect(file).toHaveLength(6);
    expect(file[1]).toMatch(/^2026-03-01,[^,]+,900,0,0,900,700,0,0,700$/);
    expect(file.join()).toContain('Automatic replies and notices,0,0,3,3,0,0,3,3');
  });
});

describe('credit balance', () => {
  it('ends each day with the balance of its last entry, on the user’s calendar', async () => {
    const { body } = await app.call(getCreditDays, { query: march }, account.owner);
    expect(body).toMatchObject({ Before: 900, Balance: 500, Bought: 0, Given: 50, Refunded: 150, Used: 300 });
    expect(
      body.Days.filter((_, index) => [0, 9, 19, 30].includes(index)).map(({ Balance }) => Balance),
    ).toEqual([600, 650, 500, 500]);
    const year = (await app.call(getCreditDays, {}, account.owner)).body;
    expect(year.Days).toHaveLength(365);
  });

  it('lists its entries by days, a page at a time, and as a file', async () => {
    const list = async (query: object) => (await app.call(listCreditBalance, { query }, account.owner)).body;
    const first = await list({ ...march, pagesize: 2 });
    expect(first.Items.map(({ Credits, Balance }) => [Credits, Balance])).toEqual([
      [-150, 500],
      [50, 650],
    ]);
    const rest = await list({ ...march, pagesize: 2, next: first.Next });
    expect(rest.Items.map(({ Credits }) => Credits)).toEqual([-300]);
    expect((await list({ ...march, all: true })).Items).toHaveLength(4);
    const file = await downloadFile(
      app,
      account.owner,
      '/creditbalance.csv?date-from=2026-03-01&date-to=2026-03-31',
    );
    expect(file.split('\r\n').slice(0, 2)).toEqual([
      '\uFEFFTime (America/New_York),What,Credits,Balance',
      '2026-03-20 08:00:00 (UTC-04:00),Refund,-150,500',
    ]);
  });

  it('ends with the balance that is left, whichever transaction began first', async () => {
    const other = await buildAccount(app, { credits: 100 });
    const { accountId } = other;
    const balances = async () => {
      const { rows } = await sql<{ credit_balance: number }>`
        select credit_balance from accounts where account_id = ${accountId}`.execute(app.database.system);
      const { body } = await app.call(getCreditDays, {}, other.owner);
      return [body.Balance, body.Days.at(-1)?.Balance, rows[0]?.credit_balance];
    };
    await asSystem(app.database, async (early) => {
      await sql`select now()`.execute(early);
      await asSystem(app.database, (late) => moveCredits(late, [{ accountId, kind: 'grant', credits: 5 }]));
      await moveCredits(early, [{ accountId, kind: 'grant', credits: 7 }]);
    });
    expect(await balances()).toEqual([112, 112, 112]);
    // Written when an entry's time was still the start of its transaction.
    await sql`insert into credit_entries
      (account_id, kind, balance_delta, reserved_delta, balance_after, reserved_after, created_at)
      values (${accountId}, 'grant', 3, 0, 115, 0, now() - interval '1 second')`.execute(app.database.system);
    await sql`update accounts set credit_balance = 115 where account_id = ${accountId}`.execute(
      app.database.system,
    );
    expect(await balances()).toEqual([115, 115, 115]);
  });

  it('is for accounts that pay by credits', async () => {
    const monthly = await buildAccount(app);
    await sql`update accounts set type_id = 1 where account_id = ${monthly.accountId}`.execute(
      app.database.system,
    );
    expect((await app.call(getCreditDays, {}, monthly.owner)).status).toBe(403);
    expect((await app.call(listCreditBalance, {}, monthly.owner)).status).toBe(403);
  });
});

describe('billing history and invoices', () => {
  it('add up by month, purpose, and refunds', async () => {
    const query = { 'date-from': '2026-02-15', 'date-to': '2026-03-31' };
    const { body } = await app.call(getBillingMonths, { query }, account.owner);
    expect(body).toMatchObject({
      Paid: 165,
      Refunded: 10,
      Payments: 4,
      Credits: 150,
      Subscriptions: 12,
      Invoices: 3,
    });
    expect(body.Months).toEqual([
      { Month: '2026-02', Credits: 50, Subscriptions: 0, Invoices: 0 },
      { Month: '2026-03', Credits: 100, Subscriptions: 12, Invoices: 3 },
    ]);
    const list = await app.call(listBillingHistory, { query: { ...march, pagesize: 2 } }, admin);
    expect(list.body.Items.map(({ TotalAmount }) => TotalAmount)).toEqual([3, 12]);
    const rest = await app.call(
      listBillingHistory,
      { query: { ...march, next: list.body.Next ?? '' } },
      admin,
    );
    expect(rest.body.Items.map(({ TotalAmount }) => TotalAmount)).toEqual([100]);
    const file = await downloadFile(
      app,
      account.owner,
      '/billinghistory.csv?date-from=2026-03-01&date-to=2026-03-31',
    );
    expect(file.split('\r\n')[3]).toBe(
      "2026-03-05 07:00:00 (UTC-05:00),'=CreditPurchase,100.00,0.00,100.00,10.00,Visa ending in 4242,",
    );
    const invoices = (await app.call(getInvoiceMonths, { query: march }, account.owner)).body;
    expect(invoices).toMatchObject({ Invoices: 1, Total: 100, Paid: 40, Due: 60 });
    expect(invoices.Months).toEqual([{ Month: '2026-03', Paid: 40, Due: 60 }]);
    expect((await app.call(listInvoices, { query: march }, account.owner)).body.Size).toBe(2);
    const table = await downloadFile(
      app,
      account.owner,
      '/invoices.csv?date-from=2026-03-01&date-to=2026-03-31&category=outstanding',
    );
    expect(table.split('\r\n')[1]).toMatch(
      /^\d+,2026-03-03 07:00:00 \(UTC-05:00\),500 credits,Partially Paid,,100.00,0.00,100.00,60.00$/,
    );
  });

  it('are for owners and admins, and for a year at most', async () => {
    const other = await buildAccount(app);
    const plain = await buildUser(app, other.accountId, 'user');
    expect((await app.call(listBillingHistory, {}, plain)).status).toBe(403);
    expect((await app.call(getBillingMonths, {}, plain)).status).toBe(403);
    expect((await app.call(getInvoiceMonths, {}, plain)).status).toBe(403);
    const query = { 'date-from': '2024-01-01', 'date-to': '2026-03-01' };
    expect(refusalOf(await app.call(listBillingHistory, { query }, account.owner)).status).toBe(400);
    expect((await app.call(getBillingMonths, { query }, account.owner)).status).toBe(400);
  });
});

describe('promotional opt-in', () => {
  it('lists people who agreed themselves, with their words, and not a file’s declarations', async () => {
    const { accountId } = account;
    const system = app.database.system;
    await sql`update accounts set features = '{PromotionalTextMessaging}' where account_id = ${accountId}`.execute(
      system,
    );
    const at = '2026-03-05T12:00:00Z';
    await sql`insert into phone_consents (account_id, phone, text_state, text_changed_at, file_id, declared_at)
      values (${accountId}, '14235550121', 'in', ${at}, null, null),
        (${accountId}, '14235550122', 'in', ${at}, 9, ${at}),
        (${accountId}, '14235550123', 'out', ${at}, null, null)`.execute(system);
    await sql`insert into consent_ledger (account_id, phone, channel, state, source, wording, created_at)
      values (${accountId}, '14235550121', 'text', 'in', 'web', 'Offers, twice a month', ${at})`.execute(
      system,
    );
    const { body } = await app.call(listOptIns, { query: march }, account.owner);
    expect(body.Items).toMatchObject([
      { PhoneNumber: '4235550121', Source: 'web', Wording: 'Offers, twice a month' },
    ]);
    const file = await downloadFile(app, account.owner, '/reports/promotional-opt-in.csv');
    expect(file.split('\r\n')[1]).toBe(
      '(423) 555-0121,,,2026-03-05 07:00:00 (UTC-05:00),Web form,"Offers, twice a month"',
    );
    const other = await buildAccount(app);
    expect((await app.call(listOptIns, {}, other.owner)).status).toBe(403);
    expect((await app.call(getOptInCounts, {}, other.owner)).status).toBe(403);
  });

  it('is counted by day, and by month for long ranges, together with the opt-outs', async () => {
    const system = app.database.system;
    const { accountId } = account;
    // Eleven at night on March 4 on the user's clock, the last day of February, and a call.
    await sql`insert into phone_consents
        (account_id, phone, text_state, text_changed_at, voice_state, voice_changed_at)
      values (${accountId}, '14235550124', 'out', '2026-03-05T04:00:00Z', null, null),
        (${accountId}, '14235550125', 'out', '2026-03-01T04:00:00Z', 'out', '2026-03-31T12:00:00Z')`.execute(
      system,
    );
    await asSystem(app.database, mendConsentCounts);
    const counts = async (query: typeof march) =>
      (await app.call(getOptOutCounts, { query }, account.owner)).body;
    const inMarch = await counts(march);
    expect(inMarch).toMatchObject({ Texts: 2, Calls: 1 });
    expect(inMarch.Periods.filter(({ Texts, Calls }) => Texts + Calls > 0)).toEqual([
      { Period: '2026-03-04', Texts: 1, Calls: 0 },
      { Period: '2026-03-05', Texts: 1, Calls: 0 },
      { Period: '2026-03-31', Texts: 0, Calls: 1 },
    ]);
    // The mail counts what the saved view shows.
    const actor = await asSystem(app.database, (trx) => findUserActor(trx, accountId, account.owner.userId));
    const describe = async (report: 'opt-out-report' | 'invoices', search: Record<string, string>) =>
      (
        await asSystem(
          app.database,
          async (trx) =>
            actor &&
            describeReport(trx, actor, { report, search }, { since: '2026-03-01', until: '2026-03-31' }),
        )
      )?.paragraphs;
    expect(await describe('opt-out-report', {})).toEqual(['2 phones opted out of texts, and 1 of calls.']);
    expect(await describe('opt-out-report', { filter: 'voice' })).toEqual(['1 phone opted out of calls.']);
    expect(await describe('opt-out-report', { filter: 'text' })).toEqual(['2 phones opted out of texts.']);
    expect(await describe('opt-out-report', { filter: 'both' })).toEqual([
      '1 phone opted out of both texts and calls.',
    ]);
    expect(await describe('opt-out-report', { q: '0124' })).toEqual([
      '1 phone opted out, of those found for “0124”.',
    ]);
    expect(await describe('invoices', { category: 'Voided' })).toEqual([
      'Only voided invoices are counted.',
      '1 invoice for $20.00. $0.00 is due.',
    ]);
    expect(await describe('invoices', { category: 'Paid' })).toEqual([
      'Only paid invoices are counted.',
      '0 invoices for $0.00. $0.00 is due.',
    ]);
    // Days before the first and after the last of a range with partial months aren't in it.
    const year = await counts({ 'date-from': '2026-02-15', 'date-to': '2026-07-04' });
    expect(year.Periods).toHaveLength(6);
    expect(year.Periods.slice(0, 3)).toEqual([
      { Period: '2026-02', Texts: 1, Calls: 0 },
      { Period: '2026-03', Texts: 2, Calls: 1 },
      { Period: '2026-04', Texts: 0, Calls: 0 },
    ]);
    const agreed = await app.call(getOptInCounts, { query: march }, account.owner);
    expect(agreed.body.OptIns).toBe(1);
    expect(agreed.body.Periods.find(({ OptIns }) => OptIns > 0)).toEqual({ Period: '2026-03-05', OptIns: 1 });
    const listed = await app.call(
      listOptOuts,
      { query: { 'date-from': '2026-03-05', 'date-to': '2026-03-31' } },
      account.owner,
    );
    expect(listed.body.Items.map(({ PhoneNumber }) => PhoneNumber)).toEqual(['4235550125', '4235550123']);
    const bad = await app.call(getOptOutCounts, { query: { 'date-from': '0000-01-01' } }, account.owner);
    expect(bad.status).toBe(400);
  });

  it('counts a phone by its current state, in the reader’s time zone, like the lists', async () => {
    const own = await buildAccount(app);
    const { accountId } = own;
    await sql`update accounts set features = '{PromotionalTextMessaging}' where account_id = ${accountId}`.execute(
      app.database.system,
    );
    const say = (last: string, state: 'in' | 'out', at: string, channel: 'text' | 'both' = 'text') =>
      asSystem(app.database, (trx) =>
        recordConsents(trx, [
          { accountId, phone: `142355501${last}`, state, channel, at: new Date(at), source: 'inbound' },
        ]),
      );
    await say('31', 'out', '2026-03-10T18:20:00Z', 'both');
    await say('32', 'out', '2026-03-10T18:40:00Z');
    await say('32', 'in', '2026-03-20T12:00:00Z');
    await say('33', 'in', '2026-03-20T12:00:00Z');
    await say('33', 'out', '2026-03-21T12:00:00Z');
    // Half past midnight on March 11 in Kathmandu is a quarter to seven in the evening of the tenth in London.
    for (const [zone, days] of [
      ['Europe/London', ['2026-03-10', '2026-03-21']],
      ['Asia/Kathmandu', ['2026-03-11', '2026-03-21']],
    ] as const) {
      await sql`update users set time_zone = ${zone} where account_id = ${accountId}`.execute(
        app.database.system,
      );
      const outs = (await app.call(getOptOutCounts, { query: march }, own.owner)).body;
      expect([outs.Texts, outs.Calls]).toEqual([2, 1]);
      expect(outs.Periods.filter(({ Texts }) => Texts > 0).map(({ Period }) => Period)).toEqual(days);
      for (const { Period, Texts, Calls } of outs.Periods) {
        const query = { 'date-from': Period, 'date-to': Period };
        const { body } = await app.call(listOptOuts, { query }, own.owner);
        expect([Period, body.Items.length]).toEqual([Period, Math.max(Texts, Calls)]);
      }
    }
    const ins = (await app.call(getOptInCounts, { query: march }, own.owner)).body;
    expect(ins.Periods.filter(({ OptIns }) => OptIns > 0)).toEqual([{ Period: '2026-03-20', OptIns: 1 }]);
    const figures = () => runOperator(app.database, ['figures', String(accountId)]);
    expect(await figures()).toEqual([expect.stringContaining('every figure is')]);
    await sql`update consent_counts set texts_out = texts_out + 5 where account_id = ${accountId}
      and quarter = '2026-03-21T12:00:00Z'`.execute(app.database.system);
    expect(await figures()).toEqual([
      'consent_counts 2026-03-21 12:00Z: textsOut: kept 6, counted 1',
      expect.stringMatching(/: 1 figures differ\.$/),
    ]);
    await runOperator(app.database, ['figures', String(accountId), 'fix']);
    expect(await figures()).toEqual([expect.stringContaining('every figure is')]);
  });
});
