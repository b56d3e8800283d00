import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { asSystem, type Database, openOwnerPool } from '../db.ts';
import { testDb } from '../testing/test-db.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { wakeConversations } from './change/wake-conversations.ts';
import { createConversationWork } from './jobs.ts';
import { foldCounts } from './list/fold-counts.ts';
import { indexMessages } from './list/index-messages.ts';

let serial = 0;

async function makeNumber(database: Database) {
  serial += 1;
  const { account_id } = await database.system
    .insertInto('accounts')
    .values({ company_name: 'Jobs' })
    .returning('account_id')
    .executeTakeFirstOrThrow();
  const { text_number_id } = await database.system
    .insertInto('text_numbers')
    .values({ account_id, phone: `1865557${1000 + serial}`, aggregator_id: 5 })
    .returning('text_number_id')
    .executeTakeFirstOrThrow();
  return { account_id, text_number_id };
}

async function addTalks(
  database: Database,
  of: { account_id: number; text_number_id: number },
  rows: { snoozed_until?: Date | null; unread_count?: number; is_done?: boolean }[],
) {
  return database.system
    .insertInto('conversations')
    .values(rows.map((row, index) => ({ ...of, ...row, phone: `1423555${1000 + index}` })))
    .returning('conversation_id')
    .execute();
}

it('counts are summed up in slices, by several at once, and stay correct', async () => {
  const database = await testDb();
  const number = await makeNumber(database);
  const made = await addTalks(
    database,
    number,
    Array.from({ length: 40 }, (_, index) => ({ unread_count: index % 2 })),
  );
  for (const [index, { conversation_id }] of made.entries()) {
    await database.system
      .updateTable('conversations')
      .set({
        is_done: index % 4 === 0,
        assigned_user_id: index % 3 === 0 ? 7 : null,
        unread_count: index % 5,
      })
      .where('conversation_id', '=', conversation_id)
      .execute();
  }
  const read = async () => {
    const { rows } = await sql`
      select assigned_user_id, sum(open) as open, sum(unread) as unread, sum(done) as done from (
        select assigned_user_id, open, unread, done from conversation_counts
        union all select assigned_user_id, open, unread, done from conversation_count_changes) part
      group by 1 order by 1`.execute(database.system);
    return rows.map((row) => JSON.stringify(row));
  };
  const before = await read();
  const takes = Array.from({ length: 4 }, () => asSystem(database, (trx) => foldCounts(trx, 7)));
  expect(Math.max(...(await Promise.all(takes)))).toBe(7);
  expect(await read()).toEqual(before);
  const work = createConversationWork({ database });
  await Promise.all([work.foldCounts(), work.foldCounts()]);
  expect(await read()).toEqual(before);
  const left = await sql`select from conversation_count_changes`.execute(database.system);
  expect(left.rows).toHaveLength(0);
  expect(await asSystem(database, (trx) => foldCounts(trx, 7))).toBe(0);
});

it('snoozed ones return when they are due, unread, and their pages are notified', async () => {
  const database = await testDb();
  const number = await makeNumber(database);
  const past = new Date(Date.now() - 1000);
  const made = await addTalks(database, number, [
    { snoozed_until: past },
    { snoozed_until: past, unread_count: 3 },
    { snoozed_until: past, is_done: true },
    { snoozed_until: new Date(Date.now() + 3_600_000) },
    {},
  ]);
  const ids = made.map(({ conversation_id }) => conversation_id);
  const heard: string[] = [];
  const pool = openOwnerPool(database.url, 1);
  const client = await pool.connect();
  client.on('notification', ({ payload }) => heard.push(payload ?? ''));
  await client.query('listen muster_events');
  try {
    expect(await asSystem(database, (trx) => wakeConversations(trx, 2))).toBe(2);
    expect(await asSystem(database, (trx) => wakeConversations(trx, 2))).toBe(1);
    expect(await asSystem(database, (trx) => wakeConversations(trx, 2))).toBe(0);
    await waitUntil(async () => heard.length === 2);
  } finally {
    client.release();
    await pool.end();
  }
  const rows = await database.system
    .selectFrom('conversations')
    .select(['place', 'unread_count'])
    .where('account_id', '=', number.account_id)
    .orderBy('conversation_id')
    .execute();
  expect(rows.map(({ place, unread_count }) => [place, unread_count])).toEqual([
    [0, 1],
    [0, 3],
    [2, 0],
    [1, 0],
    [0, 0],
  ]);
  const told = heard.flatMap((text) => (JSON.parse(text) as { events: { ConversationID: number }[] }).events);
  expect(told.map(({ ConversationID }) => ConversationID).sort((a, b) => a - b)).toEqual(ids.slice(0, 3));
});

it('texts are added to the index of words once, by several at once', async () => {
  const database = await testDb();
  const { account_id, text_number_id } = await makeNumber(database);
  await sql`
    insert into messages (account_id, text_number_id, phone, is_inbound, status, origin, body)
    select ${account_id}, ${text_number_id}, '14235550101', true, 'received', 'inbound', 'Éclair ' || n
    from generate_series(1, 50) n`.execute(database.system);
  const takes = Array.from({ length: 3 }, () => asSystem(database, (trx) => indexMessages(trx, 12)));
  expect((await Promise.all(takes)).every((taken) => taken <= 12)).toBe(true);
  await createConversationWork({ database }).indexMessages();
  const words = await sql<{ search_text: string }>`
    select search_text from message_search where account_id = ${account_id} order by message_id`.execute(
    database.system,
  );
  expect(words.rows.map((row) => row.search_text)).toEqual(
    Array.from({ length: 50 }, (_, index) => ` eclair ${index + 1}`),
  );
  const left = await sql`select from message_search_queue`.execute(database.system);
  expect(left.rows).toHaveLength(0);
});
