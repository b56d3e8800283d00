import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { createConversation } from '../../contract/conversations.ts';
import { getUsageSummary } from '../../contract/purchases.ts';
import { getDelivery, getTextActivity } from '../../contract/reports.ts';
import { mendUsageSums } from '../billing/count-usage.ts';
import { asSystem } from '../db.ts';
import { runOperator } from '../operator.ts';
import { aBroadcast } from '../testing/broadcasts.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { downloadFile } from '../testing/download-file.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { applyAtOnce } from '../texts/apply-receipts.ts';
import { countResults } from '../texts/count-results.ts';

const first = '14235550100';
const second = '18655550100';
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp({ [first]: 'infobip', [second]: 'twilio' });
  account = await buildAccount(app, { numbers: { [first]: 'infobip', [second]: 'twilio' } });
});

const check = () => runOperator(app.database, ['figures', String(account.accountId)]);
const allRight = [expect.stringMatching(/every figure is what the texts, calls and opt-outs say\.$/)];

const write = (number: string, PrimaryPhone: string, Message: string) =>
  app.call(
    createConversation,
    {
      body: {
        TextNumberID: account.numbers[number] ?? 0,
        LastMessage: { Contact: { PrimaryPhone }, Message },
      },
    },
    account.owner,
  );

async function statuses(): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; texts: number }>`
    select status, count(*)::int as texts from messages where account_id = ${account.accountId} and not is_inbound
    group by 1`.execute(app.database.system);
  return Object.fromEntries(rows.map(({ status, texts }) => [status, texts]));
}

describe('daily figures', () => {
  it('equal the ledger after texts with every result, replies, STOP and a broadcast', async () => {
    await sql`insert into phone_lookups (account_id, phone, is_valid, line_type, carrier_name)
      values (${account.accountId}, '14235550101', true, 'mobile', 'Verizon'),
        (${account.accountId}, '14235550183', true, 'mobile', 'T-Mobile')`.execute(app.database.system);
    for (const number of [first, second]) {
      // Delivered, then every failure that a carrier reports or refuses with, and one that stays with it.
      for (const last of ['01', '80', '81', '83', '84', '86', '87', '88', '90', '92', '93', '94', '97'])
        expect((await write(number, `42355501${last}`, `To ${last}, ${'x'.repeat(170)}`)).status).toBe(200);
    }
    await aBroadcast(
      app.database,
      {
        accountId: account.accountId,
        userId: account.owner.userId,
        textNumberId: account.numbers[first] ?? 0,
      },
      { phones: ['14235550102', '14235550103', '14235550182', '14235550196', '14235550192'] },
    );
    await app.until(async () => {
      const { delivered = 0, waiting = 0 } = await statuses();
      return waiting === 0 && delivered >= 4;
    });
    await app.sandbox.text('14235550101', first, 'Thank you');
    await app.sandbox.text('14235550102', first, 'STOP');
    await app.until(async () => {
      const { rows } = await sql`
        select from messages where account_id = ${account.accountId} and is_inbound`.execute(
        app.database.system,
      );
      return rows.length === 2;
    });
    await app.drain();
    expect(await check()).toEqual(allRight);
    const { rows } = await sql<{ dimension: string; texts: number }>`
      select dimension, sum(texts)::int as texts from daily_results where account_id = ${account.accountId}
        and status <> 'sent' group by 1 order by 1`.execute(app.database.system);
    const ended = Object.entries(await statuses()).filter(
      ([status]) => !['sent', 'waiting', 'canceled'].includes(status),
    );
    const sum = ended.reduce((texts, [, many]) => texts + many, 0);
    expect(rows.map(({ dimension, texts }) => [dimension, texts])).toEqual([
      ['carrier', sum],
      ['hour', sum],
    ]);
  });

  it('follow a text that was given up and arrived after all, which costs nothing', async () => {
    const { rows } = await sql<{ message_id: number; send_nonce: number }>`
      insert into messages (account_id, text_number_id, phone, is_inbound, status, origin, body, credits)
      values (${account.accountId}, ${account.numbers[first]}, '14235550141', false, 'opted_out', 'conversation', 'Late', 2)
      returning message_id, send_nonce`.execute(app.database.system);
    const text = rows[0] ?? { message_id: 0, send_nonce: 0 };
    expect(await check()).toEqual(allRight);
    await applyAtOnce(app.database, [
      {
        key: 'late',
        accountId: account.accountId,
        messageId: text.message_id,
        nonce: text.send_nonce,
        status: 'delivered',
        occurredAt: new Date(),
        carrierMessageId: null,
        error: null,
      },
    ]);
    expect(await check()).toEqual(allRight);
    const { rows: days } = await sql<{ failed: number }>`
      select min(failed)::int as failed from daily_texts where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    expect(days[0]?.failed).toBeGreaterThanOrEqual(0);
  });

  it('that were tampered with are listed, and fixed on request', async () => {
    await sql`update daily_texts set delivered = delivered + 3 where account_id = ${account.accountId}
      and text_number_id = ${account.numbers[first]}`.execute(app.database.system);
    await sql`delete from daily_usage where account_id = ${account.accountId} and kind = 'broadcast'`.execute(
      app.database.system,
    );
    const lines = await check();
    expect(lines[0]).toMatch(
      new RegExp(
        `^daily_texts \\d{4}-\\d\\d-\\d\\d, number ${account.numbers[first]}: delivered: kept \\d+, counted \\d+$`,
      ),
    );
    expect(lines[1]).toMatch(/^daily_usage .*, user \d+, broadcast: messages: kept 0, counted 4$/);
    expect(lines.at(-1)).toMatch(/: 3 figures differ\.$/);
    expect((await runOperator(app.database, ['figures', String(account.accountId), 'fix'])).at(-1)).toMatch(
      /3 figures differ, and are right now\.$/,
    );
    expect(await check()).toEqual(allRight);
    const { rows } = await sql<{ actor: string; count: number; changes: object }>`
      select actor_kind as actor, subject_count as count, changes from events
      where account_id = ${account.accountId} and kind = 'account.figuresFixed'`.execute(app.database.system);
    expect(rows).toMatchObject([{ actor: 'operator', count: 3 }]);
    expect(Object.values(rows[0]?.changes ?? {})).toContainEqual([0, 4]);
    // The state that an earlier version leaves, running at the same time: the days are right, their sums are
    // not.
    await sql`delete from usage_sums where account_id = ${account.accountId} and span = 'month'`.execute(
      app.database.system,
    );
    await sql`update usage_sums set credits = credits - 1 where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    expect((await check())[0]).toMatch(/^usage_sums day \d{4}-\d\d-\d\d, user 0, \w+: credits: kept/);
    await asSystem(app.database, mendUsageSums);
    expect(await check()).toEqual(allRight);
    await expect(runOperator(app.database, ['figures', '999999'])).rejects.toThrow('There is no account');
  });

  it('agree across reports', async () => {
    const usage = (await app.call(getUsageSummary, {}, account.owner)).body;
    const texts = (await app.call(getTextActivity, {}, account.owner)).body;
    const delivery = (await app.call(getDelivery, {}, account.owner)).body;
    expect(usage.Messages).toBe(texts.Total.Sent);
    expect(usage.Credits).toBe(texts.Total.Credits);
    expect(texts.Total.Refused).toBeGreaterThan(0);
    expect(delivery.Total.Sent).toBe(texts.Total.Sent + texts.Total.Refused);
    expect(delivery.Total.Delivered).toBe(texts.Total.Delivered);
    expect(delivery.Total.Failed + delivery.Total.Unknown).toBe(texts.Total.Failed);
  });
});

describe('delivery', () => {
  it('lists carriers, numbers, hours and reasons, each with the previous period', async () => {
    const { body } = await app.call(getDelivery, {}, account.owner);
    expect(body.Carriers.map(({ Carrier }) => Carrier)).toEqual(['T-Mobile', 'Verizon', '']);
    expect(body.Carriers.find(({ Carrier }) => Carrier === 'Verizon')).toMatchObject({
      Sent: 2,
      Delivered: 2,
      Failed: 0,
      BeforeRate: null,
    });
    expect(body.Days).toHaveLength(30);
    expect(body.Hours).toHaveLength(24);
    expect(body.Hours.reduce((sum, { Sent }) => sum + Sent, 0)).toBe(body.Total.Sent);
    const spam = body.Reasons.find(({ Status }) => Status === 'spam_rejected');
    expect(spam).toMatchObject({ Label: 'Rejected for possible SPAM', Texts: 2, Before: 0 });
    expect(body.Reasons.every(({ WhatToDo }) => WhatToDo !== '')).toBe(true);
    const one = await app.call(
      getDelivery,
      { query: { textNumberID: account.numbers[second] } },
      account.owner,
    );
    expect(one.body.Numbers.map(({ TextNumberID }) => TextNumberID)).toEqual([account.numbers[second]]);
    expect(one.body.Total.Sent).toBeLessThan(body.Total.Sent);
    const file = await downloadFile(app, account.owner, '/reports/delivery.csv');
    expect(file.split('\r\n')[0]).toBe('\uFEFFDate,Hour,Text Number,Name,Result,Texts');
    expect(file).toContain('Rejected for possible SPAM');
  });

  it('counts by the organization’s hours, and compares with the month before', async () => {
    const other = await buildAccount(app, { numbers: { '12125550100': 'infobip' } });
    const textNumberId = other.numbers['12125550100'] ?? 0;
    const moved = (at: string, to: string, texts: number) => ({
      ...{ accountId: other.accountId, zone: 'Asia/Kolkata', atMs: Date.parse(at), textNumberId },
      ...{ carrier: 'Airtel', from: null, to, texts },
    });
    await app.database.system
      .transaction()
      .execute((trx) =>
        countResults(trx, [
          moved('2026-03-01T20:00:00Z', 'delivered', 9),
          moved('2026-03-02T03:00:00Z', 'spam_rejected', 1),
          moved('2026-02-28T10:00:00Z', 'delivered', 1),
          moved('2026-02-28T10:00:00Z', 'unknown', 3),
        ]),
      );
    const { body } = await app.call(
      getDelivery,
      { query: { 'date-from': '2026-03-02', 'date-to': '2026-03-03' } },
      other.owner,
    );
    expect(body.Total).toEqual({ Sent: 10, Delivered: 9, Failed: 1, Unknown: 0 });
    expect(body.Before).toEqual({ Sent: 4, Delivered: 1, Failed: 0, Unknown: 3 });
    expect(body.Carriers[0]).toMatchObject({ Carrier: 'Airtel', BeforeRate: 25 });
    expect(body.Hours.filter(({ Sent }) => Sent > 0).map(({ Hour, Sent }) => [Hour, Sent])).toEqual([
      [1, 9],
      [8, 1],
    ]);
    expect(body.Hours[1]).toMatchObject({ Sent: 9, BeforeRate: null });
    expect(body.Hours[15]).toMatchObject({ Sent: 0, BeforeRate: 25 });
    expect(body.Reasons.map(({ Status, Texts, Before }) => [Status, Texts, Before])).toEqual([
      ['spam_rejected', 1, 0],
      ['unknown', 0, 3],
    ]);
  });
});
