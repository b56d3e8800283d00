import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CallInput } from '../../../contract/call.ts';
import {
  conversationLimits,
  getConversation,
  getConversationsSummary,
  listConversations,
  listTextMessages,
  moveConversations,
  sendTextMessage,
} from '../../../contract/conversations.ts';
import { addNote, deleteNote, listNotes, updateNote } from '../../../contract/notes.ts';
import { getSignatureSetting, updateSignatureSetting } from '../../../contract/signature-settings.ts';
import { getTextMessage } from '../../../contract/text-messages.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { keyOf, openSocket } from '../../testing/test-socket.ts';
import { addThread, type ThreadRow } from '../testing/thread-rows.ts';

const phones = ['14235550100', '18655550100', '16155550100'] as const;
let app: TestApp;
let account: BuiltAccount;
let owner: BuiltUser;
/** May use only the first number. */
let user: BuiltUser;
let first: number;
let second: number;
let third: number;

beforeAll(async () => {
  const numbers = Object.fromEntries(phones.map((phone) => [phone, 'infobip' as const]));
  app = await testApp(numbers);
  account = await buildAccount(app, { numbers });
  owner = account.owner;
  [first = 0, second = 0, third = 0] = phones.map((phone) => account.numbers[phone] ?? 0);
  user = await buildUser(app, account.accountId, 'user', { textNumberIds: [first] });
});

let serial = 0;
const freshPhone = () => `1423555${String(4000 + serial++)}`;
const thread = (row: Partial<ThreadRow> = {}) =>
  addThread(app, account.accountId, { phone: freshPhone(), textNumberId: first, ...row });
const read = async (ConversationID: number, as = owner) =>
  (await app.call(getConversation, { params: { ConversationID } }, as)).body;
const notesOf = async (ConversationID: number) =>
  (await app.call(listNotes, { params: { ConversationID } }, owner)).body.Items;
const move = (body: CallInput<typeof moveConversations>['body'], as = owner, query = {}) =>
  app.call(moveConversations, { body, query }, as);
const moveOne = async (id: number, TextNumberIDTo: number) =>
  (await move({ TextNumberIDTo, Selection: { Type: 'Selected', Items: [id] } })).body.ConversationID ?? 0;

async function tag(name: string): Promise<number> {
  const { tag_id } = await app.database.system
    .insertInto('tags')
    .values({ account_id: account.accountId, name })
    .returning('tag_id')
    .executeTakeFirstOrThrow();
  return tag_id;
}

describe('a conversation that moves', () => {
  it('by number and phone continues at the other number with everything that belongs to it', async () => {
    const phone = freshPhone();
    const tagId = await tag('Carried');
    const { conversationId: id, messageId } = await thread({
      phone,
      unread: 2,
      tagIds: [tagId],
      assignedUserId: owner.userId,
    });
    await app.call(addNote, { params: { ConversationID: id }, body: { Note: 'Call her at five' } }, owner);
    await app.call(
      updateSignatureSetting,
      { params: { ConversationID: id }, body: { isEnabled: true } },
      owner,
    );
    const moved = await move({
      TextNumberIDFrom: first,
      TextNumberIDTo: second,
      PhoneNumber: phone.slice(1),
    });
    expect(moved.body).toEqual({ Size: 1, ConversationID: expect.any(Number) });
    const target = moved.body.ConversationID ?? 0;
    expect(await read(target)).toMatchObject({
      TextNumberID: second,
      PhoneNumber: phone.slice(1),
      UnreadCount: 2,
      IsDone: false,
      IsRetired: false,
      AssignedTo: { UserID: owner.userId },
      Tags: [{ TagID: tagId }],
      LastMessage: { TextMessageID: messageId },
      ContinuedInID: null,
    });
    expect(await read(id)).toMatchObject({
      IsRetired: true,
      IsDone: true,
      UnreadCount: 0,
      ContinuedInID: target,
    });
    const words = 'From Number 1 to Number 2';
    expect(await notesOf(target)).toMatchObject([
      { Kind: 'moved', Note: words },
      { Kind: 'note', Note: 'Call her at five' },
    ]);
    expect(await notesOf(id)).toMatchObject([{ Kind: 'moved', Note: words, User: { UserID: owner.userId } }]);
    const params = { ConversationID: target };
    expect((await app.call(getSignatureSetting, { params }, owner)).body).toEqual({ isEnabled: true });
    const texts = await app.call(listTextMessages, { params }, owner);
    expect(texts.body.Items.map((item) => item.TextMessageID)).toEqual([messageId]);
    const text = await app.call(getTextMessage, { params: { TextMessageID: messageId } }, owner);
    expect(text.body.ConversationID).toBe(target);
  });

  it('joins an existing one: unread added, tags united, its own assignee kept', async () => {
    const phone = freshPhone();
    const [mine, theirs] = [await tag('Of the one'), await tag('Of the other')];
    const old = await thread({ phone, unread: 1, tagIds: [mine], assignedUserId: owner.userId });
    const there = await thread({
      phone,
      textNumberId: second,
      unread: 1,
      isDone: true,
      tagIds: [theirs],
      at: '2026-01-01T00:00:00Z',
    });
    const target = await moveOne(old.conversationId, second);
    expect(target).toBe(there.conversationId);
    expect(await read(target)).toMatchObject({
      UnreadCount: 2,
      IsDone: false,
      AssignedTo: { UserID: owner.userId },
      Tags: [{ TagID: mine }, { TagID: theirs }],
      LastMessage: { TextMessageID: old.messageId },
    });
    const admin = await buildUser(app, account.accountId, 'admin');
    const more = await thread({ phone, textNumberId: third, assignedUserId: admin.userId });
    await moveOne(more.conversationId, second);
    expect((await read(target)).AssignedTo).toMatchObject({ UserID: owner.userId });
  });

  it('from several numbers at once becomes one', async () => {
    const phone = freshPhone();
    const one = await thread({ phone, unread: 1 });
    const two = await thread({ phone, textNumberId: second, unread: 1 });
    const Items = [one.conversationId, two.conversationId];
    const moved = await move({ TextNumberIDTo: third, Selection: { Type: 'Selected', Items } });
    expect(moved.body).toEqual({ Size: 2, ConversationID: null });
    const rows = await Promise.all(Items.map((id) => read(id)));
    expect(rows[0]?.ContinuedInID).toBe(rows[1]?.ContinuedInID);
    expect(await read(rows[0]?.ContinuedInID ?? 0)).toMatchObject({ TextNumberID: third, UnreadCount: 2 });
  });

  it('back and forth: the open one includes the texts of all of them', async () => {
    const phone = freshPhone();
    const keep = await tag('Taken off meanwhile');
    const { conversationId: id } = await thread({ phone, tagIds: [keep] });
    const away = await moveOne(id, second);
    await sql`update conversations set tag_ids = '{}' where conversation_id = ${away}`.execute(
      app.database.system,
    );
    const back = await moveOne(away, first);
    expect(back).toBe(id);
    expect(await read(id)).toMatchObject({ IsRetired: false, IsDone: false, ContinuedInID: null, Tags: [] });
    expect(await read(away)).toMatchObject({ IsRetired: true, ContinuedInID: id });
    const last = await moveOne(id, third);
    const texts = await app.call(listTextMessages, { params: { ConversationID: last } }, owner);
    expect(texts.body.Items).toHaveLength(1);
    // A retired one isn't moved again.
    expect(await moveOne(id, second)).toBe(0);
  });

  it('that answered a broadcast is found among the answers where it continues', async () => {
    const { conversationId: id } = await thread();
    await sql`insert into broadcast_replies (account_id, broadcast_id, conversation_id, replied_at)
      values (${account.accountId}, 77, ${id}, now())`.execute(app.database.system);
    const target = await moveOne(id, second);
    const listed = await app.call(listConversations, { query: { broadcastId: 77 } }, owner);
    expect(listed.body.Items.map((item) => item.ConversationID)).toEqual([target]);
  });

  it('loses an assignee who can’t use the new number', async () => {
    const { conversationId: id } = await thread({ assignedUserId: user.userId });
    expect((await read(await moveOne(id, second))).AssignedTo).toBeNull();
  });

  it('is reopened when a text is written at the old number', async () => {
    const { conversationId: id } = await thread();
    await moveOne(id, second);
    const params = { ConversationID: id };
    await app.call(sendTextMessage, { params, body: { Message: 'From the old number' } }, owner);
    expect(await read(id)).toMatchObject({ IsRetired: false, IsDone: false, ContinuedInID: null });
  });

  it('notifies the pages of both', async () => {
    const socket = await openSocket(app.url, await keyOf(app, owner));
    const { conversationId: id } = await thread();
    const target = await moveOne(id, second);
    expect(await socket.heard({ type: 'conversation.changed', ConversationID: target })).toEqual(
      expect.arrayContaining([
        { type: 'conversation.changed', ConversationID: id },
        { type: 'notes.changed', ConversationID: target },
      ]),
    );
  });
});

describe('refused', () => {
  it('an empty request, a number to itself, an invalid phone or one without texts', async () => {
    const given = { TextNumberIDFrom: first, TextNumberIDTo: second };
    const Selection = { Type: 'SelectedAll' as const };
    expect(refusalOf(await move(given))).toMatchObject({
      status: 400,
      Errors: [{ Message: 'Send either Selection, or TextNumberIDFrom and PhoneNumber.' }],
    });
    expect(refusalOf(await move({ ...given, TextNumberIDTo: first, Selection }))).toMatchObject({
      status: 400,
      Message: 'Choose another text number.',
    });
    expect(refusalOf(await move({ ...given, PhoneNumber: '12' }))).toMatchObject({
      status: 400,
      Message: 'Must be 10 digits; use only numbers',
    });
    expect((await move({ ...given, PhoneNumber: '4235559999' })).status).toBe(404);
  });

  it('to or from a number that the user may not use', async () => {
    const { conversationId } = await thread();
    const Selection = { Type: 'Selected' as const, Items: [conversationId] };
    expect((await move({ TextNumberIDTo: second, Selection }, user)).status).toBe(404);
    const foreign = await thread({ textNumberId: second });
    const theirs = { Type: 'Selected' as const, Items: [foreign.conversationId] };
    expect((await move({ TextNumberIDTo: first, Selection: theirs }, user)).body).toEqual({
      Size: 0,
      ConversationID: null,
    });
  });
});

it('more than are moved at once continue in the background', async () => {
  const many = conversationLimits.movedAtOnce + 7;
  const built = await buildAccount(app, { numbers: { '19315550101': 'infobip', '19315550102': 'infobip' } });
  const [from = 0, to = 0] = Object.values(built.numbers);
  await sql`insert into conversations (account_id, text_number_id, phone, unread_count)
    select ${built.accountId}, ${from}, (14230000000 + n)::text, 1 from generate_series(1, ${many}) n`.execute(
    app.database.system,
  );
  const reply = await app.call(
    moveConversations,
    { query: { isDone: false }, body: { TextNumberIDTo: to, Selection: { Type: 'SelectedAll' } } },
    built.owner,
  );
  expect(reply.body).toEqual({ Size: many, ConversationID: null, WorkID: expect.any(Number) });
  await app.drain();
  const { body } = await app.call(getConversationsSummary, {}, built.owner);
  expect(body).toMatchObject({ UnreadCount: many, OpenCount: many, DoneCount: many });
  expect(body.TextNumbers.find((row) => row.TextNumberID === to)).toMatchObject({ OpenCount: many });
  const { rows } = await sql<{ astray: number }>`
    select count(*) as astray from conversations c join conversations t
      on t.account_id = c.account_id and t.conversation_id = c.continued_in_id
    where c.account_id = ${built.accountId} and (c.phone <> t.phone or t.text_number_id <> ${to})`.execute(
    app.database.system,
  );
  expect(rows[0]?.astray).toBe(0);
});

describe('notes', () => {
  const add = (ConversationID: number, Note: string, as = owner) =>
    app.call(addNote, { params: { ConversationID }, body: { Note } }, as);

  it('are shared by the team, the latest first, by pages', async () => {
    const { conversationId: id } = await thread();
    for (const words of ['One', 'Two', 'Three']) await add(id, words);
    const params = { ConversationID: id };
    const page = await app.call(listNotes, { params, query: { pagesize: 2 } }, user);
    expect(page.body.Items.map((note) => note.Note)).toEqual(['Three', 'Two']);
    const query = { pagesize: 2, next: page.body.Next ?? '' };
    const rest = await app.call(listNotes, { params, query }, user);
    expect([rest.body.Items.map((note) => note.Note), rest.body.Next]).toEqual([['One'], null]);
  });

  it('need visible text: invisible characters alone are refused', async () => {
    const { conversationId: id } = await thread();
    for (const Note of ['\u200b\u2060', ' \u3164 '])
      expect(refusalOf(await add(id, Note))).toMatchObject({ status: 400, Message: 'Enter a Note' });
  });

  it('are changed by who wrote them, and by admins', async () => {
    const { conversationId: ConversationID } = await thread();
    const mine = (await add(ConversationID, 'By the user', user)).body;
    const theirs = (await add(ConversationID, 'By the owner')).body;
    expect(mine).toMatchObject({ Kind: 'note', User: { UserID: user.userId }, ReadOnly: false });
    const change = (NoteID: number, as: BuiltUser) =>
      app.call(updateNote, { params: { ConversationID, NoteID }, body: { Note: 'Changed' } }, as);
    expect(refusalOf(await change(theirs.NoteID, user))).toMatchObject({
      status: 422,
      Message: 'Only the person who wrote a note, or an admin, can change it.',
    });
    expect((await change(mine.NoteID, user)).body).toMatchObject({
      Note: 'Changed',
      EditTimestamp: expect.any(String),
    });
    expect((await change(mine.NoteID, owner)).status).toBe(200);
    const listed = await app.call(listNotes, { params: { ConversationID } }, user);
    expect(listed.body.Items.map((note) => note.ReadOnly)).toEqual([true, false]);
    const socket = await openSocket(app.url, await keyOf(app, owner));
    const remove = (NoteID: number, as: BuiltUser) =>
      app.call(deleteNote, { params: { ConversationID, NoteID } }, as);
    expect((await remove(theirs.NoteID, user)).status).toBe(422);
    expect((await remove(mine.NoteID, user)).status).toBe(200);
    await socket.heard({ type: 'notes.changed', ConversationID });
    expect((await remove(mine.NoteID, user)).status).toBe(404);
  });

  it('about actions can’t be changed', async () => {
    const { conversationId } = await thread();
    const ConversationID = await moveOne(conversationId, second);
    const [moved] = await notesOf(ConversationID);
    const params = { ConversationID, NoteID: moved?.NoteID ?? 0 };
    expect(moved?.ReadOnly).toBe(true);
    expect((await app.call(updateNote, { params, body: { Note: 'Not so' } }, owner)).status).toBe(422);
    expect((await app.call(deleteNote, { params }, owner)).status).toBe(422);
  });

  it('of another conversation, or of a number that isn’t the user’s, are not found', async () => {
    const one = await thread();
    const other = await thread({ textNumberId: second });
    const note = (await add(other.conversationId, 'Elsewhere')).body;
    const params = { ConversationID: one.conversationId, NoteID: note.NoteID };
    expect((await app.call(updateNote, { params, body: { Note: 'x' } }, owner)).status).toBe(404);
    expect((await add(other.conversationId, 'Hi', user)).status).toBe(404);
    const reply = await app.call(listNotes, { params: { ConversationID: other.conversationId } }, user);
    expect(reply.status).toBe(404);
  });
});

it('the signature uses the general setting until it is set here, each user for themselves', async () => {
  const { conversationId: ConversationID } = await thread();
  const params = { ConversationID };
  const get = async (as: BuiltUser) => (await app.call(getSignatureSetting, { params }, as)).body.isEnabled;
  expect(await get(user)).toBe(false);
  await app.database.system
    .updateTable('users')
    .set({ signature_enabled: true })
    .where('user_id', 'in', [user.userId, owner.userId])
    .execute();
  expect(await get(user)).toBe(true);
  const set = await app.call(updateSignatureSetting, { params, body: { isEnabled: false } }, user);
  expect(set.body).toEqual({ isEnabled: false });
  expect([await get(user), await get(owner)]).toEqual([false, true]);
});
