import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { grownTables as grownByCourses } from './broadcasts/drips/run-courses.ts';
import { indexedTables } from './contacts/list/index-contacts.ts';
import { grownTables as grownByImports } from './imports/run-slices.ts';
import { grownTables as grownBySyncs } from './integrations/sync-integration.ts';
import { testDb } from './testing/test-db.ts';
import { joined } from './texts/claim-texts.ts';

it('the worker may analyze every table that it watches', async () => {
  const database = await testDb();
  const tables = [
    ...new Set([...indexedTables, ...grownByImports, ...grownBySyncs, ...grownByCourses, ...joined]),
  ];
  // PostgreSQL skips a table without the right to, with a warning that nobody reads.
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${tables}::text[]) t(name)
    where not has_table_privilege(current_user, name, 'MAINTAIN')`.execute(database.system);
  expect(rows).toEqual([]);
  expect(tables.length).toBeGreaterThan(8);
});
