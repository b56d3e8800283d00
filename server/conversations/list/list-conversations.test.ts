import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  getConversation,
  getConversationsSummary,
  listConversations,
} from '../../../contract/conversations.ts';
import { asAccount } from '../../db.ts';
import {
  actorOf,
  type BuiltAccount,
  type BuiltUser,
  buildAccount,
  buildUser,
} from '../../testing/builders.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { matchingConversations } from '../queries.ts';

/**
 * An inbox with every kind of conversation, in sixty random combinations. Each list is compared with a simple
 * implementation of its filter.
 */
interface Talk {
  id: number;
  number: number;
  at: string;
  place: number;
  isDone: boolean;
  isRetired: boolean;
  unread: number;
  waiting: string | null;
  assignee: number | null;
  tags: number[];
  repliedAt: string | null;
}

type Query = NonNullable<Parameters<typeof app.call<typeof listConversations>>[1]['query']>;

const numbers = { '14235551001': 'infobip', '14235551002': 'infobip', '14235551003': 'twilio' } as const;
const broadcastId = 77;
let app: TestApp;
let account: BuiltAccount;
/** May use two of the three numbers. */
let clerk: BuiltUser;
let tagIds: number[];
let talks: Talk[];

const draw = fc.record({
  number: fc.nat(2),
  minute: fc.nat(20),
  place: fc.nat(3),
  isDone: fc.boolean(),
  isRetired: fc.boolean(),
  unread: fc.nat(2),
  waits: fc.option(fc.nat(20)),
  assignee: fc.nat(2),
  tags: fc.subarray([0, 1]),
  replied: fc.option(fc.nat(20)),
});

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app, { numbers });
  const ids = Object.values(account.numbers);
  clerk = await buildUser(app, account.accountId, 'user', { textNumberIds: ids.slice(1) });
  const { system } = app.database;
  const tags = await system
    .insertInto('tags')
    .values(['Urgent', 'billing'].map((name, color) => ({ account_id: account.accountId, name, color })))
    .returning('tag_id')
    .execute();
  tagIds = tags.map(({ tag_id }) => tag_id);
  // Another account's, at the same minutes: must never be visible.
  const other = await buildAccount(app, { numbers: { '14235551009': 'infobip' } });
  await add(other, Object.values(other.numbers), fc.sample(draw, { numRuns: 20, seed: 1 }));
  talks = await add(account, ids, fc.sample(draw, { numRuns: 80, seed: 5 }));
});

const momentOf = (minute: number) => `2026-11-01T12:${String(minute).padStart(2, '0')}:00.000Z`;

async function add(
  { accountId, owner }: BuiltAccount,
  ids: number[],
  draws: ReturnType<typeof fc.sample<typeof draw extends fc.Arbitrary<infer T> ? T : never>>,
): Promise<Talk[]> {
  const { system } = app.database;
  const rows = draws.map((each, index) => {
    const isDone = each.place === 2 || (each.place === 3 && each.isDone);
    return {
      phone: `1865555${String(1000 + index)}`,
      number: ids[each.number % ids.length] ?? 0,
      at: momentOf(each.minute),
      place: each.place,
      isDone,
      isRetired: isDone && each.isRetired,
      unread: each.unread,
      waiting: each.waits === null ? null : momentOf(each.waits),
      assignee: [null, owner.userId, clerk.userId][each.assignee] ?? null,
      tags: each.tags.map((tag) => tagIds[tag] ?? 0),
      repliedAt: each.replied === null ? null : momentOf(each.replied),
    };
  });
  const made = await system
    .insertInto('conversations')
    .values(
      rows.map((row) => ({
        account_id: accountId,
        text_number_id: row.number,
        phone: row.phone,
        last_message_at: row.at,
        is_done: row.isDone,
        is_retired: row.isRetired,
        is_auto_opt_out: row.place === 3,
        snoozed_until: row.place === 1 ? '2030-01-01T00:00:00Z' : null,
        unread_count: row.unread,
        waiting_since: row.waiting,
        assigned_user_id: row.assignee,
        tag_ids: row.tags,
      })),
    )
    .returning(['conversation_id', 'phone'])
    .execute();
  const idOf = new Map(made.map(({ conversation_id, phone }) => [phone, conversation_id]));
  const all = rows.map((row) => ({ ...row, id: idOf.get(row.phone) ?? 0 }));
  const replies = all.flatMap(({ id, repliedAt }) =>
    repliedAt === null
      ? []
      : [{ account_id: accountId, broadcast_id: broadcastId, conversation_id: id, replied_at: repliedAt }],
  );
  await system.insertInto('broadcast_replies').values(replies).execute();
  return all;
}

/** A simple implementation of a filter. */
function isMeant(talk: Talk, query: Query, userId: number): boolean {
  const isOpen = talk.place === 0;
  const views: Record<string, boolean> = {
    all: true,
    unread: isOpen && talk.unread > 0,
    waiting: isOpen && talk.waiting !== null,
    mine: talk.assignee === userId && (query.isDone !== undefined || isOpen),
    unassigned: talk.assignee === null && (query.isDone !== undefined || isOpen),
    snoozed: talk.place === 1,
  };
  const isNarrow = query.unread === true || ['unread', 'waiting', 'snoozed'].includes(query.viewing ?? '');
  const isOptOuts = query.tag === 'autooptout';
  const isOnePlace =
    isNarrow ||
    isOptOuts ||
    query.isDone !== undefined ||
    ['mine', 'unassigned'].includes(query.viewing ?? '');
  const conditions = [
    isOptOuts ? talk.place === 3 : views[query.viewing ?? 'all'],
    !query.unread || (talk.unread > 0 && isOpen),
    query.isDone === undefined ||
      (isOptOuts ? talk.isDone === query.isDone : isNarrow || talk.place === (query.isDone ? 2 : 0)),
    typeof query.tag !== 'number' || talk.tags.includes(query.tag),
    query.assignedTo === undefined || talk.assignee === query.assignedTo,
    query.textNumberId === undefined || talk.number === query.textNumberId,
    query.broadcastId === undefined || (query.broadcastId === broadcastId && talk.repliedAt !== null),
    !query.notags || talk.place !== 3,
    isOnePlace || !talk.isRetired,
  ];
  return conditions.every(Boolean);
}

function sortKey(talk: Talk, query: Query): string {
  if (query.broadcastId !== undefined) return talk.repliedAt ?? '';
  if (query.viewing === 'waiting' && typeof query.tag !== 'number') return talk.waiting ?? '';
  return talk.at;
}

function expected(query: Query, user: BuiltUser): number[] {
  const mine = user === clerk ? Object.values(account.numbers).slice(1) : Object.values(account.numbers);
  const turn = query.sortby === 'oldest' ? -1 : 1;
  return talks
    .filter((talk) => mine.includes(talk.number) && isMeant(talk, query, user.userId))
    .sort((a, b) => {
      const [left, right] = [sortKey(a, query), sortKey(b, query)];
      return turn * (left === right ? b.id - a.id : left < right ? 1 : -1);
    })
    .map(({ id }) => id);
}

/** All pages of a list, one after the other. */
async function listed(query: Query, user: BuiltUser): Promise<number[]> {
  const ids: number[] = [];
  for (let next: string | null | undefined; next !== null && ids.length < 200; ) {
    const part: Query = { ...query, pagesize: 7, ...(next === undefined ? {} : { next }) };
    const { status, body } = await app.call(listConversations, { query: part }, user);
    if (status !== 200) throw new Error(JSON.stringify(body));
    ids.push(...body.Items.map((item) => item.ConversationID));
    next = body.Next;
  }
  return ids;
}

function views(): Query[] {
  const [tag = 0, second = 0] = tagIds;
  const textNumberId = Object.values(account.numbers)[2] ?? 0;
  return [
    {},
    { isDone: false },
    { isDone: true },
    { notags: true },
    { unread: true },
    { unread: true, textNumberId },
    { viewing: 'unread' },
    { viewing: 'waiting' },
    { viewing: 'waiting', textNumberId },
    { viewing: 'mine' },
    { viewing: 'mine', isDone: true },
    { viewing: 'unassigned' },
    { viewing: 'unassigned', isDone: false, textNumberId },
    { viewing: 'snoozed' },
    { assignedTo: clerk.userId },
    { assignedTo: clerk.userId, isDone: false },
    { textNumberId },
    { textNumberId, isDone: false },
    { tag: 'autooptout' },
    { tag: 'autooptout', isDone: true },
    { tag },
    { tag, isDone: false },
    { tag: second, viewing: 'unread' },
    { tag: second, viewing: 'waiting' },
    { tag, textNumberId },
    { broadcastId },
    { broadcastId, isDone: false },
    { broadcastId, tag },
    { broadcastId: 78 },
  ];
}

describe('every view has the right conversations, in order, each once', () => {
  it.each(['latest', 'oldest'] as const)('%s first', async (sortby) => {
    let most = 0;
    for (const user of [account.owner, clerk]) {
      for (const view of views()) {
        const query = { ...view, sortby };
        const meant = expected(query, user);
        most = Math.max(most, meant.length);
        expect(await listed(query, user), JSON.stringify(query)).toEqual(meant);
      }
    }
    expect(most).toBeGreaterThan(30);
  });

  it('and a selection of all of it is the same set', async () => {
    for (const user of [account.owner, clerk]) {
      const actor = { ...(await actorOf(app, account.accountId, user.userId)), timeZone: 'UTC' };
      for (const view of views()) {
        const filter = listConversations.query.parse(view);
        const ids = await asAccount(app.database, account.accountId, async (trx) => {
          const condition = await matchingConversations(trx, actor, filter);
          const { rows } = await sql<{ id: number }>`
            select c.conversation_id as id from conversations c where ${condition}`.execute(trx);
          return rows.map(({ id }) => id);
        });
        expect(new Set(ids), JSON.stringify(view)).toEqual(new Set(expected(view, user)));
      }
    }
  });

  it('and page numbers continue where the previous page ended', async () => {
    for (const query of [{ notags: true }, { tag: tagIds[0] ?? 0 }]) {
      const pages = [];
      for (const page of [1, 2, 3]) {
        const { body } = await app.call(listConversations, { query: { ...query, page, pagesize: 5 } }, clerk);
        pages.push(...body.Items.map((item) => item.ConversationID));
      }
      expect(pages).toEqual(expected(query, clerk).slice(0, 15));
    }
  });
});

it('the summary counts the conversations in the views, before and after changes are summed up', async () => {
  const count = (query: Query, user: BuiltUser) => expected(query, user).length;
  const check = async () => {
    for (const user of [account.owner, clerk]) {
      const { body } = await app.call(getConversationsSummary, {}, user);
      expect(body).toMatchObject({
        OpenCount: count({ isDone: false }, user),
        UnreadCount: count({ viewing: 'unread' }, user),
        MineCount: count({ viewing: 'mine' }, user),
        UnassignedCount: count({ viewing: 'unassigned' }, user),
        SnoozedCount: count({ viewing: 'snoozed' }, user),
        DoneCount: count({ isDone: true }, user),
        AutoOptOutCount: count({ tag: 'autooptout' }, user),
      });
      expect(body.TextNumbers).toHaveLength(user === clerk ? 2 : 3);
    }
  };
  await check();
  await app.drain();
  const { rows } = await sql`select from conversation_count_changes`.execute(app.database.system);
  expect(rows).toHaveLength(0);
  await check();
});

it('a conversation has the names of its tags and of its assignee, and its snooze time', async () => {
  const talk = talks.find(
    ({ tags, assignee, place }) => tags.length === 2 && assignee !== null && place === 1,
  );
  if (talk === undefined) throw new Error('the draws have none');
  const { body } = await app.call(getConversation, { params: { ConversationID: talk.id } }, account.owner);
  expect(body).toMatchObject({
    AssignedTo: { UserID: talk.assignee, Name: expect.stringContaining('Pat'), PictureUrl: null },
    SnoozedUntil: '2030-01-01T00:00:00.000Z',
    ContinuedInID: null,
    Views: [],
  });
  expect(body.Tags.map(({ TagName }) => TagName)).toEqual(['billing', 'Urgent']);
});
