import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { selectedRows } from './selection.ts';
import { testDb } from './testing/test-db.ts';

it.each([
  ['Selected', [2, 4], [2, 4]],
  ['Selected', [2, 9], [2]],
  ['Selected', [], []],
  ['SelectedAll', [], [1, 2, 3, 4, 5]],
  ['SelectedAllExcept', [2, 4], [1, 3, 5]],
  ['SelectedAllExcept', [9], [1, 2, 3, 4, 5]],
  ['SelectedAllExcept', [], [1, 2, 3, 4, 5]],
  ['SelectedAllExcept', [1, 2, 3, 4, 5], []],
] as const)('of a list with 1 to 5, %s %j means %j', async (Type, Items, meant) => {
  const database = await testDb();
  const condition = selectedRows(sql`n`, { Type, Items: [...Items] }, sql`n <= 5`);
  const { rows } = await sql<{ n: number }>`
    select n from generate_series(1::bigint, 10) as n where ${condition} order by n`.execute(database.system);
  expect(rows.map(({ n }) => n)).toEqual(meant);
});
