import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { asAccount, asSystem, type Database } from './db.ts';
import { testDb } from './testing/test-db.ts';

async function twoAccounts(database: Database): Promise<[number, number]> {
  return asSystem(database, async (trx) => {
    const rows = await trx
      .insertInto('accounts')
      .values([{ company_name: 'One' }, { company_name: 'Two' }])
      .returning('account_id')
      .execute();
    return [rows[0]?.account_id ?? 0, rows[1]?.account_id ?? 0];
  });
}

it('every table with an account_id has forced row level security for both roles', async () => {
  const database = await testDb();
  const { rows } = await sql<{ name: string; isForced: boolean; policies: string[] }>`
    select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as "isForced",
      array(select p.polname::text from pg_policy p where p.polrelid = c.oid order by 1) as policies
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
    where n.nspname = 'public' and c.relkind in ('r', 'p')`.execute(database.system);
  expect(rows.length).toBeGreaterThan(15);
  for (const row of rows)
    expect(row).toEqual({ name: row.name, isForced: true, policies: ['everyone', 'tenant'] });
});

it('neither role can bypass it, and the connection has taken the role', async () => {
  const database = await testDb();
  for (const [kind, role] of [
    ['app', 'muster_app'],
    ['system', 'muster_system'],
  ] as const) {
    const { rows } = await sql`
      select current_user as role, rolbypassrls as bypasses, rolsuper as super from pg_roles where rolname = current_user`.execute(
      database[kind],
    );
    expect(rows).toEqual([{ role, bypasses: false, super: false }]);
  }
});

it('a transaction sees and writes only its own account, also without a where clause', async () => {
  const database = await testDb();
  const [one, two] = await twoAccounts(database);
  for (const accountId of [one, two]) {
    await asAccount(database, accountId, (trx) =>
      trx
        .insertInto('contacts')
        .values({ account_id: accountId, first_name: `of ${accountId}` })
        .execute(),
    );
  }
  const seen = await asAccount(database, one, (trx) =>
    trx.selectFrom('contacts').select('first_name').execute(),
  );
  expect(seen).toEqual([{ first_name: `of ${one}` }]);
  const changed = await asAccount(database, one, (trx) =>
    trx.updateTable('contacts').set({ notes: 'mine' }).executeTakeFirst(),
  );
  expect(changed.numUpdatedRows).toBe(1n);
  const foreign = asAccount(database, one, (trx) =>
    trx.insertInto('contacts').values({ account_id: two }).execute(),
  );
  await expect(foreign).rejects.toThrow(/row-level security/);
});

it('without an account nothing is visible', async () => {
  const database = await testDb();
  await twoAccounts(database);
  expect(await database.app.selectFrom('accounts').selectAll().execute()).toEqual([]);
});

it('the account of one transaction does not stay on the connection for the next', async () => {
  const database = await testDb();
  const [one] = await twoAccounts(database);
  await Promise.all(
    Array.from({ length: 8 }, () =>
      asAccount(database, one, (trx) => trx.selectFrom('accounts').selectAll().execute()),
    ),
  );
  expect(await database.app.selectFrom('accounts').selectAll().execute()).toEqual([]);
});

it('the ledger of credits can be added to but not changed', async () => {
  const database = await testDb();
  for (const statement of [sql`update credit_entries set note = ''`, sql`delete from credit_entries`]) {
    await expect(statement.execute(database.system)).rejects.toThrow(/permission denied/);
  }
});
