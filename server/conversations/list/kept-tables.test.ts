import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { expect, it } from 'vitest';
import { asAccount, asSystem, type Database } from '../../db.ts';
import { checkKeptConversations, dropConversationTriggers } from '../../testing/check-kept-conversations.ts';
import { testDb } from '../../testing/test-db.ts';
import { writeConversations } from '../write-conversations.ts';

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
/** Written by this version, or by the one before, whose processes may run beside ours and count on the triggers. */
const isOurs = fc.boolean();
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('change' as const), which, to: changes, isOurs }),
    fc.record({ do: fc.constant('delete' as const), which, isOurs }),
    fc.record({ do: fc.constant('add' as const), which, isOurs }),
  ),
  { minLength: 1, maxLength: 12 },
);

it.each([
  ['by this version or the one before', false],
  ['by this version, without triggers', true],
])('counts, tags and phones always equal a fresh count: %s', async (_who, isAlone) => {
  const database = await testDb();
  if (isAlone) await dropConversationTriggers(database.url);
  let serial = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      serial += 1;
      const { accountId, numbers } = await makeAccount(database, serial);
      await asSystem(database, async (trx) => {
        await writeConversations(trx, { write: adding(accountId, numbers, [0, 1, 2, 3, 4]) });
        for (const step of list) {
          const theirs = sql`account_id = ${accountId} and phone = any(${step.which.map(phoneOf)}::text[])`;
          const write =
            step.do === 'add'
              ? adding(accountId, numbers, step.which)
              : step.do === 'delete'
                ? sql`delete from conversations where ${theirs}`
                : sql`update conversations set ${setting(step.to)} where ${theirs}`;
          if (step.isOurs || isAlone) await writeConversations(trx, { write });
          else await write.execute(trx);
          await checkKeptConversations(trx, accountId);
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

const phoneOf = (index: number) => String(14_235_551_000 + index);

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

/** Existing ones get one more text, like an inbound one. */
function adding(accountId: number, numbers: number[], indexes: number[]): RawBuilder<unknown> {
  return sql`
    insert into conversations (account_id, text_number_id, phone, unread_count, tag_ids)
    select ${accountId}, (${numbers}::bigint[])[1 + i % 2], (14235551000 + i)::text, i % 3,
      case when i % 2 = 0 then array[1, 2] else '{}' end
    from unnest(${indexes}::integer[]) i
    on conflict (account_id, text_number_id, phone) do update
    set unread_count = conversations.unread_count + 1, is_done = false`;
}

function setting(to: Record<string, unknown>): RawBuilder<unknown> {
  return sql.join(Object.entries(to).map(([column, value]) => sql`${sql.ref(column)} = ${value}`));
}
