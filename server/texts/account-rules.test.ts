import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { updateAccount } from '../../contract/accounts.ts';
import { createBroadcast, updateBroadcast } from '../../contract/broadcasts.ts';
import { createConversation, sendTextMessage } from '../../contract/conversations.ts';
import { addDraftNumbers } from '../../contract/draft-recipients.ts';
import { createDraft, sendTest } from '../../contract/drafts.ts';
import { accessDenied } from '../../contract/errors.ts';
import { addKeyword } from '../../contract/keywords.ts';
import { updateTextNumber } from '../../contract/numbers.ts';
import { deniedConversations } from '../../contract/permissions.ts';
import { scheduleConversation, sendScheduledConversation } from '../../contract/scheduled.ts';
import { resendTextMessage } from '../../contract/text-messages.ts';
import { asSystem } from '../db.ts';
import { sendNotices } from '../notifications/send-notices.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { receiveTexts } from '../testing/receive-texts.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { createTexts } from './create-texts.ts';
import { notVerified } from './find-barred.ts';

/** A number of the sandbox; each account takes it over in turn. */
const number = '14235550100';
const suspended = 'This account is suspended, so it can’t send texts.';
let app: TestApp;
let account: BuiltAccount;
let numberId: number;
let phone: string;
let serial = 0;

beforeEach(async () => {
  app ??= await testApp({ [number]: 'infobip' });
  await sql`update text_numbers set released_at = now()`.execute(app.database.system);
  serial += 1;
  phone = `423555${2000 + serial}`;
  account = await buildAccount(app, { numbers: { [number]: 'infobip' }, credits: 100 });
  numberId = account.numbers[number] ?? 0;
  await set('quiet_hours_on = false');
});

const set = (columns: string) =>
  sql`update accounts set ${sql.raw(columns)} where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
const verify = (one = phone) =>
  app.database.system
    .insertInto('verified_phones')
    .values({ account_id: account.accountId, phone: `1${one}` })
    .execute();
const got = async (one = phone) => (await app.sandbox.messages(one)).map((text) => text.Text);

async function credits() {
  const { rows } = await sql<{ balance: number; reserved: number }>`
    select credit_balance as balance, credit_reserved as reserved from accounts
    where account_id = ${account.accountId}`.execute(app.database.system);
  return rows[0];
}
const untouched = { balance: 100, reserved: 0 };

const receive = (body: string, from = phone) => receiveTexts(app, number, [{ from: `1${from}`, body }]);

async function conversationId(): Promise<number> {
  const { conversation_id } = await app.database.system
    .selectFrom('conversations')
    .select('conversation_id')
    .where('account_id', '=', account.accountId)
    .where('phone', '=', `1${phone}`)
    .executeTakeFirstOrThrow();
  return conversation_id;
}

const contact = () => ({ PrimaryPhone: phone });
const begin = () =>
  app.call(
    createConversation,
    { body: { TextNumberID: numberId, LastMessage: { Contact: contact(), Message: 'Hello' } } },
    account.owner,
  );
const later = () => ({
  TextNumberID: numberId,
  Contacts: [contact()],
  TextMessage: 'Later',
  StartDate: new Date(Date.now() + 3_600_000).toISOString(),
});
const schedule = () => app.call(scheduleConversation, { body: later() }, account.owner);

async function draft(numbers = [phone]): Promise<number> {
  const body = { BroadcastName: 'Snow day', TextMessage: 'No school.', TextNumberID: numberId };
  const { DraftBroadcastID } = (await app.call(createDraft, { body }, account.owner)).body;
  const Items = numbers.map((PrimaryPhone) => ({ PrimaryPhone }));
  await app.call(addDraftNumbers, { params: { DraftBroadcastID }, body: { Items } }, account.owner);
  return DraftBroadcastID;
}
const send = (DraftBroadcastID: number) =>
  app.call(createBroadcast, { body: { DraftBroadcastID } }, account.owner);

const broadcast = (id: number) =>
  app.database.system
    .selectFrom('broadcasts')
    .select(['status', 'held_reason', 'fed_count'])
    .where('broadcast_id', '=', id)
    .executeTakeFirstOrThrow();

async function makeDue(): Promise<void> {
  await sql`update scheduled_conversations set start_at = now() - interval '1 minute'
    where account_id = ${account.accountId}`.execute(app.database.system);
}

/** Muster texts this phone when the owner has unread texts. */
async function wantNotices(to: string): Promise<void> {
  await sql`update users set notification_phone = ${`1${to}`} where user_id = ${account.owner.userId}`.execute(
    app.database.system,
  );
  const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
  const allDay = { Hour: 9, Minute: 0 };
  const Notifications = {
    IsActive: true,
    Type: 'TextUnread' as const,
    Method: 'Text' as const,
    PeriodMinutes: 15,
    NotificationWindow: { Days: [...days], StartTimeOfDay: allDay, StopTimeOfDay: allDay },
  };
  const params = { TextNumberID: numberId };
  const reply = await app.call(updateTextNumber, { params, body: { Notifications } }, account.owner);
  expect(reply.status).toBe(200);
}
const lookAtNotices = () =>
  sendNotices(
    { database: app.database, publicUrl: 'https://muster.example.org' },
    100,
    new Date(Date.now() + 3_600_000),
  );

const autoReply = () =>
  app.call(
    updateAccount,
    { body: { IsAutoReplyOn: true, AutoReplyMessage: 'We are closed.' } },
    account.owner,
  );
const keyword = () =>
  app.call(
    addKeyword,
    { body: { Keyword: 'BUS', Message: 'At nine', TextNumberIDs: [numberId] } },
    account.owner,
  );

describe('an account that may not send', () => {
  it('refuses every call that would send', async () => {
    await receive('Hi');
    const ConversationID = await conversationId();
    await sql`update users set phone = ${phone} where user_id = ${account.owner.userId}`.execute(
      app.database.system,
    );
    const waiting = await schedule();
    const id = await draft();
    const { rows } = await sql<{ id: number }>`
      insert into messages (account_id, text_number_id, phone, is_inbound, status, body)
      values (${account.accountId}, ${numberId}, ${`1${phone}`}, false, 'not_delivered', 'Again')
      returning message_id as id`.execute(app.database.system);
    await set('status_id = 1');
    const conversations = [
      await begin(),
      await schedule(),
      await app.call(sendScheduledConversation, { params: waiting.body }, account.owner),
    ];
    for (const reply of conversations) {
      expect(refusalOf(reply)).toMatchObject({ status: 403, Message: deniedConversations });
    }
    const others = [
      await app.call(
        sendTextMessage,
        { params: { ConversationID }, body: { Message: 'Yes?' } },
        account.owner,
      ),
      await app.call(
        resendTextMessage,
        { params: { TextMessageID: rows[0]?.id ?? 0 }, body: {} },
        account.owner,
      ),
      await app.call(sendTest, { params: { DraftBroadcastID: id }, body: {} }, account.owner),
      await send(id),
      await app.call(createDraft, { body: {} }, account.owner),
    ];
    for (const reply of others)
      expect(refusalOf(reply)).toMatchObject({ status: 403, Message: accessDenied });
    await app.drain();
    expect([await got(), await credits()]).toEqual([[], untouched]);
  });

  it.each([
    [1, null, suspended],
    [2, null, 'Reactivate this account to send texts.'],
    [3, null, 'Reactivate this account to send texts.'],
    [4, null, 'Reactivate this account to send texts.'],
    [5, null, 'This account is closed, so it can’t send texts.'],
    [6, null, suspended],
    [7, null, 'Reactivate this account to send texts.'],
    [8, -1, 'Reactivate this account to send texts.'],
    [8, 1, undefined],
    [0, -1, undefined],
  ])('creates no text in status %i with a subscription that ends in %s days', async (status, days, said) => {
    await set(
      `status_id = ${status}, subscription_end_at = ${days === null ? 'null' : `now() + interval '${days} days'`}`,
    );
    const text = {
      accountId: account.accountId,
      textNumberId: numberId,
      aggregatorId: 5,
      phone: `1${phone}`,
      body: 'Hi',
      segments: 1,
      credits: 1,
      origin: 'conversation' as const,
      userId: account.owner.userId,
    };
    const made = asSystem(app.database, (trx) => createTexts(trx, [text]));
    if (said === undefined) expect(await made).toHaveLength(1);
    else await expect(made).rejects.toThrow(said);
    expect((await credits())?.reserved).toBe(said === undefined ? 1 : 0);
    if (said === undefined) return;
    const skipped = asSystem(app.database, (trx) => createTexts(trx, [text], { whenShort: 'skip' }));
    expect(await skipped).toEqual([]);
  });

  it('fails scheduled texts with the message, and charges nothing', async () => {
    const { body } = await schedule();
    await set('status_id = 1');
    await makeDue();
    await app.drain();
    const row = await app.database.system
      .selectFrom('scheduled_conversations')
      .select(['state', 'problem', 'body'])
      .where('scheduled_id', '=', body.ScheduledConversationID)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ state: 'failed', problem: suspended, body: 'Later' });
    expect([await got(), await credits()]).toEqual([[], untouched]);
  });

  it('sends no automatic reply except to STOP, for free; texts still arrive', async () => {
    await autoReply();
    await keyword();
    await set('status_id = 1');
    for (const word of ['Hello?', 'bus', 'HELP']) await receive(word);
    await app.drain();
    expect(await got()).toEqual([]);
    await receive('STOP');
    await app.until(async () => (await got()).length === 1);
    expect(await got()).toEqual([expect.stringContaining('You have opted out')]);
    expect(await credits()).toEqual(untouched);
    const { rows } = await sql<{ body: string }>`select body from messages
      where account_id = ${account.accountId} and is_inbound order by message_id`.execute(
      app.database.system,
    );
    expect(rows.map(({ body }) => body)).toEqual(['Hello?', 'bus', 'HELP', 'STOP']);
  });

  it('notifies about unread texts by mail instead of by text', async () => {
    const own = '4235559901';
    await wantNotices(own);
    await receive('Anybody there?');
    await set('status_id = 1');
    await lookAtNotices();
    await app.drain();
    expect([await got(own), await credits()]).toEqual([[], untouched]);
    const { rows } = await sql<{ kind: string }>`select kind from mails
      where account_id = ${account.accountId}`.execute(app.database.system);
    expect(rows).toEqual([{ kind: 'unread' }]);
  });

  it('pauses its broadcasts with the message, and a person resumes them', async () => {
    const id = await draft();
    expect((await send(id)).status).toBe(200);
    await set('status_id = 6');
    await app.drain();
    expect(await broadcast(id)).toEqual({ status: 'paused', held_reason: suspended, fed_count: 0 });
    expect([await got(), await credits()]).toEqual([[], { balance: 100, reserved: 1 }]);
    const resume = () =>
      app.call(
        updateBroadcast,
        { params: { BroadcastID: id }, body: { BroadcastStatus: 'Broadcasting' } },
        account.owner,
      );
    expect((await resume()).status).toBe(403);
    await set('status_id = 0');
    await app.drain();
    expect(await got()).toEqual([]);
    expect((await resume()).body.HeldReason).toBe('');
    await app.until(async () => (await got()).length === 1);
    expect(await got()).toEqual(['No school.']);
  });

  it('may still cancel a broadcast, and gets its credits back', async () => {
    const id = await draft();
    await send(id);
    await set('status_id = 1');
    const params = { BroadcastID: id };
    const reply = await app.call(
      updateBroadcast,
      { params, body: { BroadcastStatus: 'Canceled' } },
      account.owner,
    );
    expect(reply.status).toBe(200);
    expect(await credits()).toEqual(untouched);
  });

  it('withdraws texts that still wait for a carrier, with their credits', async () => {
    expect((await begin()).status).toBe(200);
    expect(await credits()).toEqual({ balance: 100, reserved: 1 });
    await set('status_id = 1');
    await app.drain();
    const { rows } = await sql<{ status: string }>`select status from messages
      where account_id = ${account.accountId}`.execute(app.database.system);
    expect([rows, await got(), await credits()]).toEqual([[{ status: 'canceled' }], [], untouched]);
  });
});

describe('a free trial', () => {
  beforeEach(() => set('is_free_trial = true'));

  it('texts verified numbers only, in a conversation, scheduled and sent again', async () => {
    expect(refusalOf(await begin())).toMatchObject({ status: 422, Message: notVerified });
    expect(refusalOf(await schedule())).toMatchObject({ status: 422, Message: notVerified });
    await receive('Hi');
    const params = { ConversationID: await conversationId() };
    const reply = () => app.call(sendTextMessage, { params, body: { Message: 'Yes?' } }, account.owner);
    expect(refusalOf(await reply())).toMatchObject({ status: 422, Message: notVerified });
    await app.drain();
    expect([await got(), await credits()]).toEqual([[], untouched]);
    await verify();
    expect((await reply()).status).toBe(200);
    expect((await begin()).status).toBe(200);
    expect((await schedule()).status).toBe(200);
    await app.until(async () => (await got()).length === 2);
  });

  it('a scheduled text to a number that is no longer verified fails with the message', async () => {
    await verify();
    const { body } = await schedule();
    await sql`delete from verified_phones where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    await makeDue();
    await app.drain();
    const row = await app.database.system
      .selectFrom('scheduled_conversations')
      .select(['state', 'problem'])
      .where('scheduled_id', '=', body.ScheduledConversationID)
      .executeTakeFirstOrThrow();
    expect([row, await got()]).toEqual([{ state: 'failed', problem: notVerified }, []]);
  });

  it('answers and notifies verified numbers only; STOP is confirmed to anybody', async () => {
    await autoReply();
    const own = '4235559902';
    await wantNotices(own);
    await receive('Hello?');
    await lookAtNotices();
    await app.drain();
    expect([await got(), await got(own), await credits()]).toEqual([[], [], untouched]);
    await receive('STOP');
    await app.until(async () => (await got()).length === 1);
    const other = '4235559903';
    await verify(other);
    await receive('Hello?', other);
    await app.until(async () => (await got(other)).length === 1);
    expect(await got(other)).toEqual(['We are closed.']);
  });

  it('feeds a broadcast to verified numbers only, whoever was added before', async () => {
    const other = '4235559904';
    await verify();
    await verify(other);
    const id = await draft([phone, other]);
    await send(id);
    await sql`delete from verified_phones where phone = ${`1${other}`}`.execute(app.database.system);
    await app.until(async () => (await got()).length === 1);
    await app.drain();
    expect(await got(other)).toEqual([]);
    const { rows } = await sql`select opted_out, canceled, total, released from broadcast_slices
      where broadcast_id = ${id}`.execute(app.database.system);
    expect(rows).toEqual([{ opted_out: 0, canceled: 1, total: 2, released: 1 }]);
    expect(await credits()).toEqual({ balance: 99, reserved: 0 });
  });

  it('that was set up without texting creates no text at all', async () => {
    await verify();
    await set("features = '{FreeTrialABTestNoText}'");
    expect(refusalOf(await begin())).toMatchObject({ status: 403, Message: deniedConversations });
    await autoReply();
    await receive('Hello?');
    await app.drain();
    expect(await got()).toEqual([]);
  });
});

describe('other rules of the account', () => {
  it('an opt-in requirement added later keeps a broadcast from people who have not opted in', async () => {
    const id = await draft();
    await send(id);
    await set('require_text_opt_in = true');
    await app.drain();
    expect([await got(), await credits()]).toEqual([[], untouched]);
    expect((await broadcast(id)).fed_count).toBe(1);
  });

  it('no more texts per day than the carriers’ limit', async () => {
    await set('messages_per_day = 2');
    await sql`insert into daily_texts (account_id, day, text_number_id, sent)
      values (${account.accountId}, (now() at time zone 'America/New_York')::date, ${numberId}, 2)`.execute(
      app.database.system,
    );
    expect(refusalOf(await begin())).toMatchObject({
      status: 403,
      Message: 'Carriers take 2 texts a day from you, and that many were sent today. Try again tomorrow.',
    });
    await set('messages_per_day = 3');
    expect((await begin()).status).toBe(200);
  });
});
