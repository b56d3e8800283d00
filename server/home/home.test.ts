import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { createConversation, sendTextMessage, updateConversation } from '../../contract/conversations.ts';
import { getHome } from '../../contract/home.ts';
import { aBroadcast, type BroadcastOptions } from '../testing/broadcasts.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

// A day and an hour apart: at any moment it is a different date in each of them.
const zones = { '14235550100': 'Pacific/Kiritimati', '14235550120': 'Pacific/Pago_Pago' } as const;
const numbers = { '14235550100': 'infobip', '14235550120': 'infobip', '14235550140': 'infobip' } as const;
let app: TestApp;

beforeAll(async () => {
  app = await testApp(numbers);
});

const home = async (as: { cookie: string }) => (await app.call(getHome, {}, as)).body;

it('of an empty organization: thirty empty days, nothing waiting, five steps to do', async () => {
  const { owner } = await buildAccount(app, { credits: 0 });
  const body = await home(owner);
  expect(body).toMatchObject({
    Waiting: { Items: [], Size: 0 },
    Lately: [],
    Broadcasts: { UnderWay: [], Scheduled: [], Lately: [] },
    PausedCampaigns: [],
    Today: { Sent: 0, Refused: 0, Delivered: 0, Failed: 0, Received: 0 },
    Credits: { Balance: 0, Reserved: 0, UsedInThirtyDays: 0 },
    FirstSteps: [
      { Name: 'textNumber', Completed: false, Started: false },
      { Name: 'credits', Completed: false, Started: false },
      { Name: 'contacts', Completed: false, Started: false },
      { Name: 'firstText', Completed: false, Started: false },
      { Name: 'firstReply', Completed: false, Started: false },
    ],
  });
  expect(body.Days).toHaveLength(30);
  expect(new Set(body.Days.map((day) => day.Date)).size).toBe(30);
  expect(body.Days.every((day) => day.Sent + day.Received + day.Credits === 0)).toBe(true);
});

const unregistered = ['Not Registered', 'Pending', 'Rejected'] as const;

it('a text number is done once carriers accept texts from it', async () => {
  const account = await buildAccount(app, { numbers: { '14235550160': 'infobip' } });
  const textNumber = async () => (await home(account.owner)).FirstSteps[0];
  const set = (change: { phone: string } | { registration_status: (typeof unregistered)[number] }) =>
    app.database.system
      .updateTable('text_numbers')
      .set(change)
      .where('account_id', '=', account.accountId)
      .execute();
  expect(await textNumber()).toMatchObject({ Completed: true, Started: false });
  for (const registration_status of unregistered) {
    await set({ registration_status });
    expect(await textNumber()).toMatchObject({ Completed: false, Started: true });
  }
  // A toll-free number, or that of a free trial, needs no registration.
  await set({ phone: '18005550160' });
  expect(await textNumber()).toMatchObject({ Completed: true, Started: false });
  await set({ phone: '14235550169' });
  await sql`update accounts set is_free_trial = true where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
  expect(await textNumber()).toMatchObject({ Completed: true, Started: false });
});

it('credits are not a step for accounts that pay by the month', async () => {
  const { owner, accountId } = await buildAccount(app, { credits: 0 });
  await sql`update accounts set type_id = 1 where account_id = ${accountId}`.execute(app.database.system);
  expect((await home(owner)).FirstSteps[1]).toEqual({ Name: 'credits', Completed: true, Started: false });
});

it.each(Object.entries(zones))('today is the account’s own (%s in %s)', async (number, timeZone) => {
  const phone = number === '14235550100' ? '4235550151' : '4235550152';
  const provider = { [number]: 'infobip' } as const;
  const account = await buildAccount(app, { numbers: provider, timeZone, credits: 50 });
  const today = () => Temporal.Now.plainDateISO(timeZone);
  const before = today();
  const day = (days: number, sent: number) => ({
    account_id: account.accountId,
    text_number_id: account.numbers[number] ?? 0,
    day: before.add({ days }).toString(),
    sent,
  });
  await app.database.system
    .insertInto('daily_texts')
    .values([day(-1, 7), day(1, 9), day(-29, 3), day(-30, 100)])
    .execute();

  await app.sandbox.text(phone, number, 'Is anybody there?');
  await app.until(async () => (await home(account.owner)).Today.Received === 1);
  const { body } = await app.call(
    createConversation,
    {
      body: {
        TextNumberID: account.numbers[number] ?? 0,
        LastMessage: { Contact: { PrimaryPhone: phone }, Message: 'Yes.' },
      },
    },
    account.owner,
  );
  expect(body.LastMessage?.Message).toBe('Yes.');
  const after = await app.until(async () => {
    const found = await home(account.owner);
    return found.Today.Delivered === 1 ? found : undefined;
  });
  expect(after.Today).toEqual({ Sent: 1, Refused: 0, Delivered: 1, Failed: 0, Received: 1 });
  // A test that runs over midnight there has seen both days.
  expect([before.toString(), today().toString()]).toContain(after.Days.at(-1)?.Date);
  expect(after.Days.at(-1)).toMatchObject({ Sent: 1, Received: 1, Credits: 1 });
  expect(after.Days.at(-2)).toMatchObject({ Sent: 7 });
  expect(after.Days[0]).toMatchObject({ Date: before.add({ days: -29 }).toString(), Sent: 3 });
  expect(after.Days.reduce((sum, entry) => sum + entry.Sent, 0)).toBe(11);
  expect(after.Credits).toEqual({ Balance: 49, Reserved: 0, UsedInThirtyDays: 1 });
  expect(after.FirstSteps).toEqual([
    { Name: 'textNumber', Completed: true, Started: false },
    { Name: 'credits', Completed: true, Started: false },
    { Name: 'contacts', Completed: false, Started: false },
    { Name: 'firstText', Completed: true, Started: false },
    { Name: 'firstReply', Completed: true, Started: false },
  ]);
});

async function waiting(account: BuiltAccount, number: string, hours: (number | null)[]): Promise<number[]> {
  const ids: number[] = [];
  for (const [index, ago] of hours.entries()) {
    const { rows } = await sql<{ id: number }>`
      insert into conversations (account_id, text_number_id, phone, last_message_at, waiting_since)
      values (${account.accountId}, ${account.numbers[number]}, ${`1423555${7000 + index}`},
        now() - ${index} * interval '1 minute', now() - ${ago}::int * interval '1 hour')
      returning conversation_id as id`.execute(app.database.system);
    ids.push(rows[0]?.id ?? 0);
  }
  return ids;
}

it('the longest wait comes first; answered, done or opted-out people are not waiting', async () => {
  const number = '14235550140';
  const account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  const ids = await waiting(account, number, [1, 5, null, 3, 9, 2, 4, 6]);
  const shown = async () => {
    const { Waiting } = await home(account.owner);
    return { ids: Waiting.Items.map((item) => ids.indexOf(item.ConversationID)), size: Waiting.Size };
  };
  // Five are shown of seven.
  expect(await shown()).toEqual({ ids: [4, 7, 1, 6, 3], size: 7 });

  const as = account.owner;
  const params = (index: number) => ({ ConversationID: ids[index] ?? 0 });
  await app.call(sendTextMessage, { params: params(4), body: { Message: 'Here I am.' } }, as);
  await app.call(updateConversation, { params: params(7), body: { IsDone: true } }, as);
  await sql`update conversations set is_auto_opt_out = true where conversation_id = ${ids[1]}`.execute(
    app.database.system,
  );
  expect(await shown()).toEqual({ ids: [6, 3, 5, 0], size: 4 });

  const since = (await home(as)).Waiting.Items.map((item) => Date.parse(item.WaitingSince));
  expect(since).toEqual([...since].sort((a, b) => a - b));
  // Recent: six, the latest first, without the opt-outs.
  expect((await home(as)).Lately.map((item) => ids.indexOf(item.ConversationID))).toEqual([4, 0, 2, 3, 5, 6]);

  const user = await buildUser(app, account.accountId, 'user');
  const nothing = await home(user);
  expect([nothing.Waiting.Size, nothing.Lately, nothing.FirstSteps[0]]).toEqual([
    0,
    [],
    { Name: 'textNumber', Completed: false, Started: false },
  ]);
});

it('broadcasts: running ones, upcoming ones, and recent ones', async () => {
  const number = '14235550160';
  const account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  const { accountId, owner } = account;
  const sender = { accountId, userId: owner.userId, textNumberId: account.numbers[number] ?? 0 };
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  const make = (name: string, options: BroadcastOptions) =>
    aBroadcast(app.database, sender, { name, count: 4, ...options });
  await make('Later', { status: 'scheduled', startAt: inHours(48) });
  await make('Next', { status: 'scheduled', startAt: inHours(24) });
  await make('Now', { status: 'paused', startAt: inHours(-1) });
  await make('A draft', { status: 'draft' });
  const end = async (broadcastId: number, status: string, delivered: number) => {
    await sql`update broadcasts set status = ${status}, fed_count = ${delivered}, ended_at = now(), credits_unfed = 0
      where broadcast_id = ${broadcastId}`.execute(app.database.system);
    await sql`insert into broadcast_slices (account_id, broadcast_id, first_message_id, last_message_id, total, delivered)
      values (${accountId}, ${broadcastId}, 1, ${delivered}, ${delivered}, ${delivered})`.execute(
      app.database.system,
    );
  };
  await end(await make('Over', { startAt: inHours(-2) }), 'completed', 4);
  await end(await make('Stopped', { startAt: inHours(-3) }), 'canceled', 3);
  await end(await make('Long ago', { startAt: inHours(-24 * 40) }), 'completed', 4);
  const { Broadcasts } = await home(owner);
  expect(Broadcasts.UnderWay).toMatchObject([
    { BroadcastName: 'Now', BroadcastStatus: 'Paused', PhoneNumberCount: 4, WaitingTotal: 4 },
  ]);
  expect(Broadcasts.Scheduled.map((one) => one.BroadcastName)).toEqual(['Next', 'Later']);
  expect(Broadcasts.Lately).toMatchObject([
    {
      BroadcastName: 'Over',
      BroadcastStatus: 'Completed',
      DeliveredTexts: 4,
      WaitingTotal: 0,
      CanceledTotal: 0,
    },
    {
      BroadcastName: 'Stopped',
      BroadcastStatus: 'Canceled',
      DeliveredTexts: 3,
      WaitingTotal: 0,
      CanceledTotal: 1,
    },
  ]);
  // A user who doesn't see all broadcasts sees their own.
  const user = await buildUser(app, accountId, 'user');
  expect((await home(user)).Broadcasts).toEqual({ UnderWay: [], Scheduled: [], Lately: [] });
});
