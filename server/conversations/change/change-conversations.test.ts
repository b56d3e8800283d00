import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CallInput } from '../../../contract/call.ts';
import { getPhoneNumber, listConsentEvents } from '../../../contract/consents.ts';
import {
  getConversation,
  markConversationUnread,
  sendTextMessage,
  undoConversations,
  updateConversation,
  updateConversations,
} from '../../../contract/conversations.ts';
import { listNotes } from '../../../contract/notes.ts';
import { addTag, deleteTag, listTags, tagLimits, updateTag } from '../../../contract/tags.ts';
import { confirmConsent } from '../../../contract/uploads/file-name.ts';
import { asSystem } from '../../db.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { keyOf, openSocket } from '../../testing/test-socket.ts';
import { addThread, type ThreadRow } from '../testing/thread-rows.ts';
import { receiveTexts } from '../texts/receive-texts.ts';

let app: TestApp;
let account: BuiltAccount;
let owner: BuiltUser;
/** May use the first of the two numbers. */
let user: BuiltUser;
let first: number;
let second: number;

beforeAll(async () => {
  app = await testApp({ '14235550100': 'infobip', '18655550100': 'infobip' });
  account = await buildAccount(app, { numbers: { '14235550100': 'infobip', '18655550100': 'infobip' } });
  owner = account.owner;
  first = account.numbers['14235550100'] ?? 0;
  second = account.numbers['18655550100'] ?? 0;
  user = await buildUser(app, account.accountId, 'user', { textNumberIds: [first] });
});

let serial = 0;
const freshPhone = () => `1423555${String(3000 + serial++)}`;

async function thread(row: Partial<ThreadRow> = {}): Promise<number> {
  const { conversationId } = await addThread(app, account.accountId, {
    phone: freshPhone(),
    textNumberId: first,
    ...row,
  });
  return conversationId;
}

type Body = CallInput<typeof updateConversation>['body'];
type Update = CallInput<typeof updateConversations>['body']['Update'];

const change = (ConversationID: number, body: Body, as = owner) =>
  app.call(updateConversation, { params: { ConversationID }, body }, as);
const changeMany = (Items: number[], Update: Update, as = owner) =>
  app.call(updateConversations, { body: { Selection: { Type: 'Selected', Items }, Update } }, as);
const undo = (UndoID: number | null, as = owner) =>
  app.call(undoConversations, { params: { UndoID: UndoID ?? 0 } }, as);
const read = async (ConversationID: number, as = owner) =>
  (await app.call(getConversation, { params: { ConversationID } }, as)).body;
const notesOf = async (ConversationID: number) =>
  (await app.call(listNotes, { params: { ConversationID } }, owner)).body.Items;

async function makeTag(TagName: string): Promise<number> {
  return (await app.call(addTag, { body: { TagName } }, owner)).body.TagID;
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** An inbound text, written directly to its row and its conversation. */
async function receive(conversationId: number): Promise<void> {
  await sql`
    with text as (
      insert into messages (account_id, text_number_id, phone, is_inbound, origin, status, body)
      select account_id, text_number_id, phone, true, 'inbound', 'received', 'More' from conversations
      where conversation_id = ${conversationId} returning message_id, created_at
    )
    update conversations set unread_count = unread_count + 1, is_done = false, snoozed_until = null,
      last_message_id = text.message_id, last_message_at = text.created_at
    from text where conversation_id = ${conversationId}`.execute(app.database.system);
}

describe('done, snoozed, unread', () => {
  it('done wakes a snoozed one; snoozing opens a done one; null wakes it', async () => {
    const id = await thread();
    const until = inAnHour();
    const snoozed = await change(id, { SnoozedUntil: until });
    expect(snoozed.body).toMatchObject({ SnoozedUntil: until, IsDone: false, UndoID: expect.any(Number) });
    expect((await change(id, { IsDone: true })).body).toMatchObject({ IsDone: true, SnoozedUntil: null });
    expect((await change(id, { SnoozedUntil: until })).body).toMatchObject({
      IsDone: false,
      SnoozedUntil: until,
    });
    expect((await change(id, { SnoozedUntil: null })).body).toMatchObject({ SnoozedUntil: null });
  });

  it.each([
    [{ SnoozedUntil: '2020-01-01T00:00:00Z' }, 'Snooze Until must be in the future.'],
    [{ SnoozedUntil: '0000-01-01T00:00:00Z' }, 'Snooze Until must be in the future.'],
    [
      { SnoozedUntil: '2990-01-01T00:00:00Z', IsDone: true },
      'A conversation that is snoozed is neither done nor unread.',
    ],
    [{}, 'Specify at least one change.'],
    [{ UserIndicatedConsentDeclared: true }, 'Specify at least one change.'],
  ])('%j is refused', async (body, Message) => {
    const id = await thread();
    const reply = refusalOf(await change(id, body));
    expect(reply.status).toBe(400);
    expect(reply.Errors?.[0]?.Message ?? reply.Message).toBe(Message);
  });

  it('marked unread it is open, awake and counts once', async () => {
    const id = await thread({ isDone: true });
    const params = { ConversationID: id };
    const { body } = await app.call(markConversationUnread, { params }, owner);
    expect(body).toMatchObject({ IsDone: false, UnreadCount: 1 });
    expect((await app.call(markConversationUnread, { params }, owner)).body.UnreadCount).toBe(1);
    await change(id, { SnoozedUntil: inAnHour() });
    expect((await app.call(markConversationUnread, { params }, owner)).body.SnoozedUntil).toBeNull();
  });

  it('an outbound text wakes it', async () => {
    const id = await thread();
    await change(id, { SnoozedUntil: inAnHour() });
    await app.call(
      sendTextMessage,
      { params: { ConversationID: id }, body: { Message: 'Good morning' } },
      owner,
    );
    expect((await read(id)).SnoozedUntil).toBeNull();
  });

  it('a change without effect has nothing to undo', async () => {
    const id = await thread({ isDone: true });
    expect((await change(id, { IsDone: true })).body.UndoID).toBeNull();
    expect((await changeMany([id], { IsDone: true })).body).toEqual({ UndoID: null, Size: 0 });
  });
});

describe('many at once', () => {
  it('every change is undone, and the undo too', async () => {
    const [wasOn, putOn, takenOff] = await Promise.all(['Was on', 'Put on', 'Taken off'].map(makeTag));
    const tags = [wasOn ?? 0, takenOff ?? 0];
    const ids = [
      await thread({ tagIds: tags, unread: 2 }),
      await thread({ isDone: true, assignedUserId: owner.userId }),
      await thread(),
    ];
    const before = await Promise.all(ids.map((id) => read(id)));
    const until = inAnHour();
    const marked = await changeMany(ids, {
      AssignedUserID: user.userId,
      SnoozedUntil: until,
      AddTagIDs: [putOn ?? 0],
      RemoveTagIDs: [takenOff ?? 0],
    });
    expect(marked.body).toEqual({ UndoID: expect.any(Number), Size: 3 });
    const after = await Promise.all(ids.map((id) => read(id)));
    for (const row of after) {
      expect(row).toMatchObject({
        AssignedTo: { UserID: user.userId },
        SnoozedUntil: until,
        IsDone: false,
      });
    }
    expect(after[0]?.Tags.map((tag) => tag.TagName)).toEqual(['Put on', 'Was on']);
    const undone = await undo(marked.body.UndoID);
    expect(undone.body).toEqual({ UndoExecuted: true, UndoID: expect.any(Number) });
    expect(await Promise.all(ids.map((id) => read(id)))).toEqual(before);
    await undo(undone.body.UndoID);
    expect(await Promise.all(ids.map((id) => read(id)))).toEqual(after);
  });

  it('unread: only those that were read; after an undo, later texts still count', async () => {
    const ids = [await thread({ isDone: true }), await thread({ unread: 3 }), await thread()];
    const marked = await changeMany(ids, { IsUnread: true });
    expect(marked.body.Size).toBe(2);
    const counts = async () => (await Promise.all(ids.map((id) => read(id)))).map((row) => row.UnreadCount);
    expect(await counts()).toEqual([1, 3, 1]);
    await receive(ids[2] ?? 0);
    await undo(marked.body.UndoID);
    expect(await counts()).toEqual([0, 3, 1]);
    expect((await read(ids[0] ?? 0)).IsDone).toBe(true);
  });

  it('an undo never hides a text that has come since', async () => {
    const ids = [await thread({ isDone: true }), await thread({ isDone: true })];
    const opened = await changeMany(ids, { IsDone: false });
    await receive(ids[0] ?? 0);
    await undo(opened.body.UndoID);
    expect((await Promise.all(ids.map((id) => read(id)))).map((row) => row.IsDone)).toEqual([false, true]);
  });

  it('an undo does not overwrite later changes by others', async () => {
    const id = await thread();
    const mine = await change(id, { AssignedUserID: user.userId, SnoozedUntil: inAnHour() });
    const later = new Date(Date.now() + 7_200_000).toISOString();
    await change(id, { AssignedUserID: owner.userId, SnoozedUntil: later }, user);
    await undo(mine.body.UndoID);
    expect(await read(id)).toMatchObject({ AssignedTo: { UserID: owner.userId }, SnoozedUntil: later });
  });

  it('only its author can undo a change', async () => {
    const id = await thread();
    const mine = await change(id, { IsDone: true });
    expect((await undo(mine.body.UndoID, user)).status).toBe(404);
    expect((await read(id)).IsDone).toBe(true);
  });

  it('a user changes only conversations of their numbers, and undoes only those', async () => {
    const ids = [await thread(), await thread({ textNumberId: second })];
    const marked = await changeMany(ids, { IsDone: true }, user);
    expect(marked.body.Size).toBe(1);
    expect((await read(ids[1] ?? 0)).IsDone).toBe(false);
    for (const call of [updateConversation, markConversationUnread] as const) {
      const input = { params: { ConversationID: ids[1] ?? 0 }, body: { IsDone: true } };
      expect((await app.call(call, input, user)).status).toBe(404);
    }
  });

  it('does not deadlock with inbound texts for the same conversations', async () => {
    // The later the conversation began, the lower its phone: sorting by id and by phone gives different
    // orders.
    const { rows } = await sql<{ id: number; phone: string }>`
      insert into conversations (account_id, text_number_id, phone)
      select ${account.accountId}, ${first}, (14239000000 - n)::text from generate_series(1, 300) n
      returning conversation_id as id, phone`.execute(app.database.system);
    const texts = rows.map(({ phone }) => ({
      accountId: account.accountId,
      textNumberId: first,
      phone,
      messageId: 1,
      at: new Date(),
      word: undefined,
    }));
    const ids = rows.map((row) => row.id);
    for (let round = 0; round < 10; round += 1) {
      const [marked] = await Promise.all([
        changeMany(ids, { IsDone: round % 2 === 0, AssignedUserID: round % 2 === 0 ? user.userId : null }),
        asSystem(app.database, (trx) => receiveTexts(trx, texts)),
      ]);
      expect(marked.status).toBe(200);
    }
    expect((await read(ids[0] ?? 0)).UnreadCount).toBe(10);
  });

  it('notifies the pages which ones changed', async () => {
    const socket = await openSocket(app.url, await keyOf(app, owner));
    const id = await thread();
    await changeMany([id], { AssignedUserID: user.userId });
    expect(await socket.heard({ type: 'notes.changed', ConversationID: id })).toEqual(
      expect.arrayContaining([{ type: 'conversation.changed', ConversationID: id }]),
    );
  });
});

describe('assigning', () => {
  it('leaves a line in the thread for each', async () => {
    const ids = [await thread(), await thread()];
    await changeMany(ids, { AssignedUserID: user.userId });
    await change(ids[0] ?? 0, { AssignedUserID: null }, user);
    expect(await notesOf(ids[0] ?? 0)).toMatchObject([
      {
        Kind: 'unassigned',
        User: { UserID: user.userId },
        AssignedTo: { UserID: user.userId },
        ReadOnly: true,
      },
      { Kind: 'assigned', User: { UserID: owner.userId }, AssignedTo: { UserID: user.userId } },
    ]);
    expect(await notesOf(ids[1] ?? 0)).toHaveLength(1);
    // The same value again is not a change.
    await changeMany(ids.slice(1), { AssignedUserID: user.userId });
    expect(await notesOf(ids[1] ?? 0)).toHaveLength(1);
  });

  it('only to a user who can open it', async () => {
    const ids = [await thread(), await thread({ textNumberId: second })];
    const refused = refusalOf(await changeMany(ids, { AssignedUserID: user.userId }));
    expect(refused).toMatchObject({
      status: 422,
      Message: expect.stringMatching(/^Pat Number \d+ can’t use the text number of this conversation\.$/),
    });
    expect((await read(ids[0] ?? 0)).AssignedTo).toBeNull();
    const gone = await buildUser(app, account.accountId, 'admin', { isActive: false });
    const other = await buildAccount(app);
    for (const AssignedUserID of [gone.userId, other.owner.userId]) {
      expect(refusalOf(await change(ids[0] ?? 0, { AssignedUserID }))).toMatchObject({
        status: 404,
        Message: 'That user is no longer here.',
      });
    }
  });
});

describe('tags', () => {
  it('have a visible name', async () => {
    for (const TagName of ['\u200b\u2060', '\u2800', '  '])
      expect(refusalOf(await app.call(addTag, { body: { TagName } }, owner))).toMatchObject({
        status: 400,
        Message: 'Enter a Tag Name',
      });
    const TagID = await makeTag('Seen');
    const renamed = await app.call(updateTag, { params: { TagID }, body: { TagName: '\u200d' } }, owner);
    expect(refusalOf(renamed)).toMatchObject({ status: 400, Message: 'Enter a Tag Name' });
  });

  it('are added by id, all at once, and removed', async () => {
    const [one, two] = await Promise.all(['Set one', 'Set two'].map(makeTag));
    const id = await thread();
    const names = async () => (await read(id)).Tags.map((tag) => tag.TagName);
    await change(id, { TagIDs: [two ?? 0, one ?? 0, two ?? 0] });
    expect(await names()).toEqual(['Set one', 'Set two']);
    const cleared = await change(id, { notags: true });
    expect(await names()).toEqual([]);
    await undo(cleared.body.UndoID);
    expect(await names()).toEqual(['Set one', 'Set two']);
    expect((await change(id, { TagIDs: [987_654_321] })).status).toBe(404);
    expect((await changeMany([id], { AddTagIDs: [987_654_321] })).status).toBe(404);
  });

  it('of another organization don’t exist', async () => {
    const other = await buildAccount(app, { numbers: { '14235557701': 'infobip' } });
    const foreign = await app.call(addTag, { body: { TagName: 'Theirs' } }, other.owner);
    const id = await thread();
    expect((await change(id, { TagIDs: [foreign.body.TagID] })).status).toBe(404);
    const params = { TagID: foreign.body.TagID };
    expect((await app.call(updateTag, { params, body: { TagName: 'Ours' } }, owner)).status).toBe(404);
    expect((await app.call(deleteTag, { params }, owner)).status).toBe(404);
  });

  it('a conversation has at most twenty', async () => {
    const rows = await app.database.system
      .insertInto('tags')
      .values(
        Array.from({ length: tagLimits.onConversation + 1 }, (_, index) => ({
          account_id: account.accountId,
          name: `Of many ${index}`,
        })),
      )
      .returning('tag_id')
      .execute();
    const ids = rows.map((row) => row.tag_id);
    const id = await thread({ tagIds: ids.slice(0, -1) });
    expect(refusalOf(await changeMany([id], { AddTagIDs: ids.slice(-1) }))).toMatchObject({
      status: 422,
      Message: 'A conversation can have at most 20 tags.',
    });
    // A tag that it already has doesn't count again.
    expect((await changeMany([id], { AddTagIDs: ids.slice(0, 1) })).status).toBe(200);
    for (const TagID of ids) await app.call(deleteTag, { params: { TagID } }, owner);
    expect((await read(id)).Tags).toEqual([]);
  });

  it('have unique names, ignoring case, and at most two hundred names', async () => {
    const mine = await buildAccount(app, { numbers: { '14235557702': 'infobip' } });
    const add = (TagName: string) => app.call(addTag, { body: { TagName, Color: 2 } }, mine.owner);
    const made = await add(' Urgent ');
    expect(made.body).toEqual({ TagID: expect.any(Number), TagName: 'Urgent', Color: 2 });
    expect(refusalOf(await add('URGENT'))).toMatchObject({
      status: 400,
      Errors: [{ Field: 'TagName', Message: 'The tag name is already in use.' }],
    });
    const params = { TagID: made.body.TagID };
    const renamed = await app.call(updateTag, { params, body: { TagName: 'urgent' } }, mine.owner);
    expect(renamed.body).toEqual({ ...params, TagName: 'urgent', Color: 2 });
    await add('Other');
    expect((await app.call(updateTag, { params, body: { TagName: 'other' } }, mine.owner)).status).toBe(400);
    const listed = await app.call(listTags, {}, mine.owner);
    expect(listed.body).toMatchObject({ Items: [{ TagName: 'Other' }, { TagName: 'urgent' }], Size: 2 });
    await sql`insert into tags (account_id, name) select ${mine.accountId}, 'Tag ' || n
      from generate_series(1, ${tagLimits.tags - 2}) n`.execute(app.database.system);
    expect(refusalOf(await add('One more'))).toMatchObject({
      status: 422,
      Message: 'You can have at most 200 tags.',
    });
  });

  it('that are deleted disappear everywhere, and no undo restores them', async () => {
    const TagID = await makeTag('Short-lived');
    const id = await thread({ tagIds: [TagID] });
    const cleared = await change(id, { notags: true });
    const still = await thread({ tagIds: [TagID] });
    const plain = await buildUser(app, account.accountId, 'user', { textNumberIds: [first] });
    expect((await app.call(deleteTag, { params: { TagID } }, plain)).status).toBe(403);
    expect((await app.call(deleteTag, { params: { TagID } }, owner)).status).toBe(200);
    await undo(cleared.body.UndoID);
    const rows = await app.database.system
      .selectFrom('conversations')
      .select('tag_ids')
      .where('conversation_id', 'in', [id, still])
      .execute();
    expect(rows.map((row) => row.tag_ids)).toEqual([[], []]);
  });
});

describe('opting out and in by hand', () => {
  const consentOf = async (phone: string) =>
    (await app.call(getPhoneNumber, { params: { Number: `+${phone}` }, query: { include: 'all' } }, owner))
      .body;
  const ledgerOf = async (phone: string) =>
    (await app.call(listConsentEvents, { params: { Number: `+${phone}` } }, owner)).body.Items;

  it('moves it out of the list and is recorded in the ledger; the undo reverts both', async () => {
    const phone = freshPhone();
    const id = await thread({ phone });
    const out = await change(id, { IsAutoOptOut: true });
    expect(out.body).toMatchObject({ IsAutoOptOut: true, OptedOut: true, UndoID: expect.any(Number) });
    expect(await consentOf(phone)).toMatchObject({ OptedOut: true });
    expect((await ledgerOf(phone))[0]).toMatchObject({ State: 'out', Source: 'user', Channel: 'text' });
    const write = { params: { ConversationID: id }, body: { Message: 'Hi' } };
    expect(refusalOf(await app.call(sendTextMessage, write, owner))).toMatchObject({
      status: 422,
      Message: 'This number has opted out of receiving texts.',
    });
    // A declaration has to be made again: an undo can't restore it.
    expect((await undo(out.body.UndoID)).body).toEqual({ UndoExecuted: true, UndoID: null });
    expect(await read(id)).toMatchObject({ IsAutoOptOut: false, OptedOut: false, OptedIn: false });
    expect((await ledgerOf(phone)).map((event) => event.State)).toEqual(['none', 'out']);
  });

  it('opting in has to be declared, and saves the confirmed sentence', async () => {
    const phone = freshPhone();
    const id = await thread({ phone, isAutoOptOut: true });
    const silent = refusalOf(await change(id, { IsAutoOptOut: false }));
    expect(silent).toMatchObject({
      status: 400,
      Errors: [{ Field: 'UserIndicatedConsentDeclared', Message: confirmConsent }],
    });
    expect(await read(id)).toMatchObject({ IsAutoOptOut: true, OptedIn: false });
    const opted = await change(id, { IsAutoOptOut: false, UserIndicatedConsentDeclared: true });
    expect(opted.body).toMatchObject({ IsAutoOptOut: false, OptedIn: true });
    expect((await ledgerOf(phone))[0]).toMatchObject({
      State: 'in',
      Source: 'user',
      Wording: confirmConsent,
    });
    // Already declared: nothing new for the ledger, and nothing to declare.
    const again = await change(id, { IsAutoOptOut: false });
    expect([again.status, again.body.UndoID]).toEqual([200, null]);
    expect(await ledgerOf(phone)).toHaveLength(1);
  });

  it('of two, the later is undone first', async () => {
    const id = await thread();
    const out = await change(id, { IsAutoOptOut: true });
    const back = await change(id, { IsAutoOptOut: false, UserIndicatedConsentDeclared: true });
    expect(refusalOf(await undo(out.body.UndoID)).Message).toBe(
      'You changed this again since: undo that first.',
    );
    expect(await read(id)).toMatchObject({ IsAutoOptOut: false, OptedIn: true });
    await undo(back.body.UndoID);
    expect(await read(id)).toMatchObject({ IsAutoOptOut: true, OptedOut: true });
    await undo(out.body.UndoID);
    expect(await read(id)).toMatchObject({ IsAutoOptOut: false, OptedOut: false });
  });
});
