import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { asAccount, asSystem, type Database, type Trx } from '../../db.ts';
import { testDb } from '../../testing/test-db.ts';

/** Random changes of conversations, given by number. */
const which = fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 5 });
const changes = fc.record({
  is_done: fc.boolean(),
  is_auto_opt_out: fc.boolean(),
  snoozed_until: fc.constantFrom(null, '2030-01-01T00:00:00Z'),
  unread_count: fc.nat(2),
  assigned_user_id: fc.constantFrom(null, 7, 8),
  tag_ids: fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }),
  last_message_at: fc.constantFrom('2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'),
});
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('change' as const), which, to: changes }),
    fc.record({ do: fc.constant('delete' as const), which }),
    fc.record({ do: fc.constant('add' as const), which }),
  ),
  { minLength: 1, maxLength: 12 },
);

it('counts and tags always equal a fresh count', async () => {
  const database = await testDb();
  let serial = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      serial += 1;
      const { accountId, numbers } = await makeAccount(database, serial);
      await asSystem(database, async (trx) => {
        await add(trx, accountId, numbers, [0, 1, 2, 3, 4]);
        for (const step of list) {
          const phones = step.which.map(phoneOf);
          if (step.do === 'add') await add(trx, accountId, numbers, step.which);
          else if (step.do === 'delete') {
            await trx
              .deleteFrom('conversations')
              .where('account_id', '=', accountId)
              .where('phone', 'in', phones)
              .execute();
          } else {
            await trx
              .updateTable('conversations')
              .set(step.to)
              .where('account_id', '=', accountId)
              .where('phone', 'in', phones)
              .execute();
          }
          expect(await keptCounts(trx, accountId)).toEqual(await freshCounts(trx, accountId));
          expect(await keptTags(trx, accountId)).toEqual(await freshTags(trx, accountId));
        }
      });
    }),
    { numRuns: 40 },
  );
});

it('words are found only in texts of the account, whether or not they are indexed yet', async () => {
  const database = await testDb();
  const mine = await makeAccount(database, 900);
  const other = await makeAccount(database, 901);
  await asSystem(database, async (trx) => {
    for (const { accountId, numbers } of [mine, other]) {
      await sql`
        insert into messages (account_id, text_number_id, phone, is_inbound, status, origin, body)
        values (${accountId}, ${numbers[0]}, '14235550101', true, 'received', 'inbound', 'Grüße from the Picnic'),
          (${accountId}, ${numbers[1]}, '14235550102', true, 'received', 'inbound', 'No picnic today'),
          (${accountId}, ${numbers[0]}, '14235550103', false, 'waiting', 'automatic', 'The picnic is over')`.execute(
        trx,
      );
    }
  });
  /** `newest` texts are scanned without the index; with 0 the index is used for all. */
  const find = (words: string[], numbers: number[], newest: number) =>
    asAccount(database, mine.accountId, async (trx) => {
      const { rows } = await sql<{ phone: string }>`
        select phone from find_messages(${words.map((word) => `% ${word}%`)}::text[], ${words}::text[], ${numbers}::bigint[], '-infinity', 'infinity', 100, ${newest})
        order by phone`.execute(trx);
      return rows.map((row) => row.phone);
    });
  const all = mine.numbers.concat(other.numbers);
  const check = async () => {
    for (const newest of [0, 1, 100]) {
      expect(await find(['picnic'], all, newest)).toEqual(['14235550101', '14235550102']);
      expect(await find(['picnic', 'grusse'], all, newest)).toEqual(['14235550101']);
      expect(await find(['picnic'], mine.numbers.slice(1), newest)).toEqual(['14235550102']);
      expect(await find(['picnics'], all, newest)).toEqual([]);
    }
  };
  await check();
  await asSystem(database, (trx) =>
    sql`
      with gone as (delete from message_search_queue returning account_id, message_id)
      insert into message_search (account_id, message_id, text_number_id, phone, created_at, search_text)
      select m.account_id, m.message_id, m.text_number_id, m.phone, m.created_at, fold_words(m.body)
      from gone join messages m using (account_id, message_id)`.execute(trx),
  );
  await check();
});

const phoneOf = (index: number) => `1423555${String(1000 + index)}`;

async function makeAccount(database: Database, serial: number) {
  const { account_id: accountId } = await database.system
    .insertInto('accounts')
    .values({ company_name: 'Kept' })
    .returning('account_id')
    .executeTakeFirstOrThrow();
  const rows = await database.system
    .insertInto('text_numbers')
    .values(
      [0, 1].map((index) => ({
        account_id: accountId,
        phone: `1865${String(serial * 10 + index).padStart(7, '0')}`,
        aggregator_id: 5,
      })),
    )
    .returning('text_number_id')
    .execute();
  return { accountId, numbers: rows.map((row) => row.text_number_id) };
}

async function add(trx: Trx, accountId: number, numbers: number[], indexes: number[]) {
  await trx
    .insertInto('conversations')
    .values(
      indexes.map((index) => ({
        account_id: accountId,
        text_number_id: numbers[index % 2] ?? 0,
        phone: phoneOf(index),
        unread_count: index % 3,
        tag_ids: index % 2 === 0 ? [1, 2] : [],
      })),
    )
    // Existing ones get one more text, like an inbound one.
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'text_number_id', 'phone'])
        .doUpdateSet({ unread_count: sql`conversations.unread_count + 1`, is_done: false }),
    )
    .execute();
}

async function keptCounts(trx: Trx, accountId: number) {
  const { rows } = await sql`
    select text_number_id, assigned_user_id, sum(open) as open, sum(unread) as unread, sum(snoozed) as snoozed,
      sum(done) as done, sum(opted_out) as opted_out
    from conversation_count_changes where account_id = ${accountId}
    group by 1, 2
    having sum(open) + sum(snoozed) + sum(done) + sum(opted_out) <> 0
    order by 1, 2`.execute(trx);
  return rows;
}

async function freshCounts(trx: Trx, accountId: number) {
  const { rows } = await sql`
    select text_number_id, coalesce(assigned_user_id, 0) as assigned_user_id,
      count(*) filter (where not is_done and not is_auto_opt_out and snoozed_until is null) as open,
      count(*) filter (where not is_done and not is_auto_opt_out and snoozed_until is null and unread_count > 0) as unread,
      count(*) filter (where not is_done and not is_auto_opt_out and snoozed_until is not null) as snoozed,
      count(*) filter (where is_done and not is_auto_opt_out) as done, count(*) filter (where is_auto_opt_out) as opted_out
    from conversations where account_id = ${accountId}
    group by 1, 2 order by 1, 2`.execute(trx);
  return rows;
}

async function keptTags(trx: Trx, accountId: number) {
  const { rows } = await sql`
    select conversation_id, tag_id, text_number_id, place, last_message_at from conversation_tags
    where account_id = ${accountId} order by 1, 2`.execute(trx);
  return rows;
}

async function freshTags(trx: Trx, accountId: number) {
  const { rows } = await sql`
    select conversation_id, unnest(tag_ids) as tag_id, text_number_id, place, last_message_at from conversations
    where account_id = ${accountId} order by 1, 2`.execute(trx);
  return rows;
}
