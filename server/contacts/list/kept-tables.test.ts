import fc from 'fast-check';
import { sql } from 'kysely';
import { it } from 'vitest';
import type { Database } from '../../db.ts';
import { checkKeptContacts } from '../../testing/check-kept-contacts.ts';
import { testDb } from '../../testing/test-db.ts';

/** Random changes of contacts and groups; people and groups are given by number. */
type Step =
  | { do: 'add'; names: string[]; isDeleted: boolean }
  | { do: 'rename'; people: number[]; name: string }
  | { do: 'delete' | 'restore' | 'purge'; people: number[] }
  | { do: 'join' | 'leave'; people: number[]; group: number };

const groupCount = 3;
const names = fc.constantFrom('Ana', 'béla', 'Çelik', 'D’Arcy', '');
const people = fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 5 });
const steps = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('add' as const),
      names: fc.array(names, { minLength: 1, maxLength: 4 }),
      isDeleted: fc.boolean(),
    }),
    fc.record({ do: fc.constant('rename' as const), people, name: names }),
    fc.record({ do: fc.constantFrom('delete' as const, 'restore' as const, 'purge' as const), people }),
    fc.record({
      do: fc.constantFrom('join' as const, 'leave' as const),
      people,
      group: fc.nat(groupCount - 1),
    }),
  ),
  { minLength: 1, maxLength: 14 },
);

it('counts, words, unfiled and the order of members always equal a fresh count', async () => {
  const database = await testDb();
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const { accountId, groups } = await makeAccount(database);
      for (const step of list) {
        await take(database, accountId, groups, step);
        await checkKeptContacts({ database }, accountId);
      }
    }),
    { numRuns: 60 },
  );
});

async function makeAccount(database: Database) {
  const { account_id: accountId } = await database.system
    .insertInto('accounts')
    .values({ company_name: 'Kept' })
    .returning('account_id')
    .executeTakeFirstOrThrow();
  const rows = await database.system
    .insertInto('groups')
    .values(Array.from({ length: groupCount }, (_, i) => ({ account_id: accountId, name: `Group ${i}` })))
    .returning('group_id')
    .execute();
  return { accountId, groups: rows.map(({ group_id }) => group_id) };
}

async function take({ system }: Database, accountId: number, groups: number[], step: Step): Promise<void> {
  if (step.do === 'add') {
    await system
      .insertInto('contacts')
      .values(
        step.names.map((last_name) => ({
          account_id: accountId,
          last_name,
          deleted_at: step.isDeleted ? new Date() : null,
        })),
      )
      .execute();
    return;
  }
  // The existing people, by their number.
  const chosen = sql`(
    select person_id from (
      select person_id, row_number() over (order by person_id) - 1 as place from contacts where account_id = ${accountId}
    ) numbered where place = any(${step.people}::bigint[]))`;
  const these = sql`account_id = ${accountId} and person_id in ${chosen}`;
  const group = 'group' in step ? (groups[step.group] ?? 0) : 0;
  const statements = {
    rename: () => sql`update contacts set last_name = ${'name' in step ? step.name : ''} where ${these}`,
    delete: () => sql`
      update contacts c set deleted_at = now(), deleted_from_groups = array(
        select group_id from group_members m
        where m.account_id = c.account_id and m.person_id = c.person_id and m.group_id > 0)
      where ${these} and deleted_at is null`,
    restore: () => sql`update contacts set deleted_at = null where ${these}`,
    purge: () => sql`delete from contacts where ${these} and deleted_at is not null`,
    join: () => sql`
      insert into group_members (account_id, group_id, person_id, sort_name)
      select account_id, ${group}, person_id, sort_name from contacts where ${these} and deleted_at is null
      on conflict do nothing`,
    leave: () => sql`delete from group_members where ${these} and group_id = ${group}`,
  };
  await statements[step.do]().execute(system);
}
