import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { updateAccount } from '../../../contract/accounts.ts';
import * as resultCalls from '../../../contract/broadcast-results.ts';
import * as calls from '../../../contract/broadcasts.ts';
import { listContactHistory } from '../../../contract/contacts.ts';
import { listConversations, listTextMessages, sendTextMessage } from '../../../contract/conversations.ts';
import { getDraft } from '../../../contract/drafts.ts';
import { addKeyword } from '../../../contract/keywords.ts';
import { aBroadcast, recipientPhone } from '../../testing/broadcasts.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../../testing/builders.ts';
import { receiveTexts } from '../../testing/receive-texts.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { feedSlice } from '../feed/feed-broadcast.ts';

let app: TestApp;
let account: BuiltAccount;
let number: string;
let textNumberId: number;
let serial = 0;

beforeAll(async () => {
  app = await testApp();
});

beforeEach(async () => {
  serial += 1;
  number = `1865555${2000 + serial}`;
  account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  textNumberId = account.numbers[number] ?? 0;
});

/** A broadcast whose texts were all created; three recipients by default. */
async function aSentBroadcast(options: Parameters<typeof aBroadcast>[2] = {}) {
  const sender = { accountId: account.accountId, userId: account.owner.userId, textNumberId };
  const broadcastId = await aBroadcast(app.database, sender, { count: 3, ...options });
  if (options.isTextSurvey) {
    await sql`update broadcasts set yes_reply = 'See you there!', no_reply = 'Next time.'
      where broadcast_id = ${broadcastId}`.execute(app.database.system);
  }
  await feedSlice(app.database, 5, 100);
  return broadcastId;
}

const phone = (index: number) => recipientPhone(index);

const receive = (...texts: [from: string, body: string, at?: Date][]) =>
  receiveTexts(
    app,
    number,
    texts.map(([from, body, at]) => ({ from, body, at })),
  );

async function recipients(broadcastId: number) {
  const { rows } = await sql<{ replied: boolean; answer: string | null; first: string | null }>`
    select r.replied_at is not null as replied, r.survey_answer as answer, m.body as first
    from broadcast_recipients r left join messages m on m.message_id = r.reply_message_id
    where r.broadcast_id = ${broadcastId} order by r.recipient_id`.execute(app.database.system);
  return rows.map(({ replied, answer, first }) => [replied, answer, first]);
}

async function answersTo(to: string): Promise<string[]> {
  const rows = await app.database.system
    .selectFrom('messages')
    .select('body')
    .where('account_id', '=', account.accountId)
    .where('phone', '=', to)
    .where('origin', '=', 'automatic')
    .orderBy('message_id')
    .execute();
  return rows.map((row) => row.body);
}

describe('an answer with STOP', () => {
  it('counts as an opt-out of the latest broadcast, once, and is no reply', async () => {
    const before = await aSentBroadcast();
    const latest = await aSentBroadcast();
    await sql`update messages set status = 'delivered' where broadcast_id = ${latest}`.execute(
      app.database.system,
    );
    await receive([phone(1), 'stop, wrong number'], [phone(1), 'STOP'], [phone(2), 'STOP']);
    await receive([phone(2), 'START']);
    const whole = async (BroadcastID: number) =>
      (await app.call(calls.getBroadcast, { params: { BroadcastID } }, account.owner)).body;
    expect(await whole(before)).toMatchObject({ TextOptedOut: 0, StoppedTotal: 0 });
    expect(await whole(latest)).toMatchObject({ TextOptedOut: 2, StoppedTotal: 2, RepliedTotal: 0 });
    const tab = async (query: object) =>
      (
        await app.call(
          resultCalls.listBroadcastDetails,
          { params: { BroadcastID: latest }, query: { textresultcategory: 'OptedOut', ...query } },
          account.owner,
        )
      ).body;
    const all = await tab({});
    expect([all.Size, all.Items.map(({ PhoneNumber }) => `1${PhoneNumber}`)]).toEqual([
      2,
      [phone(1), phone(2)],
    ]);
    expect(all.Items[0]).toMatchObject({ TextResult: 'delivered', StoppedAt: expect.any(String) });
    // Page by page, by place and by number, and as a search.
    const first = await tab({ pagesize: 1 });
    const second = await tab({ pagesize: 1, next: first.Next ?? '' });
    expect([first.Size, second.Items[0]?.PhoneNumber, second.Next]).toEqual([2, phone(2).slice(1), null]);
    expect((await tab({ pagesize: 1, page: 2 })).Items[0]?.PhoneNumber).toBe(phone(2).slice(1));
    expect((await tab({ q: phone(1) })).Items).toHaveLength(1);
  });

  it('from a person whose text had not been sent counts them once', async () => {
    const latest = await aSentBroadcast();
    await sql`update messages set status = 'opted_out' where broadcast_id = ${latest} and phone = ${phone(0)}`.execute(
      app.database.system,
    );
    await receive([phone(0), 'STOP']);
    const { rows } = await sql<{ many: number }>`
      select count(*) as many from broadcast_recipients where broadcast_id = ${latest} and stopped_at is not null`.execute(
      app.database.system,
    );
    expect(rows).toEqual([{ many: 0 }]);
  });
});

describe('a reply', () => {
  it('belongs to the latest broadcast; its first text is kept; words are not survey answers', async () => {
    const before = await aSentBroadcast();
    const latest = await aSentBroadcast();
    await receive([phone(0), 'Thank you'], [phone(0), 'And when?'], [phone(1), 'STOP']);
    expect(await recipients(before)).toEqual(Array(3).fill([false, null, null]));
    expect(await recipients(latest)).toEqual([
      [true, null, 'Thank you'],
      [false, null, null],
      [false, null, null],
    ]);
    const params = { BroadcastID: latest };
    const { body } = await app.call(resultCalls.listTextReplies, { params }, account.owner);
    expect(body.Items.map(({ Message, IsOptedOut }) => [Message, IsOptedOut])).toEqual([
      ['And when?', false],
      ['Thank you', false],
    ]);
    expect(body.Size).toBe(2);
    const unanswered = async () =>
      (await app.call(calls.getBroadcast, { params }, account.owner)).body.UnansweredTotal;
    expect(await unanswered()).toBe(1);
    const ConversationID = body.Items[0]?.ConversationID ?? 0;
    await app.call(
      sendTextMessage,
      { params: { ConversationID }, body: { Message: 'At noon.' } },
      account.owner,
    );
    expect(await unanswered()).toBe(0);
    const { body: details } = await app.call(
      resultCalls.listBroadcastDetails,
      { params, query: { textresultcategory: 'Replied' } },
      account.owner,
    );
    expect(details.Items[0]).toMatchObject({
      ConversationID: body.Items[0]?.ConversationID,
      TextResponses: [{ Message: 'Thank you' }, { Message: 'And when?' }],
    });
  });

  it('that arrives late keeps the earlier time', async () => {
    const broadcastId = await aSentBroadcast();
    await sql`update messages set created_at = now() - interval '2 hours' where broadcast_id = ${broadcastId}`.execute(
      app.database.system,
    );
    await receive([phone(0), 'Second']);
    await receive([phone(0), 'First', new Date(Date.now() - 3_600_000)]);
    expect((await recipients(broadcastId))[0]).toEqual([true, null, 'First']);
  });

  it('is listed page by page and found by its words, and hidden from other organizations', async () => {
    const broadcastId = await aSentBroadcast();
    await receive([phone(0), 'One'], [phone(1), 'Two'], [phone(2), 'Three']);
    const params = { BroadcastID: broadcastId };
    const list = (query: object) => app.call(resultCalls.listTextReplies, { params, query }, account.owner);
    const first = await list({ pagesize: 2 });
    const second = await list({ pagesize: 2, next: first.body.Next });
    const words = [...first.body.Items, ...second.body.Items].map(({ Message }) => Message);
    expect([words.toSorted(), second.body.Next]).toEqual([['One', 'Three', 'Two'], null]);
    expect((await list({ q: 'thr' })).body.Items.map(({ Message }) => Message)).toEqual(['Three']);
    const stranger = await buildAccount(app);
    expect((await app.call(resultCalls.listTextReplies, { params }, stranger.owner)).status).toBe(404);
    const reply = await fetch(`${app.url}/proxy/api/broadcasts/${broadcastId}/textreplies.csv`, {
      headers: { cookie: account.owner.cookie },
    });
    expect((await reply.text()).trim().split('\r\n')).toHaveLength(4);
  });

  it('can start a broadcast to those who replied, without those who have opted out since', async () => {
    const broadcastId = await aSentBroadcast();
    await receive([phone(0), 'Thanks'], [phone(1), 'Thanks']);
    await receive([phone(1), 'STOP']);
    const params = { BroadcastID: broadcastId };
    const all = await app.call(resultCalls.repliesToDraft, { params }, account.owner);
    const some = await app.call(
      resultCalls.repliesToDraft,
      { params, query: { textresultcategory: 'NotOptedOut' } },
      account.owner,
    );
    expect([all.body.AddedCount, some.body.AddedCount]).toEqual([2, 1]);
    const { DraftBroadcastID } = some.body;
    const draft = await app.call(getDraft, { params: { DraftBroadcastID } }, account.owner);
    expect(draft.body).toMatchObject({
      BroadcastName: expect.stringMatching(/., replies$/),
      TextMessage: '',
    });
  });
});

describe('a text survey', () => {
  it('counts the latest answer, and replies once to each', async () => {
    const broadcastId = await aSentBroadcast({ isTextSurvey: true });
    await receive([phone(0), 'Yes!'], [phone(1), 'nope'], [phone(2), 'Who is this?']);
    await receive([phone(0), 'yes'], [phone(1), 'Y']);
    await receive([phone(1), 'No']);
    expect((await recipients(broadcastId)).map(([, answer]) => answer)).toEqual(['Yes', 'No', null]);
    expect(await answersTo(phone(0))).toEqual(['See you there!']);
    expect(await answersTo(phone(1))).toEqual(['Next time.', 'See you there!']);
    expect(await answersTo(phone(2))).toEqual([]);
    const params = { BroadcastID: broadcastId };
    const { body } = await app.call(calls.getBroadcast, { params }, account.owner);
    expect(body).toMatchObject({
      RepliedTotal: 3,
      TextSurveyResponseTotal: 2,
      TextSurveyResponses: [
        { ID: 1, Label: 'Yes', Count: 1 },
        { ID: 2, Label: 'No', Count: 1 },
      ],
    });
    for (const [textsurveyresponse, labels] of [
      ['No', ['No']],
      // A person who only asked a question has replied, but not answered the survey.
      ['Any', ['No', 'Yes']],
    ] as const) {
      const query = { textresultcategory: 'Replied', textsurveyresponse } as const;
      const { body: details } = await app.call(
        resultCalls.listBroadcastDetails,
        { params, query },
        account.owner,
      );
      expect(details.Items.map(({ TextSurveyResponse }) => TextSurveyResponse?.Label).sort()).toEqual(labels);
      expect(details.Size).toBe(labels.length);
    }
  });

  it('a reply that arrives late does not replace the one written after it', async () => {
    const broadcastId = await aSentBroadcast({ isTextSurvey: true });
    await sql`update messages set created_at = now() - interval '2 hours' where broadcast_id = ${broadcastId}`.execute(
      app.database.system,
    );
    await receive([phone(0), 'No']);
    await receive([phone(0), 'Yes', new Date(Date.now() - 60_000)]);
    expect((await recipients(broadcastId))[0]?.[1]).toBe('No');
    expect(await answersTo(phone(0))).toEqual(['Next time.']);
  });

  it('takes precedence over keywords and the auto reply, which answer everything else', async () => {
    await aSentBroadcast({ isTextSurvey: true });
    const keyword = { Keyword: 'SURE', Message: 'A keyword', TextNumberIDs: [textNumberId] };
    expect((await app.call(addKeyword, { body: keyword }, account.owner)).status).toBe(200);
    const away = { IsAutoReplyOn: true, AutoReplyMessage: 'We are closed.' };
    await app.call(updateAccount, { body: away }, account.owner);
    await receive([phone(0), 'Sure'], [phone(1), 'Maybe'], ['14235550777', 'Sure']);
    expect(await answersTo(phone(0))).toEqual(['See you there!']);
    expect(await answersTo(phone(1))).toEqual(['We are closed.']);
    expect(await answersTo('14235550777')).toEqual(['A keyword']);
  });
});

it('the inbox and a contact’s history name the broadcast', async () => {
  const { person_id: PersonID } = await app.database.system
    .insertInto('contacts')
    .values({ account_id: account.accountId, primary_phone: phone(0) })
    .returning('person_id')
    .executeTakeFirstOrThrow();
  const BroadcastID = await aSentBroadcast({ name: 'Snow day' });
  await receive([phone(0), 'Thanks']);
  const list = await app.call(listConversations, { query: { broadcastId: BroadcastID } }, account.owner);
  expect([list.body.BroadcastName, list.body.Items.length]).toEqual(['Snow day', 1]);
  const ConversationID = list.body.Items[0]?.ConversationID ?? 0;
  const { body: thread } = await app.call(listTextMessages, { params: { ConversationID } }, account.owner);
  const named = { BroadcastID, BroadcastName: 'Snow day' };
  expect(thread.Items.map(({ Broadcast }) => Broadcast)).toEqual([named, named]);
  const { body: history } = await app.call(listContactHistory, { params: { PersonID } }, account.owner);
  expect(history.Items[0]?.Broadcast).toEqual(named);
  const user = await buildUser(app, account.accountId, 'user');
  const hidden = await app.call(listConversations, { query: { broadcastId: BroadcastID } }, user);
  expect(hidden.status).toBe(403);
});
