import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CallInput } from '../../contract/call.ts';
import { addContact, deleteContact, updateContact } from '../../contract/contacts.ts';
import { createConversation } from '../../contract/conversations.ts';
import { getDelivery, getTextActivity, listPhoneHistory } from '../../contract/reports.ts';
import { asSystem } from '../db.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../testing/builders.ts';
import { downloadFile } from '../testing/download-file.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { countDays } from '../texts/count-days.ts';

const first = '14235550100';
const second = '18655550100';
let app: TestApp;
let account: BuiltAccount;
let user: BuiltUser;

beforeAll(async () => {
  app = await testApp({ [first]: 'infobip', [second]: 'infobip' });
  account = await buildAccount(app, { numbers: { [first]: 'infobip', [second]: 'infobip' } });
  user = await buildUser(app, account.accountId, 'user');
});

const download = (path: string) => downloadFile(app, account.owner, path);

const write = (PrimaryPhone: string, Message: string) =>
  app.call(
    createConversation,
    {
      body: {
        TextNumberID: account.numbers[first] ?? 0,
        LastMessage: { Contact: { PrimaryPhone }, Message },
      },
    },
    account.owner,
  );

describe('text activity', () => {
  const activity = (query: CallInput<typeof getTextActivity>['query'] = {}, as = account.owner) =>
    app.call(getTextActivity, { query }, as);
  const nothing = { Sent: 0, Refused: 0, Delivered: 0, Failed: 0, Received: 0, Credits: 0 };

  beforeAll(() =>
    asSystem(app.database, (trx) => {
      const of = (at: string, number: string) => ({
        accountId: account.accountId,
        zone: 'UTC',
        atMs: Date.parse(`${at}T12:00:00Z`),
        textNumberId: account.numbers[number] ?? 0,
        userId: account.owner.userId,
      });
      return countDays(trx, [
        { ...of('2026-03-01', first), sent: 10, refused: 1, delivered: 8, failed: 2, credits: 12 },
        { ...of('2026-03-01', second), sent: 1, received: 5, credits: 1 },
        { ...of('2026-03-03', first), sent: 4, delivered: 4, credits: 4, isBroadcast: true },
        { ...of('2026-02-27', first), sent: 7, delivered: 7, credits: 7, isBroadcast: true },
      ]);
    }),
  );

  it('adds up by day and number, with the previous period', async () => {
    const { body } = await activity({ 'date-from': '2026-03-01', 'date-to': '2026-03-03' });
    expect(body).toMatchObject({
      StartDate: '2026-03-01',
      EndDate: '2026-03-03',
      Total: { Sent: 15, Refused: 1, Delivered: 12, Failed: 2, Received: 5, Credits: 17 },
      Before: { ...nothing, Sent: 7, Delivered: 7, Credits: 7 },
    });
    expect(body.Days.map(({ Date: day, Sent, Received }) => [day, Sent, Received])).toEqual([
      ['2026-03-01', 11, 5],
      ['2026-03-02', 0, 0],
      ['2026-03-03', 4, 0],
    ]);
    expect(body.Numbers.map(({ Sent, Credits }) => [Sent, Credits])).toEqual([
      [14, 16],
      [1, 1],
    ]);
  });

  it('of one number, and never of one that the user can’t use', async () => {
    const range = { 'date-from': '2026-03-01', 'date-to': '2026-03-03' };
    const one = await activity({ ...range, textNumberID: account.numbers[second] });
    expect([one.body.Total.Sent, one.body.Numbers.length]).toEqual([1, 1]);
    const other = await buildAccount(app, { numbers: { '12125550100': 'infobip' } });
    const foreign = await activity({ ...range, textNumberID: other.numbers['12125550100'] });
    expect(foreign.status).toBe(404);
  });

  it('keeps what went over a released number, for owners and admins', async () => {
    const query = { 'date-from': '2026-03-01', 'date-to': '2026-03-03' };
    const textNumberID = account.numbers[second] ?? 0;
    const given = await buildUser(app, account.accountId, 'user', {
      textNumberIds: Object.values(account.numbers),
    });
    const release = (at: Date | null) =>
      sql`update text_numbers set released_at = ${at} where text_number_id = ${textNumberID}`.execute(
        app.database.system,
      );
    await release(new Date());
    const { body } = await activity(query);
    expect(body.Total).toMatchObject({ Sent: 15, Received: 5 });
    expect(body.Numbers.map(({ IsReleased, Sent }) => [IsReleased, Sent])).toEqual([
      [false, 14],
      [true, 1],
    ]);
    expect((await activity({ ...query, textNumberID })).body.Total.Sent).toBe(1);
    const delivery = await app.call(getDelivery, { query: { ...query, textNumberID } }, account.owner);
    expect(delivery.body.Numbers.map(({ IsReleased }) => IsReleased)).toEqual([true]);
    expect((await activity(query, given)).body.Numbers).toHaveLength(1);
    expect((await activity({ ...query, textNumberID }, given)).status).toBe(404);
    await release(null);
  });

  it('covers 30 days by default, and at most a year', async () => {
    expect((await activity()).body.Days).toHaveLength(30);
    const ask = async (from: string, to: string) =>
      refusalOf(await activity({ 'date-from': from, 'date-to': to }));
    expect(await ask('2026-03-03', '2026-03-01')).toMatchObject({ status: 400 });
    expect(await ask('2024-01-01', '2026-03-01')).toMatchObject({ status: 400 });
    expect(await ask('0000-01-01', '0000-01-02')).toMatchObject({ status: 400 });
  });

  it('downloads as a file', async () => {
    const text = await download('/reports/text-activity.csv?date-from=2026-03-01&date-to=2026-03-03');
    expect(text.split('\r\n').slice(0, 4)).toEqual([
      '\uFEFFDate,Text Number,Name,Attempted,Sent,Delivered,Failed,Received,Credits',
      expect.stringMatching(/^2026-03-01,\(423\) 555-0100,[^,]*,11,10,8,2,0,12$/),
      expect.stringMatching(/^2026-03-01,\(865\) 555-0100,[^,]*,1,1,0,0,5,1$/),
      expect.stringMatching(/^2026-03-03,\(423\) 555-0100,[^,]*,4,4,4,0,0,4$/),
    ]);
  });
});

describe('usage', () => {
  it('is stored by sender and kind, in addition to the days of the numbers', async () => {
    const { rows } = await sql`
      select day::text, user_id, kind, messages, credits from daily_usage
      where account_id = ${account.accountId} and day < '2026-04-01' order by day, kind`.execute(
      app.database.system,
    );
    const by = { user_id: account.owner.userId };
    expect(rows).toEqual([
      { ...by, day: '2026-02-27', kind: 'broadcast', messages: 7, credits: 7 },
      { ...by, day: '2026-03-01', kind: 'conversation', messages: 11, credits: 13 },
      { ...by, day: '2026-03-03', kind: 'broadcast', messages: 4, credits: 4 },
    ]);
  });

  it('counts a text once it is sent, for its writer', async () => {
    const used = async () => {
      const { rows } = await sql<{ messages: number; credits: number }>`
        select coalesce(sum(messages), 0)::int as messages, coalesce(sum(credits), 0)::int as credits
        from daily_usage where account_id = ${account.accountId} and user_id = ${account.owner.userId}
          and kind = 'conversation' and day > '2026-06-01'`.execute(app.database.system);
      return rows[0];
    };
    const before = await used();
    expect((await write('4235550133', 'x'.repeat(200))).status).toBe(200);
    expect(await used()).toEqual(before);
    await app.drain();
    expect(await used()).toEqual({
      messages: (before?.messages ?? 0) + 1,
      credits: (before?.credits ?? 0) + 2,
    });
  });
});

describe('the history of a phone', () => {
  const phone = '4235550177';
  const history = (typed: string, as = account.owner, query = {}) =>
    app.call(listPhoneHistory, { params: { Number: typed }, query }, as);

  it('has its texts, consents and contacts in order, for any notation of the number', async () => {
    const { body: ana } = await app.call(
      addContact,
      { body: { FirstName: 'Ana', LastName: 'Dias', PrimaryPhone: phone } },
      account.owner,
    );
    await write(phone, 'First');
    await app.call(
      updateContact,
      {
        params: { PersonID: ana.PersonID },
        body: { FirstName: 'Ana', LastName: 'Diaz', PrimaryPhone: phone },
      },
      account.owner,
    );
    await write(phone, 'Second');
    const { body } = await history('(423) 555-0177');
    expect(body.PhoneNumber).toBe('4235550177');
    expect(body.Contacts).toMatchObject([{ FirstName: 'Ana', LastName: 'Diaz' }]);
    expect(body.Items.map(({ Kind, Message }) => [Kind, Message])).toEqual([
      ['text', 'Second'],
      ['edited', 'Last name'],
      ['text', 'First'],
      ['added', ''],
    ]);
    // Texts over a number that was released stay, without their conversation.
    await sql`update text_numbers set released_at = now() where text_number_id = ${account.numbers[first]}`.execute(
      app.database.system,
    );
    const released = (await history(phone)).body.Items;
    expect(released.map(({ Message }) => Message)).toEqual(body.Items.map(({ Message }) => Message));
    expect(released.every(({ ConversationID }) => ConversationID === null)).toBe(true);
    await sql`update text_numbers set released_at = null where text_number_id = ${account.numbers[first]}`.execute(
      app.database.system,
    );
    const page = (await history(phone, account.owner, { pagesize: 2 })).body;
    expect(page.Items).toHaveLength(2);
    expect((await history(phone, account.owner, { pagesize: 2, next: page.Next })).body.Items).toHaveLength(
      2,
    );
    const lines = (await download(`/phonenumbers/${phone}/history.csv`)).split('\r\n');
    expect(lines.length).toBe(6);
    expect(lines[1]).toContain('Text sent,Waiting,Second');
    await sql`update users set time_zone = 'Asia/Tokyo' where user_id = ${account.owner.userId}`.execute(
      app.database.system,
    );
    const [heads] = (await download(`/phonenumbers/${phone}/history.csv`)).split('\r\n');
    expect(heads).toContain('Time (UTC),Time (Asia/Tokyo),What');
    // The file also has every edit.
    expect(lines[2]).toContain('Contact changed,,Last name,');
  });

  it('keeps contacts that were deleted, and the edit by which one lost the phone', async () => {
    const shared = '4235550178';
    const as = account.owner;
    const add = async (FirstName: string) =>
      (
        await app.call(
          addContact,
          { body: { FirstName, PrimaryPhone: shared, AllowDuplicate: true } as never },
          as,
        )
      ).body.PersonID;
    const [gone, moved, stays, twin] = [await add('Al'), await add('Bo'), await add('Cy'), await add('Di')];
    await app.call(deleteContact, { params: { PersonID: gone } }, as);
    const body = { FirstName: 'Bo', PrimaryPhone: '4235550179' };
    await app.call(updateContact, { params: { PersonID: moved }, body }, as);
    const found = (await history(shared)).body;
    expect(found.Contacts.map(({ PersonID }) => PersonID)).toEqual([stays, twin]);
    expect(found.Items.map(({ Kind, Message }) => [Kind, Message])).toEqual([
      ['edited', 'Primary phone'],
      ['edited', 'Deleted'],
      ['added', ''],
      ['added', ''],
      ['added', ''],
    ]);
    const rest = (await history(shared, as, { pagesize: 1 })).body;
    expect((await history(shared, as, { pagesize: 4, next: rest.Next })).body.Items).toEqual(
      found.Items.slice(1),
    );
  });

  it('is refused for an invalid number, and for users without a relation to it', async () => {
    expect(refusalOf(await history('12'))).toMatchObject({ status: 400 });
    expect((await history(phone, user)).status).toBe(404);
  });
});
