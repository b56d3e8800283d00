import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  getConversation,
  getConversationsSummary,
  listConversations,
  listTextMessages,
  sendTextMessage,
  undoConversations,
  updateConversation,
  updateConversations,
  viewConversation,
} from '../../../contract/conversations.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await testApp();
});

interface Row {
  phone: string;
  number?: string;
  at?: string;
  body?: string;
  isDone?: boolean;
  isAutoOptOut?: boolean;
  unread?: number;
}

let serial = 0;

/** An account with two new numbers. */
async function build(): Promise<{ account: BuiltAccount; one: string; two: string }> {
  serial += 1;
  const one = `1423555${2000 + serial}`;
  const two = `1865555${2000 + serial}`;
  return { account: await buildAccount(app, { numbers: { [one]: 'infobip', [two]: 'twilio' } }), one, two };
}

/** Conversations as rows, each with a last text; returns their ids in the given order. */
async function fill(account: BuiltAccount, rows: Row[]): Promise<number[]> {
  const [first = ''] = Object.keys(account.numbers);
  const ids: number[] = [];
  for (const row of rows) {
    const text_number_id = account.numbers[row.number ?? first] ?? 0;
    const at = row.at ?? new Date().toISOString();
    const common = { account_id: account.accountId, text_number_id, phone: row.phone };
    const { message_id } = await app.database.system
      .insertInto('messages')
      .values({ ...common, is_inbound: true, status: 'received', body: row.body ?? 'Hello', created_at: at })
      .returning('message_id')
      .executeTakeFirstOrThrow();
    const { conversation_id } = await app.database.system
      .insertInto('conversations')
      .values({
        ...common,
        last_message_id: message_id,
        last_message_at: at,
        is_done: row.isDone ?? false,
        is_auto_opt_out: row.isAutoOptOut ?? false,
        unread_count: row.unread ?? 0,
      })
      .returning('conversation_id')
      .executeTakeFirstOrThrow();
    ids.push(conversation_id);
  }
  return ids;
}

type Query = NonNullable<Parameters<typeof app.call<typeof listConversations>>[1]['query']>;

async function list(as: { cookie: string }, query: Query = {}) {
  const { status, body } = await app.call(listConversations, { query }, as);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { ids: body.Items.map((item) => item.ConversationID), next: body.Next, items: body.Items };
}

const phoneOf = (index: number) => `1423555${String(index).padStart(4, '0')}`;
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

describe('pages', () => {
  it('by Next: every conversation once, in order, also those of the same microsecond', async () => {
    const { account } = await build();
    const times = ['2026-11-10T12:00:00.123456Z', '2026-11-10T12:00:00.123457Z', '2026-11-09T12:00:00Z'];
    const made = await fill(
      account,
      Array.from({ length: 23 }, (_, index) => ({
        phone: phoneOf(index),
        ...(times[index % 3] === undefined ? {} : { at: times[index % 3] as string }),
      })),
    );
    for (const sortby of ['latest', 'oldest'] as const) {
      const seen: number[] = [];
      const at: string[] = [];
      let next: string | null | undefined;
      let pages = 0;
      do {
        const page = await list(account.owner, { pagesize: 4, sortby, ...(next ? { next } : {}) });
        seen.push(...page.ids);
        at.push(...page.items.map((item) => item.LastMessage?.CreateTimestamp ?? ''));
        next = page.next;
        pages += 1;
      } while (next !== null && pages < 20);
      expect(pages).toBe(6);
      expect([...seen].sort((a, b) => a - b)).toEqual(made);
      expect(at).toEqual(sortby === 'latest' ? [...at].sort().reverse() : [...at].sort());
    }
  });

  it('by number: the same rows; fifteen by default; beyond the end none', async () => {
    const { account } = await build();
    await fill(
      account,
      Array.from({ length: 17 }, (_, index) => ({ phone: phoneOf(index) })),
    );
    const whole = (await list(account.owner, { pagesize: 100 })).ids;
    expect(whole).toHaveLength(17);
    expect((await list(account.owner)).ids).toEqual(whole.slice(0, 15));
    expect((await list(account.owner, { page: 2 })).ids).toEqual(whole.slice(15));
    expect((await list(account.owner, { page: 3 })).ids).toEqual([]);
    expect((await list(account.owner, { page: 2, pagesize: 5 })).ids).toEqual(whole.slice(5, 10));
  });

  it('of a thread: fifty by default, each text once, the latest first', async () => {
    const { account, one } = await build();
    const [ConversationID = 0] = await fill(account, [{ phone: phoneOf(1), at: '2026-11-01T12:00:00Z' }]);
    await sql`
      insert into messages (account_id, text_number_id, phone, is_inbound, status, body, created_at)
      select ${account.accountId}, ${account.numbers[one]}, ${phoneOf(1)}, true, 'received', 'Text ' || n,
        timestamptz '2026-11-02T12:00:00Z' + (n / 3) * interval '1 microsecond'
      from generate_series(1, 119) n`.execute(app.database.system);
    const seen: number[] = [];
    const sizes: number[] = [];
    let next: string | null = null;
    do {
      const query: { next?: string } = next === null ? {} : { next };
      const { body } = await app.call(listTextMessages, { params: { ConversationID }, query }, account.owner);
      seen.push(...body.Items.map((item) => item.TextMessageID));
      sizes.push(body.Items.length);
      next = body.Next;
    } while (next !== null && sizes.length < 10);
    expect(sizes).toEqual([50, 50, 20]);
    expect(new Set(seen).size).toBe(120);
    expect(seen).toEqual([...seen].sort((a, b) => b - a));
  });
});

describe('filters', () => {
  let account: BuiltAccount;
  let two: string;
  let ids: Record<'open' | 'unread' | 'done' | 'doneUnread' | 'optedOut' | 'second', number>;

  beforeAll(async () => {
    const built = await build();
    ({ account, two } = built);
    const [open = 0, unread = 0, done = 0, doneUnread = 0, optedOut = 0, second = 0] = await fill(account, [
      { phone: phoneOf(1) },
      { phone: phoneOf(2), unread: 2 },
      { phone: phoneOf(3), isDone: true },
      { phone: phoneOf(4), isDone: true, unread: 1 },
      { phone: phoneOf(5), isAutoOptOut: true, unread: 1 },
      { phone: phoneOf(6), number: built.two },
    ]);
    ids = { open, unread, done, doneUnread, optedOut, second };
  });

  it.each([
    [{}, ['open', 'unread', 'done', 'doneUnread', 'optedOut', 'second']],
    [{ isDone: false }, ['open', 'unread', 'second']],
    [{ isDone: true }, ['done', 'doneUnread']],
    [{ unread: true }, ['unread']],
    [{ tag: 'autooptout' }, ['optedOut']],
    [{ notags: true }, ['open', 'unread', 'done', 'doneUnread', 'second']],
  ] as const)('%j', async (query, names) => {
    const found = await list(account.owner, query);
    expect(found.ids.sort((a, b) => a - b)).toEqual(names.map((name) => ids[name]));
  });

  it('textNumberId, which the user must be allowed to use', async () => {
    expect((await list(account.owner, { textNumberId: account.numbers[two] })).ids).toEqual([ids.second]);
    const other = await build();
    expect((await list(account.owner, { textNumberId: other.account.numbers[other.one] })).ids).toEqual([]);
  });

  it('the summary counts open and unread ones', async () => {
    const { body } = await app.call(getConversationsSummary, {}, account.owner);
    expect(body).toMatchObject({ UnreadCount: 1, OpenCount: 3 });
    const query = { textNumberId: account.numbers[two] ?? 0 };
    const ofOne = await app.call(getConversationsSummary, { query }, account.owner);
    expect(ofOne.body).toMatchObject({ UnreadCount: 0, OpenCount: 1 });
  });
});

it('dates are days in the user’s own zone, including the last one', async () => {
  const { account } = await build();
  // 2026-11-10 in Honolulu is from 10:00Z to 10:00Z of the next day.
  const ids = await fill(account, [
    { phone: phoneOf(1), at: '2026-11-10T09:59:59.999Z' },
    { phone: phoneOf(2), at: '2026-11-10T10:00:00Z' },
    { phone: phoneOf(3), at: '2026-11-11T09:59:59.999Z' },
    { phone: phoneOf(4), at: '2026-11-11T10:00:00Z' },
  ]);
  await app.database.system
    .updateTable('users')
    .set({ time_zone: 'Pacific/Honolulu' })
    .where('user_id', '=', account.owner.userId)
    .execute();
  const of = async (query: Query) => (await list(account.owner, query)).ids.sort((a, b) => a - b);
  expect(await of({ 'date-from': '2026-11-10', 'date-to': '2026-11-10' })).toEqual(ids.slice(1, 3));
  expect(await of({ 'date-from': '2026-11-11' })).toEqual(ids.slice(3));
  expect(await of({ 'date-to': '2026-11-09' })).toEqual(ids.slice(0, 1));
});

describe('search', () => {
  let account: BuiltAccount;
  let ids: number[];

  beforeAll(async () => {
    ({ account } = await build());
    ids = await fill(account, [
      { phone: '14235550171', body: 'The bus is late' },
      { phone: '14235550172', body: 'Meet at 2:45 in room 318' },
      { phone: '14235550173', body: '100% sure_thing' },
      { phone: '14235550174', body: 'The bus again', at: daysAgo(15) },
    ]);
    await app.database.system
      .insertInto('contacts')
      .values([
        {
          account_id: account.accountId,
          first_name: 'Zoë',
          last_name: "O'Malley",
          primary_phone: '14235550171',
        },
        {
          account_id: account.accountId,
          first_name: 'Ben',
          last_name: 'Reyes',
          secondary_phone: '14235550172',
        },
        {
          account_id: account.accountId,
          first_name: 'Gone',
          last_name: 'Person',
          primary_phone: '14235550173',
          deleted_at: new Date(),
        },
      ])
      .execute();
  });

  it.each([
    ['zoë', [0]],
    ["O'MALLEY", [0]],
    ["zoë o'm", [0]],
    ['reyes', [1]],
    ['gone', []],
    ['BUS', [0]],
    ['nothing like it', []],
    ['(423) 555-0172', [1]],
    ['1 423 555 0172', [1]],
    ['0172', [1]],
    ['318', [1]],
    ['100%', [2]],
    ['0%0', []],
    ['sure_thing', [2]],
    ['sure-thing', [2]],
    ['sure thong', []],
    ['\\', []],
  ])('%j', async (q, found) => {
    expect((await list(account.owner, { q })).ids).toEqual(found.map((index) => ids[index]));
  });

  it('without dates covers two weeks; with dates the whole period', async () => {
    expect((await list(account.owner, { q: 'bus' })).ids).toEqual([ids[0]]);
    const since = daysAgo(20).slice(0, 10);
    expect((await list(account.owner, { q: 'bus', 'date-from': since })).ids).toEqual([ids[0], ids[3]]);
  });

  it('shows the person by name, and the last words', async () => {
    const [item] = (await list(account.owner, { q: 'reyes' })).items;
    expect(item).toMatchObject({
      FirstName: 'Ben',
      LastName: 'Reyes',
      PhoneNumber: '4235550172',
      LastMessage: { Message: 'Meet at 2:45 in room 318', IsInbound: true },
    });
  });
});

describe('a user with one number', () => {
  it('sees only its conversations, and the others are not found', async () => {
    const { account, one, two } = await build();
    const [mine = 0, other = 0] = await fill(account, [
      { phone: phoneOf(1), number: one, unread: 1 },
      { phone: phoneOf(2), number: two, unread: 1 },
    ]);
    const user = await buildUser(app, account.accountId, 'user', {
      textNumberIds: [account.numbers[one] ?? 0],
    });
    expect((await list(user)).ids).toEqual([mine]);
    expect((await list(user, { textNumberId: account.numbers[two] })).ids).toEqual([]);
    const summary = await app.call(getConversationsSummary, {}, user);
    expect(summary.body).toMatchObject({ UnreadCount: 1, OpenCount: 1 });

    const params = { ConversationID: other };
    const replies = [
      await app.call(getConversation, { params }, user),
      await app.call(listTextMessages, { params }, user),
      await app.call(viewConversation, { params }, user),
      await app.call(updateConversation, { params, body: { IsDone: true } }, user),
      await app.call(sendTextMessage, { params, body: { Message: 'Hi' } }, user),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    const everything = { Selection: { Type: 'SelectedAll' as const }, Update: { IsDone: true } };
    expect((await app.call(updateConversations, { body: everything }, user)).body.Size).toBe(1);
    const listed = { Selection: { Type: 'Selected' as const, Items: [other] }, Update: { IsDone: true } };
    expect((await app.call(updateConversations, { body: listed }, user)).body).toEqual({
      UndoID: null,
      Size: 0,
    });
    const row = (await app.call(getConversation, { params }, account.owner)).body;
    expect(row).toMatchObject({ IsDone: false, UnreadCount: 1, Views: [] });
  });

  it('and a user without any sees none', async () => {
    const { account } = await build();
    await fill(account, [{ phone: phoneOf(1) }]);
    const user = await buildUser(app, account.accountId, 'user');
    expect((await app.call(listConversations, {}, user)).status).toBe(403);
  });
});

it('views: an unread one becomes read for all, and everybody sees who viewed it last', async () => {
  const { account } = await build();
  const [ConversationID = 0] = await fill(account, [{ phone: phoneOf(1), unread: 3 }]);
  const admin = await buildUser(app, account.accountId, 'admin');
  const params = { ConversationID };
  await app.call(viewConversation, { params }, admin);
  await app.call(viewConversation, { params }, account.owner);
  await app.call(viewConversation, { params }, account.owner);
  for (const as of [admin, account.owner]) {
    const { body } = await app.call(getConversation, { params }, as);
    expect(body.UnreadCount).toBe(0);
    expect(body.Views.map((view) => view.UserID)).toEqual([account.owner.userId, admin.userId]);
  }
});

describe('marking a selection', () => {
  const mark = (
    as: { cookie: string },
    Selection: { Type: 'Selected' | 'SelectedAll' | 'SelectedAllExcept'; Items?: number[] },
    query: Query = {},
    IsDone = true,
  ) => app.call(updateConversations, { query, body: { Selection, Update: { IsDone } } }, as);

  async function doneOf(account: BuiltAccount): Promise<number[]> {
    return (await list(account.owner, { isDone: true, sortby: 'oldest' })).ids.sort((a, b) => a - b);
  }

  it.each([
    ['Selected', [0, 1, 3], [0, 1]],
    ['SelectedAll', [], [0, 1, 2]],
    ['SelectedAllExcept', [1], [0, 2]],
  ] as const)('%s %j affects only the rows of the list', async (Type, items, touched) => {
    const { account, one } = await build();
    // The list is the first number's: the last row is not in it.
    const ids = await fill(account, [
      { phone: phoneOf(1) },
      { phone: phoneOf(2) },
      { phone: phoneOf(3) },
      { phone: phoneOf(4), number: Object.keys(account.numbers)[1] as string },
    ]);
    const other = await build();
    const foreign = await fill(other.account, [{ phone: phoneOf(1) }]);
    const Items = items.map((index) => ids[index] ?? 0);
    const reply = await mark(
      account.owner,
      { Type, Items: Type === 'Selected' ? [...Items, ...foreign] : Items },
      { isDone: false, textNumberId: account.numbers[one] },
    );
    expect(reply.body).toEqual({ UndoID: expect.any(Number), Size: touched.length });
    expect(await doneOf(account)).toEqual(touched.map((index) => ids[index]));
    expect(await doneOf(other.account)).toEqual([]);
  });

  it('of everything must not name items', async () => {
    const { account } = await build();
    const ids = await fill(account, [{ phone: phoneOf(1) }]);
    expect((await mark(account.owner, { Type: 'SelectedAll', Items: ids })).status).toBe(400);
    expect(await doneOf(account)).toEqual([]);
  });

  it('can be undone, the undo too, and each of them only once', async () => {
    const { account } = await build();
    const ids = await fill(account, [
      { phone: phoneOf(1) },
      { phone: phoneOf(2) },
      { phone: phoneOf(3), isDone: true },
    ]);
    const undo = (UndoID: number) => app.call(undoConversations, { params: { UndoID } }, account.owner);
    const marked = await mark(account.owner, { Type: 'SelectedAll' });
    expect(await doneOf(account)).toEqual(ids);

    // A double click, at the same time.
    const twice = await Promise.all([undo(marked.body.UndoID ?? 0), undo(marked.body.UndoID ?? 0)]);
    const executed = twice.filter(({ body }) => body.UndoExecuted);
    expect(executed).toHaveLength(1);
    expect(twice.find(({ body }) => !body.UndoExecuted)?.body).toEqual({ UndoExecuted: false, UndoID: null });
    // The one that was already done stays done.
    expect(await doneOf(account)).toEqual([ids[2]]);

    const redone = await undo(executed[0]?.body.UndoID ?? 0);
    expect(redone.body).toEqual({ UndoExecuted: true, UndoID: expect.any(Number) });
    expect(await doneOf(account)).toEqual(ids);
    expect((await undo(redone.body.UndoID ?? 0)).body.UndoExecuted).toBe(true);
    expect(await doneOf(account)).toEqual([ids[2]]);
  });

  it('can’t be undone by another user, nor after an hour', async () => {
    const { account } = await build();
    const ids = await fill(account, [{ phone: phoneOf(1) }]);
    const { body } = await app.call(
      updateConversation,
      { params: { ConversationID: ids[0] ?? 0 }, body: { IsDone: true } },
      account.owner,
    );
    const params = { UndoID: body.UndoID ?? 0 };
    const admin = await buildUser(app, account.accountId, 'admin');
    for (const other of [admin, (await build()).account.owner]) {
      expect(refusalOf(await app.call(undoConversations, { params }, other))).toMatchObject({
        status: 404,
        Message: 'That can no longer be undone.',
      });
    }
    await sql`update undos set created_at = now() - interval '61 minutes'`.execute(app.database.system);
    expect((await app.call(undoConversations, { params }, account.owner)).status).toBe(404);
    expect(await doneOf(account)).toEqual(ids);
  });

  it('undoes only what still has the state it set', async () => {
    const { account } = await build();
    const ids = await fill(account, [{ phone: phoneOf(1) }, { phone: phoneOf(2) }]);
    const marked = await mark(account.owner, { Type: 'SelectedAll' });
    const admin = await buildUser(app, account.accountId, 'admin');
    const params = { ConversationID: ids[0] ?? 0 };
    await app.call(updateConversation, { params, body: { IsDone: false } }, admin);
    const undone = await app.call(
      undoConversations,
      { params: { UndoID: marked.body.UndoID ?? 0 } },
      account.owner,
    );
    expect(await doneOf(account)).toEqual([]);
    // Undoing that affects the one that it changed.
    await app.call(undoConversations, { params: { UndoID: undone.body.UndoID ?? 0 } }, account.owner);
    expect(await doneOf(account)).toEqual([ids[1]]);
  });

  it('without effect offers no undo', async () => {
    const { account } = await build();
    const [ConversationID = 0] = await fill(account, [{ phone: phoneOf(1), isDone: true }]);
    const { body } = await app.call(
      updateConversation,
      { params: { ConversationID }, body: { IsDone: true } },
      account.owner,
    );
    expect(body).toMatchObject({ IsDone: true, UndoID: null });
  });
});
