import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { listTextMessages } from '../../../contract/conversations.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../../testing/builders.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

let app: TestApp;
let account: BuiltAccount;
let numbers: number[];
let lastNumber = 14235557000;
const phone = '14235550111';

beforeAll(async () => {
  app = await testApp();
});
beforeEach(async () => {
  lastNumber += 3;
  account = await buildAccount(app, {
    numbers: { [lastNumber]: 'infobip', [lastNumber + 1]: 'infobip', [lastNumber + 2]: 'infobip' },
  });
  numbers = Object.values(account.numbers);
});

/** Texts at a number, three per microsecond; returns their ids, the latest first. */
async function write(textNumberId: number | undefined, many: number, day: string, origin = 'inbound') {
  const { rows } = await sql<{ id: number }>`
    insert into messages (account_id, text_number_id, phone, is_inbound, status, origin, body, created_at)
    select ${account.accountId}, ${textNumberId}, ${phone}, true, 'received', ${origin}, 'Text ' || n,
      ${day}::timestamptz + (n / 3) * interval '1 microsecond'
    from generate_series(1, ${many}::integer) n returning message_id as id`.execute(app.database.system);
  return rows.map(({ id }) => id).reverse();
}

async function open(textNumberId: number | undefined, continuedIn: number | null = null): Promise<number> {
  const { conversation_id } = await app.database.system
    .insertInto('conversations')
    .values({
      account_id: account.accountId,
      text_number_id: textNumberId ?? 0,
      phone,
      is_retired: continuedIn !== null,
      is_done: continuedIn !== null,
      continued_in_id: continuedIn,
    })
    .returning('conversation_id')
    .executeTakeFirstOrThrow();
  return conversation_id;
}

type Query = NonNullable<Parameters<typeof app.call<typeof listTextMessages>>[1]['query']>;

async function page(ConversationID: number, query: Query, as = account.owner) {
  const { status, body } = await app.call(listTextMessages, { params: { ConversationID }, query }, as);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return { ...body, ids: body.Items.map((item) => item.TextMessageID) };
}

it('around a text: it is in the middle, and both directions lead to every other, each once', async () => {
  const ids = await write(numbers[0], 130, '2026-11-01T12:00:00Z');
  const conversation = await open(numbers[0]);
  const middle = await page(conversation, { around: ids[60], pagesize: 21 });
  expect(middle.ids).toEqual(ids.slice(50, 71));

  const older: number[] = [];
  for (let next = middle.Next; next !== null && older.length < 200; ) {
    const further = await page(conversation, { next, pagesize: 21 });
    older.push(...further.ids);
    expect(further.Previous).not.toBeNull();
    next = further.Next;
  }
  expect(older).toEqual(ids.slice(71));

  let later: number[] = [];
  let last: Awaited<ReturnType<typeof page>> = middle;
  for (let previous = middle.Previous; previous && later.length < 200; previous = last.Previous) {
    last = await page(conversation, { previous, pagesize: 21 });
    expect(last.Next).not.toBeNull();
    later = [...last.ids, ...later];
  }
  expect(later).toEqual(ids.slice(0, 50));
  expect(last.Previous).toBeNull();
});

it('around the first and the latest text the page is as full as elsewhere', async () => {
  const ids = await write(numbers[0], 30, '2026-11-01T12:00:00Z');
  const conversation = await open(numbers[0]);
  const latest = await page(conversation, { around: ids[0], pagesize: 10 });
  expect([latest.ids, latest.Previous]).toEqual([ids.slice(0, 10), null]);
  const first = await page(conversation, { around: ids[29], pagesize: 10 });
  expect([first.ids, first.Next]).toEqual([ids.slice(25), null]);
});

it('every page returns the total number of texts, including those of an earlier number', async () => {
  await write(numbers[0], 12, '2026-11-01T12:00:00Z');
  const conversation = await open(numbers[0]);
  const first = await page(conversation, { pagesize: 5 });
  const second = await page(conversation, { pagesize: 5, next: first.Next ?? '' });
  const around = await page(conversation, { pagesize: 5, around: second.ids[0] });
  expect([first.Size, second.Size, around.Size]).toEqual([12, 12, 12]);
  await write(numbers[1], 3, '2026-10-01T12:00:00Z');
  await open(numbers[1], conversation);
  expect((await page(conversation, { pagesize: 5 })).Size).toBe(15);
});

it('Previous is missing unless older ones were requested; at the end there is none', async () => {
  await write(numbers[0], 3, '2026-11-01T12:00:00Z');
  const conversation = await open(numbers[0]);
  const { Previous, Next } = await page(conversation, {});
  expect([Previous, Next]).toEqual([undefined, null]);
});

it('around a text of another thread or account is not found', async () => {
  const [own = 0] = await write(numbers[0], 1, '2026-11-01T12:00:00Z');
  const [elsewhere = 0] = await write(numbers[1], 1, '2026-11-01T12:00:00Z');
  const conversation = await open(numbers[0]);
  expect((await page(conversation, { around: own })).ids).toEqual([own]);
  for (const around of [elsewhere, 999_999_999]) {
    const reply = await app.call(
      listTextMessages,
      { params: { ConversationID: conversation }, query: { around } },
      account.owner,
    );
    expect(reply.status).toBe(404);
  }
});

it('includes texts that were moved here, however often, and no others', async () => {
  const oldest = await write(numbers[0], 20, '2026-11-01T12:00:00Z');
  const older = await write(numbers[1], 20, '2026-11-02T12:00:00Z');
  const newest = await write(numbers[2], 20, '2026-11-03T12:00:00Z');
  const third = await open(numbers[2]);
  const second = await open(numbers[1], third);
  const first = await open(numbers[0], second);
  const all = [...newest, ...older, ...oldest];
  const ids: number[] = [];
  for (let next: string | null | undefined; next !== null; ) {
    const part: Awaited<ReturnType<typeof page>> = await page(third, {
      pagesize: 25,
      ...(next ? { next } : {}),
    });
    ids.push(...part.ids);
    next = part.Next;
  }
  expect(ids).toEqual(all);
  expect((await page(third, { around: oldest[19], pagesize: 5 })).ids).toEqual(oldest.slice(-3));
  // A user of only the number where it continues reads the texts moved there.
  const clerk = await buildUser(app, account.accountId, 'user', { textNumberIds: numbers.slice(2) });
  expect((await page(third, { pagesize: 100 }, clerk)).ids).toEqual(all);
  expect((await page(first, {})).ids).toEqual(oldest);
  expect((await page(second, {})).ids).toEqual([...older, ...oldest]);

  // They wrote to the old number again: it is a separate conversation.
  await app.database.system
    .updateTable('conversations')
    .set({ is_retired: false, continued_in_id: null })
    .where('conversation_id', '=', second)
    .execute();
  expect((await page(third, { pagesize: 100 })).ids).toEqual(newest);
});

it('a notification of unread texts to one of our users is not part of a thread', async () => {
  const ids = await write(numbers[0], 2, '2026-11-01T12:00:00Z');
  await write(numbers[0], 3, '2026-11-02T12:00:00Z', 'notification');
  expect((await page(await open(numbers[0]), {})).ids).toEqual(ids);
});
