import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CallInput } from '../../../contract/call.ts';
import { getConversation, listTextMessages, sendTextMessage } from '../../../contract/conversations.ts';
import type { TextStatusCode } from '../../../contract/delivery/text-status.ts';
import { getTextMessage, resendTextMessage } from '../../../contract/text-messages.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { addThread } from '../testing/thread-rows.ts';

let app: TestApp;
let account: BuiltAccount;
let owner: BuiltUser;
let admin: BuiltUser;
let first: number;
let second: number;

beforeAll(async () => {
  app = await testApp({ '14235550100': 'infobip', '18655550100': 'infobip' });
  account = await buildAccount(app, { numbers: { '14235550100': 'infobip', '18655550100': 'infobip' } });
  owner = account.owner;
  admin = await buildUser(app, account.accountId, 'admin');
  first = account.numbers['14235550100'] ?? 0;
  second = account.numbers['18655550100'] ?? 0;
});

let serial = 0;
const freshPhone = () => `1423555${String(5000 + serial++)}`;
const thread = (phone = freshPhone(), textNumberId = first) =>
  addThread(app, account.accountId, { phone, textNumberId, unread: 1 });
const send = (ConversationID: number, body: CallInput<typeof sendTextMessage>['body'], as = owner) =>
  app.call(sendTextMessage, { params: { ConversationID }, body }, as);

/** A text of ours in a thread, as stored in its row. */
async function addText(
  phone: string,
  status: TextStatusCode,
  more: { body?: string; textNumberId?: number } = {},
) {
  const { message_id } = await app.database.system
    .insertInto('messages')
    .values({
      account_id: account.accountId,
      text_number_id: more.textNumberId ?? first,
      phone,
      is_inbound: false,
      origin: 'conversation',
      status,
      user_id: owner.userId,
      body: more.body ?? 'It failed',
    })
    .returning('message_id')
    .executeTakeFirstOrThrow();
  return message_id;
}

describe('a text that waited in a browser', () => {
  it('is refused when another user has signed in there, and sent once when its writer is back', async () => {
    const phone = freshPhone();
    const { conversationId: id } = await thread(phone);
    const headers = { 'idempotency-key': 'waited-in-a-tunnel' };
    const input = { params: { ConversationID: id }, body: { Message: 'On my way', UserID: owner.userId } };
    const refused = await app.call(sendTextMessage, input, { ...admin, headers });
    expect(refusalOf(refused).Message).toBe(
      'Another user has signed in to this browser since you wrote this text.',
    );
    const replies = [];
    for (let tries = 0; tries < 3; tries++)
      replies.push(await app.call(sendTextMessage, input, { ...owner, headers }));
    expect(new Set(replies.map(({ body }) => body.TextMessageID)).size).toBe(1);
    const texts = await app.database.system
      .selectFrom('messages')
      .select('user_id')
      .where('phone', '=', phone)
      .where('is_inbound', '=', false)
      .execute();
    expect(texts).toEqual([{ user_id: owner.userId }]);
  });
});

describe('the characters of a text', () => {
  // 71 characters: with a curly apostrophe two parts, plain one segment.
  const fancy = `Don’t forget – “ＰＩＣＴＵＲＥ day” is on Friday… ${'x'.repeat(27)}`;
  const plain = `Don't forget - "PICTURE day" is on Friday... ${'x'.repeat(27)}`;

  it('are plain unless the request keeps them, also when it is sent again', async () => {
    const { conversationId: id } = await thread();
    expect((await send(id, { Message: fancy })).body.Message).toBe(plain);
    const kept = await send(id, { Message: fancy, KeepCharacters: true });
    expect(kept.body.Message).toBe(fancy);
    await sql`update messages set status = 'carrier_rejected' where message_id = ${kept.body.TextMessageID}`.execute(
      app.database.system,
    );
    const again = await app.call(
      resendTextMessage,
      { params: { TextMessageID: kept.body.TextMessageID }, body: {} },
      owner,
    );
    expect(again.body.Message).toBe(fancy);
  });

  it('count as sent: a text that is too long only once it is plain is refused', async () => {
    const { conversationId: id } = await thread();
    const limit = 'x'.repeat(319);
    expect((await send(id, { Message: `${limit}…`, KeepCharacters: true })).status).toBe(200);
    expect(refusalOf(await send(id, { Message: `${limit}…` })).Message).toMatch(/320/);
    expect((await send(id, { Message: `${limit}’` })).status).toBe(200);
  });
});

describe('when another user has answered since', () => {
  it('is a conflict that names them, and is sent without the check', async () => {
    const { conversationId: id, messageId: LastTextMessageID } = await thread();
    const theirs = await send(id, { Message: 'I have it' }, admin);
    const refused = refusalOf(await send(id, { Message: 'Me too', LastTextMessageID }));
    expect(refused).toMatchObject({
      status: 409,
      ErrorType: 'Display',
      Message: expect.stringMatching(
        /^Pat Number \d+ has already replied\. Read their reply before you send yours\.$/,
      ),
      ExtendedData: { Name: 'AnsweredMeanwhile', TextMessageID: theirs.body.TextMessageID },
    });
    const seen = await send(id, { Message: 'Now', LastTextMessageID: theirs.body.TextMessageID });
    expect(seen.status).toBe(200);
    expect((await send(id, { Message: 'And again' })).status).toBe(200);
  });

  it('the user’s own texts, the contact’s, and automatic ones are not answers of others', async () => {
    const phone = freshPhone();
    const { conversationId: id, messageId: LastTextMessageID } = await thread(phone);
    expect((await send(id, { Message: 'One', LastTextMessageID })).status).toBe(200);
    await sql`
      insert into messages (account_id, text_number_id, phone, is_inbound, origin, status, body, user_id)
      values (${account.accountId}, ${first}, ${phone}, true, 'inbound', 'received', 'Thanks', null),
        (${account.accountId}, ${first}, ${phone}, false, 'automatic', 'sent', 'We are closed', null),
        (${account.accountId}, ${first}, ${phone}, false, 'broadcast', 'sent', 'News', ${admin.userId})`.execute(
      app.database.system,
    );
    expect((await send(id, { Message: 'Two', LastTextMessageID })).status).toBe(200);
  });

  it('of two concurrent ones, one is sent', async () => {
    const { conversationId: id, messageId: LastTextMessageID } = await thread();
    const replies = await Promise.all(
      [owner, admin].map((as) => send(id, { Message: 'At once', LastTextMessageID }, as)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    const texts = await app.call(listTextMessages, { params: { ConversationID: id } }, owner);
    expect(texts.body.Items).toHaveLength(2);
  });
});

it('the signature counts: in length, in segments, in credits', async () => {
  const signature = '- Pat, front office';
  await app.database.system
    .updateTable('users')
    .set({ signature_text: signature })
    .where('user_id', '=', owner.userId)
    .execute();
  const { conversationId: id } = await thread();
  const room = 160 - 2 - signature.length;
  const one = await send(id, { Message: 'x'.repeat(room), IncludeSignature: true });
  expect(one.body).toMatchObject({
    Message: `${'x'.repeat(room)}\n\n${signature}`,
    Segments: 1,
    Credits: 1,
  });
  const two = await send(id, { Message: 'x'.repeat(room + 1), IncludeSignature: true });
  expect(two.body).toMatchObject({ Segments: 2, Credits: 2 });
  const without = await send(id, { Message: 'x'.repeat(room + 1) });
  expect(without.body).toMatchObject({ Segments: 1, Credits: 1 });
  const long = await send(id, { Message: 'x'.repeat(160 + room + 1), IncludeSignature: true });
  expect(refusalOf(long)).toMatchObject({
    status: 400,
    Message: "Your message can't exceed 320 characters.",
  });
});

describe('where an opt-in is required', () => {
  it.each(['require_text_opt_in', 'explicit_opt_in_required'])(
    'by %s nobody else is texted',
    async (name) => {
      const phone = freshPhone();
      const { conversationId: id } = await thread(phone);
      const set = (value: boolean) =>
        sql`update accounts set ${sql.ref(name)} = ${value} where account_id = ${account.accountId}`.execute(
          app.database.system,
        );
      await set(true);
      const refused = await send(id, { Message: 'Hello' });
      await sql`insert into phone_consents (account_id, phone, text_state, text_changed_at)
      values (${account.accountId}, ${phone}, 'in', now())`.execute(app.database.system);
      const allowed = await send(id, { Message: 'Hello' });
      await set(false);
      expect(refusalOf(refused)).toMatchObject({
        status: 422,
        Message: "This number hasn't opted-in to receiving texts.",
      });
      expect(allowed.status).toBe(200);
    },
  );
});

describe('a text that failed', () => {
  const resend = (TextMessageID: number, TruncateIfExceedsLimit = false, as = owner) =>
    app.call(resendTextMessage, { params: { TextMessageID }, body: { TruncateIfExceedsLimit } }, as);

  it('is sent again as a new one, and reaches the phone; the old stays', async () => {
    const phone = freshPhone();
    const { conversationId: id } = await thread(phone);
    const failed = await addText(phone, 'phone_unreachable', { body: 'Bus is late\n\n- Pat' });
    const { status, body } = await resend(failed);
    expect([status, body.Status, body.Message]).toEqual([200, 'waiting', 'Bus is late\n\n- Pat']);
    expect(body.TextMessageID).toBeGreaterThan(failed);
    await app.until(async () => (await app.sandbox.messages(phone.slice(1))).length === 1);
    const texts = await app.call(listTextMessages, { params: { ConversationID: id } }, owner);
    expect(texts.body.Items.map((item) => item.TextMessageID)).toEqual(
      expect.arrayContaining([failed, body.TextMessageID]),
    );
    const conversation = await app.call(getConversation, { params: { ConversationID: id } }, owner);
    expect(conversation.body).toMatchObject({
      UnreadCount: 0,
      LastMessage: { TextMessageID: body.TextMessageID },
    });
  });

  it.each(['not_delivered', 'unknown', 'canceled', 'attempts_exceeded'] as const)(
    '%s can be',
    async (status) => {
      const phone = freshPhone();
      await thread(phone);
      expect((await resend(await addText(phone, status))).status).toBe(200);
    },
  );

  it.each([
    ['waiting', 'This text is on its way. It can be sent again if it fails.'],
    ['sent', 'This text is on its way. It can be sent again if it fails.'],
    ['delivered', 'This text has arrived. Write a new one to send it again.'],
    ['read', 'This text has arrived. Write a new one to send it again.'],
  ] as const)('%s can’t be', async (status, Message) => {
    const phone = freshPhone();
    await thread(phone);
    expect(refusalOf(await resend(await addText(phone, status)))).toMatchObject({ status: 422, Message });
  });

  it('an inbound one can’t be', async () => {
    const { messageId } = await thread();
    expect(refusalOf(await resend(messageId))).toMatchObject({
      status: 422,
      Message: 'Only texts that were sent from here can be sent again.',
    });
  });

  it('by two at once it is sent once', async () => {
    const phone = freshPhone();
    await thread(phone);
    const failed = await addText(phone, 'not_delivered');
    const replies = await Promise.all([resend(failed), resend(failed, false, admin)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422]);
    const second = replies.find(({ status }) => status === 422);
    expect(second && refusalOf(second).Message).toBe('This text was sent again already.');
  });

  it('longer than the user’s limit is refused, or cut', async () => {
    const phone = freshPhone();
    await thread(phone);
    const failed = await addText(phone, 'not_delivered', { body: `${'x'.repeat(319)}👍 and more` });
    expect(refusalOf(await resend(failed))).toMatchObject({
      status: 400,
      Message: "Your message can't exceed 320 characters.",
    });
    const cut = await resend(failed, true);
    expect([cut.status, cut.body.Message]).toEqual([200, 'x'.repeat(319)]);
  });

  it('to a phone that has opted out is refused', async () => {
    const phone = freshPhone();
    await thread(phone);
    await sql`insert into phone_consents (account_id, phone, text_state, text_changed_at)
      values (${account.accountId}, ${phone}, 'out', now())`.execute(app.database.system);
    expect(refusalOf(await resend(await addText(phone, 'opted_out')))).toMatchObject({
      status: 422,
      Message: 'This number has opted out of receiving texts.',
    });
  });

  it('goes to the conversation that continues its own', async () => {
    const phone = freshPhone();
    const old = await thread(phone);
    const target = await thread(phone, second);
    await sql`update conversations set is_retired = true, is_done = true, continued_in_id = ${target.conversationId}
      where conversation_id = ${old.conversationId}`.execute(app.database.system);
    const { body } = await resend(await addText(phone, 'not_delivered'));
    const row = await app.database.system
      .selectFrom('messages')
      .select('text_number_id')
      .where('message_id', '=', body.TextMessageID)
      .executeTakeFirstOrThrow();
    expect(row.text_number_id).toBe(second);
  });

  it('of a number that isn’t the user’s, or a notification to a user, is not found', async () => {
    const phone = freshPhone();
    await thread(phone, second);
    const failed = await addText(phone, 'not_delivered', { textNumberId: second });
    const user = await buildUser(app, account.accountId, 'user', { textNumberIds: [first] });
    expect((await resend(failed, false, user)).status).toBe(404);
    const params = { TextMessageID: failed };
    expect((await app.call(getTextMessage, { params }, user)).status).toBe(404);
    expect((await app.call(getTextMessage, { params }, owner)).body).toMatchObject({
      TextMessageID: failed,
      Status: 'not_delivered',
      ConversationID: expect.any(Number),
    });
    await sql`update messages set origin = 'notification' where message_id = ${failed}`.execute(
      app.database.system,
    );
    expect((await app.call(getTextMessage, { params }, owner)).status).toBe(404);
  });
});
