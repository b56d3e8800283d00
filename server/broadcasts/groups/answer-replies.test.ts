/** Replies to a broadcast in groups: how they are grouped, corrected by hand, and answered once. */
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { updateAccount } from '../../../contract/accounts.ts';
import { listAuditLog } from '../../../contract/audit-log.ts';
import type { CallInput } from '../../../contract/call.ts';
import { sendTextMessage } from '../../../contract/conversations.ts';
import {
  answerReplies,
  type GroupKey,
  listGroupReplies,
  listReplyGroups,
  moveReplies,
  previewAnswer,
} from '../../../contract/reply-groups.ts';
import { aBroadcast, recipientPhone } from '../../testing/broadcasts.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../../testing/builders.ts';
import { receiveTexts } from '../../testing/receive-texts.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { feedSlice } from '../feed/feed-broadcast.ts';

let app: TestApp;
let account: BuiltAccount;
let number: string;
let BroadcastID: number;
let serial = 0;
const params = () => ({ BroadcastID });

beforeAll(async () => {
  app = await testApp();
});

beforeEach(async () => {
  serial += 1;
  number = `1865555${3000 + serial}`;
  account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  const sender = {
    ...{ accountId: account.accountId, userId: account.owner.userId },
    textNumberId: account.numbers[number] ?? 0,
  };
  BroadcastID = await aBroadcast(app.database, sender, {
    count: 12,
    name: 'Field trip',
    body: 'Are you coming?',
  });
  await sql`update broadcast_recipients set first_name = 'Ana' || recipient_id
    where broadcast_id = ${BroadcastID}`.execute(app.database.system);
  await feedAll();
});

async function feedAll(): Promise<void> {
  while (await feedSlice(app.database, 5, 100));
}

const receive = (...texts: string[]) =>
  receiveTexts(
    app,
    number,
    texts.map((body, index) => ({ from: recipientPhone(index), body })),
  );

const groups = async () => (await app.call(listReplyGroups, { params: params() }, account.owner)).body;
const repliesOf = async (group: GroupKey) =>
  (await app.call(listGroupReplies, { params: params(), query: { group } }, account.owner)).body;
const summary = async () => (await groups()).Items.map((one) => [one.Name, one.Size, one.ToAnswer]);
async function groupNamed(name: string) {
  const found = (await groups()).Items.find(({ Name }) => Name === name);
  if (found === undefined) throw new Error(`no group ${name}`);
  return found;
}
type AnswerBody = CallInput<typeof answerReplies>['body'];
const answer = async (name: string, more: Partial<AnswerBody> = {}, as = account.owner) => {
  const { GroupKey, TextReplyIDs } = await groupNamed(name);
  const body = { GroupKey, TextReplyIDs, TextMessage: 'The bus leaves at 8.', ...more };
  return app.call(answerReplies, { params: params(), body }, as);
};

async function textsOf(broadcastId: number): Promise<string[]> {
  await feedAll();
  const { rows } = await sql<{ body: string }>`
    select body from messages where broadcast_id = ${broadcastId} and not is_inbound order by phone`.execute(
    app.database.system,
  );
  return rows.map(({ body }) => body);
}

const conversations = async () => {
  const { rows } = await sql<{ phone: string; is_done: boolean; waits: boolean; unread_count: number }>`
    select phone, is_done, waiting_since is not null as waits, unread_count from conversations
    where account_id = ${account.accountId} order by phone`.execute(app.database.system);
  return rows;
};

const replies = [
  ...[
    'What time does the bus leave?',
    'when does the bus leave',
    'Yes',
    'Yes, but what time does the bus leave?',
  ],
  ...['No sorry', 'Wrong number', '¿A qué hora sale el autobús?', 'Thank you!', 'My son has a cold'],
];

it('groups them, explains the groups, and says where else a reply belongs', async () => {
  await receive(...replies);
  expect(await summary()).toEqual([
    ['Questions about bus, leave, time', 3, 3],
    ['Yes', 1, 1],
    ['No', 1, 1],
    ['Wrong numbers', 1, 1],
    ['In Spanish', 1, 1],
    ['Everything else', 1, 1],
    ['No answer needed', 1, 1],
  ]);
  const { Items, Size, GroupedCount, PeopleCount } = await groups();
  expect([Size, GroupedCount, PeopleCount]).toEqual([9, 9, 9]);
  // Replies can be moved to groups that have none yet.
  expect((await groups()).EmptyGroups.map(({ Name }) => Name)).toEqual([
    'Other questions',
    'In English',
    'In another language',
  ]);
  expect(Items[0]?.Explanation).toBe('Grouped by these words: bus, leave, time.');
  const listed = await repliesOf(Items[0]?.GroupKey ?? 'rest');
  expect(listed.Items.map(({ Message, AlsoIn, IsAnswered }) => [Message, AlsoIn, IsAnswered])).toEqual([
    ['Yes, but what time does the bus leave?', ['Yes'], false],
    ['when does the bus leave', [], false],
    ['What time does the bus leave?', [], false],
  ]);
});

it('remembers replies that were moved by hand, and moves them back', async () => {
  await receive(...replies);
  const rest = await groupNamed('Everything else');
  const about = await groupNamed('Questions about bus, leave, time');
  const body = { TextReplyIDs: rest.TextReplyIDs, GroupKey: about.GroupKey };
  expect((await app.call(moveReplies, { params: params(), body }, account.owner)).body).toEqual({ Size: 1 });
  const moved = await repliesOf(about.GroupKey);
  expect(moved.Items[0]).toMatchObject({ Message: 'My son has a cold', IsMoved: true });
  // A group that people have used stays, whatever comes later.
  await receive(...Array.from({ length: 3 }, () => 'Does the bus leave on time if it snows?'));
  expect((await repliesOf(about.GroupKey)).Items.map(({ Message }) => Message)).toContain(
    'My son has a cold',
  );
  const back = { TextReplyIDs: rest.TextReplyIDs, GroupKey: null };
  await app.call(moveReplies, { params: params(), body: back }, account.owner);
  expect((await repliesOf('rest')).Items).toMatchObject([{ Message: 'My son has a cold', IsMoved: false }]);
  const { body: log } = await app.call(listAuditLog, { query: {} }, account.owner);
  expect(log.Items.map(({ What }) => What)).toContain('Moved replies to another group');
  // Replies to something else, and another organization's, don't belong here.
  const foreign = { TextReplyIDs: [999_999_999], GroupKey: 'yes' as const };
  expect((await app.call(moveReplies, { params: params(), body: foreign }, account.owner)).status).toBe(404);
  const other = await buildAccount(app);
  expect((await app.call(moveReplies, { params: params(), body }, other.owner)).status).toBe(404);
  expect((await app.call(listReplyGroups, { params: params() }, other.owner)).status).toBe(404);
});

it('answers a group with a text for each, marks their conversations done, and never twice', async () => {
  await receive(...replies);
  const name = 'Questions about bus, leave, time';
  const { GroupKey, TextReplyIDs } = await groupNamed(name);
  const TextMessage = '{{FirstName}}, the bus leaves at 8.';
  const preview = await app.call(
    previewAnswer,
    { params: params(), body: { TextReplyIDs, TextMessage } },
    account.owner,
  );
  expect(preview.body).toMatchObject({ Total: 3, Good: 3, AnsweredCount: 0, Refusal: null });
  expect(preview.body.Recipients[0]?.TextMessage).toMatch(/^Ana\d+, the bus leaves at 8\./);

  const body = { GroupKey, TextReplyIDs, TextMessage, MarkDone: true, ExpectedCount: 3 };
  const again = { params: params(), body };
  const key = { 'idempotency-key': 'answer' };
  const sent = await app.call(answerReplies, again, { ...account.owner, headers: key });
  expect(sent.body).toMatchObject({
    Count: 3,
    BroadcastName: 'Answer: Questions about bus, leave, time, Field t…',
  });
  // The same request once more, as after a lost reply.
  expect((await app.call(answerReplies, again, { ...account.owner, headers: key })).body).toEqual(sent.body);
  // Somebody else presses Send on the same group.
  const refused = await app.call(answerReplies, again, account.owner);
  expect([refused.status, refusalOf(refused).Message]).toEqual([
    409,
    'These replies have been answered already.',
  ]);

  const texts = await textsOf(sent.body.AnswerBroadcastID);
  expect(texts).toHaveLength(3);
  for (const text of texts) expect(text).toMatch(/Ana\d+, the bus leaves at 8\./);
  const rows = await conversations();
  const answered = [recipientPhone(0), recipientPhone(1), recipientPhone(3)];
  expect(rows.filter(({ is_done }) => is_done).map(({ phone }) => phone)).toEqual(answered);
  expect(rows.filter(({ phone, waits }) => answered.includes(phone) && waits)).toEqual([]);
  expect((await repliesOf(GroupKey)).Items).toMatchObject(
    Array.from({ length: 3 }, () => ({ IsAnswered: true, AnswerBroadcastID: sent.body.AnswerBroadcastID })),
  );
  expect((await summary())[0]).toEqual([name, 3, 0]);
  const { body: log } = await app.call(listAuditLog, { query: {} }, account.owner);
  expect(log.Items.map(({ What }) => What)).toEqual(
    expect.arrayContaining(['Answered replies to a broadcast', 'Sent a broadcast']),
  );
});

it('keeps open what else somebody has written, and says how many', async () => {
  const text = (body: string, index = 0) =>
    receiveTexts(app, number, [{ from: recipientPhone(index), body }]);
  // Before the answered question, after it, with nothing but thanks, and with a reply that was answered before.
  await text('My son has a cold, can he stay at home?');
  await receive(...Array.from({ length: 4 }, () => 'When does the bus leave?'));
  await text('Where do we meet?', 1);
  await text('Thank you!', 2);
  await text('Yes', 3);
  expect((await answer('Yes')).body.Count).toBe(1);
  const since = async () => {
    const { rows } = await sql<{ text: string | null }>`
      select (select m.body from messages m where m.account_id = c.account_id and m.phone = c.phone and m.is_inbound
        and date_trunc('milliseconds', m.created_at) = date_trunc('milliseconds', c.waiting_since)) as text
      from conversations c where c.account_id = ${account.accountId} order by phone`.execute(
      app.database.system,
    );
    return rows.map((row) => row.text);
  };
  // The first answer left the question of the fourth open.
  expect((await since())[3]).toBe('When does the bus leave?');

  const [name = ''] = (await groups()).Items.map(({ Name }) => Name).filter((one) => one.includes('bus'));
  const { TextReplyIDs } = await groupNamed(name);
  const asked = { TextReplyIDs, TextMessage: 'At 8.' };
  const preview = await app.call(previewAnswer, { params: params(), body: asked }, account.owner);
  expect(preview.body).toMatchObject({ Good: 4, StillOpenCount: 2 });
  await answer(name, { MarkDone: true });
  await feedAll();
  expect(await since()).toEqual(['My son has a cold, can he stay at home?', 'Where do we meet?', null, null]);
  expect(await conversations()).toMatchObject([
    { is_done: false, waits: true, unread_count: 1 },
    { is_done: false, waits: true, unread_count: 1 },
    { is_done: true, waits: false, unread_count: 0 },
    { is_done: true, waits: false, unread_count: 0 },
  ]);
});

it('lets one of two who press Send at once through', async () => {
  await receive('Yes', 'yes', 'Yep');
  // Both look at the group before either sends: afterwards it lists nothing to answer.
  const { TextReplyIDs } = await groupNamed('Yes');
  const both = await Promise.all([answer('Yes', { TextReplyIDs }), answer('Yes', { TextReplyIDs })]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const [won] = both.filter(({ status }) => status === 200);
  expect(await textsOf(won?.body.AnswerBroadcastID ?? 0)).toHaveLength(3);
  const { rows } = await sql<{ many: number }>`select count(*)::int as many from messages
    where account_id = ${account.accountId} and not is_inbound and broadcast_id <> ${BroadcastID}`.execute(
    app.database.system,
  );
  expect(rows).toEqual([{ many: 3 }]);
});

it('leaves out people who opted out or were answered in the inbox, and says why nothing goes', async () => {
  await receive('Yes', 'Yes', 'Yes');
  const ids = (await groupNamed('Yes')).TextReplyIDs;
  // The first opts out afterwards, the second is answered by a colleague.
  await receive('STOP');
  const [row] = (
    await sql<{ conversation_id: number }>`select conversation_id from conversations
    where account_id = ${account.accountId} and phone = ${recipientPhone(1)}`.execute(app.database.system)
  ).rows;
  await app.call(
    sendTextMessage,
    {
      params: { ConversationID: row?.conversation_id ?? 0 },
      body: { Message: 'Great!' },
    },
    account.owner,
  );
  expect(await groupNamed('Yes')).toMatchObject({ Size: 3, ToAnswer: 1 });
  // Even where the page still showed all three.
  const stale = await answer('Yes', { TextReplyIDs: ids });
  expect(stale.body.Count).toBe(1);
  expect(await textsOf(stale.body.AnswerBroadcastID)).toHaveLength(1);
  // People who were left out haven't been answered, and their conversation is unchanged.
  const marked = await sql<{ many: number }>`select count(*)::int as many from broadcast_reply_marks
    where broadcast_id = ${BroadcastID} and answer_broadcast_id is not null`.execute(app.database.system);
  expect(marked.rows).toEqual([{ many: 1 }]);
});

it('is not answered by a text that failed, or that was scheduled before the reply', async () => {
  const schedule = (index: number) =>
    sql`
      with d as (
        insert into scheduled_conversations (account_id, user_id, text_number_id, body, start_at)
        values (${account.accountId}, ${account.owner.userId}, ${account.numbers[number]}, 'See you', now())
        returning account_id, scheduled_id)
      insert into scheduled_recipients (account_id, scheduled_id, position, phone)
      select account_id, scheduled_id, 1, ${recipientPhone(index)} from d`.execute(app.database.system);
  await schedule(0);
  await receive('Yes', 'Yes', 'Yes', 'Yes');
  await schedule(1);
  await sql`
    with sent as (
      insert into messages (account_id, text_number_id, phone, is_inbound, status, origin, body)
      select ${account.accountId}, ${account.numbers[number]}, t.phone, false, t.status, 'conversation', 'See you'
      from unnest(${[0, 1, 2, 3].map((index) => recipientPhone(index))}::text[], array['sent', 'sent', 'not_delivered', 'canceled'])
        as t(phone, status)
      returning account_id, message_id, phone)
    update scheduled_recipients r set message_id = s.message_id
    from sent s where r.account_id = s.account_id and r.phone = s.phone`.execute(app.database.system);
  const { Items } = await repliesOf('yes');
  const byPhone = Items.toSorted((a, b) => a.PhoneNumber.localeCompare(b.PhoneNumber));
  expect(byPhone.map(({ IsAnswered }) => IsAnswered)).toEqual([false, true, false, false]);
});

it('is refused like any broadcast: no words, no permission, more than was shown', async () => {
  await receive('No');
  expect((await answer('No', { TextMessage: ' ' })).status).toBe(400);
  const reader = await buildUser(app, account.accountId, 'user', {
    textNumberIds: [account.numbers[number] ?? 0],
  });
  await sql`update users set can_create_broadcast = false where user_id = ${reader.userId}`.execute(
    app.database.system,
  );
  expect((await answer('No', {}, reader)).status).toBe(403);
  const more = await answer('No', { ExpectedCount: 0 });
  expect(more.status).toBe(409);
  // A refusal leaves nothing.
  expect(await groupNamed('No')).toMatchObject({ ToAnswer: 1 });
  expect(await conversations()).toMatchObject([{ is_done: false, waits: true, unread_count: 1 }]);
});

it('does not count toward the limit of broadcasts per person', async () => {
  await app.call(updateAccount, { body: { BroadcastLimit: { Most: 1, Days: 7 } } }, account.owner);
  await receive('Yes');
  expect((await answer('Yes')).body.Count).toBe(1);
});
