import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { asSystem, type Trx } from './db.ts';
import { prepared } from './prepared.ts';
import { testDb } from './testing/test-db.ts';

/** The prepared statements of this connection. */
async function known(trx: Trx): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`
    select statement from pg_prepared_statements order by statement`.execute(trx);
  return rows.map(({ statement }) => statement);
}

it('a marked statement is prepared once, with other values each time; others are not', async () => {
  const database = await testDb();
  await asSystem(database, async (trx) => {
    const twice = async (number: number) =>
      (await sql<{ twice: number }>`${prepared} select ${number}::int * 2 as twice`.execute(trx)).rows[0]
        ?.twice;
    expect([await twice(1), await twice(2), await twice(21)]).toEqual([2, 4, 42]);
    const account = (id: number) =>
      trx
        .selectFrom('accounts')
        .select('account_id')
        .where('account_id', '=', id)
        .modifyFront(prepared)
        .execute();
    expect([await account(1), await account(2)]).toEqual([[], []]);
    await sql`select 1`.execute(trx);
    expect(await known(trx)).toEqual([
      expect.stringMatching(/^\/\* prepared \*\/ select \$1::int \* 2/),
      expect.stringMatching(/^select \/\* prepared \*\/ "account_id" from "accounts"/),
    ]);
  });
});

it('a statement that fails can be run again', async () => {
  const database = await testDb();
  const half = (by: number) =>
    sql<{ half: number }>`${prepared} select 10 / ${by}::int as half`.execute(database.system);
  await expect(half(0)).rejects.toThrow('division by zero');
  expect((await half(2)).rows).toEqual([{ half: 5 }]);
});

it('statements that always differ are eventually run unprepared', async () => {
  const database = await testDb();
  await asSystem(database, async (trx) => {
    for (let i = 0; i < 250; i += 1) {
      const { rows } = await sql<{ one: number }>`${prepared} select ${sql.lit(i)} as one`.execute(trx);
      expect(rows).toEqual([{ one: i }]);
    }
    expect((await known(trx)).length).toBeLessThanOrEqual(200);
  });
});
