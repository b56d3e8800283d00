import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { listContacts } from '../../../contract/contacts.ts';
import { asSystem } from '../../db.ts';
import { enqueue } from '../../jobs.ts';
import { type BuiltAccount, buildAccount } from '../../testing/builders.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { createContactIndexing, indexContacts } from './index-contacts.ts';

const app: TestApp = await testApp();
let account: BuiltAccount;
let personIds: number[];

/** Five contacts as an import creates them: without words in the index, in a range that isn't indexed yet. */
beforeEach(async () => {
  account = await buildAccount(app);
  personIds = await asSystem(app.database, async (trx) => {
    await sql`select set_config('app.keeps_contacts_itself', 'on', true)`.execute(trx);
    const rows = await trx
      .insertInto('contacts')
      .values(
        ['Ana', 'Ben', 'Cy', 'Dee', 'Eve'].map((first_name) => ({
          account_id: account.accountId,
          first_name,
          last_name: 'Importer',
        })),
      )
      .returning('person_id')
      .execute();
    const ids = rows.map(({ person_id }) => person_id);
    await trx
      .insertInto('search_backlog')
      .values({
        account_id: account.accountId,
        first_person_id: ids[0] ?? 0,
        // Unused ids are no reason to stop.
        last_person_id: (ids.at(-1) ?? 0) + 1000,
      })
      .execute();
    return ids;
  });
});

async function found(q: string) {
  const { body } = await app.call(listContacts, { params: { ListID: 0 }, query: { q } }, account.owner);
  return body.Items.map(({ FirstName }) => FirstName);
}

async function indexed(): Promise<number[]> {
  const rows = await app.database.system
    .selectFrom('contact_search')
    .select('person_id')
    .where('account_id', '=', account.accountId)
    .orderBy('person_id')
    .execute();
  return rows.map(({ person_id }) => person_id);
}

async function waiting(): Promise<number> {
  const rows = await app.database.system
    .selectFrom('search_backlog')
    .select('first_person_id')
    .where('account_id', '=', account.accountId)
    .execute();
  return rows.length;
}

const all = ['Ana', 'Ben', 'Cy', 'Dee', 'Eve'];

it('finds imported contacts, before and after they are in the index of words', async () => {
  expect(await indexed()).toEqual([]);
  expect(await found('importer')).toEqual(all);
  expect(await found('cy imp')).toEqual(['Cy']);
  await asSystem(app.database, (trx) => enqueue(trx, 'index_contacts', {}));
  await app.drain();
  expect([await indexed(), await waiting()]).toEqual([personIds, 0]);
  expect(await found('importer')).toEqual(all);
});

it('finds a contact once that was changed in between, by its current values', async () => {
  await app.database.system
    .updateTable('contacts')
    .set({ first_name: 'Cyrus' })
    .where('person_id', '=', personIds[2] ?? 0)
    .execute();
  expect(await found('importer')).toEqual(['Ana', 'Ben', 'Cyrus', 'Dee', 'Eve']);
  await app.drain();
  expect(await found('cyrus')).toEqual(['Cyrus']);
  expect(await found('importer')).toEqual(['Ana', 'Ben', 'Cyrus', 'Dee', 'Eve']);
});

it('leaves out contacts that were deleted in between', async () => {
  await app.database.system
    .updateTable('contacts')
    .set({ deleted_at: new Date() })
    .where('person_id', '=', personIds[0] ?? 0)
    .execute();
  expect(await found('importer')).toEqual(['Ben', 'Cy', 'Dee', 'Eve']);
  await app.drain();
  expect(await indexed()).toEqual(personIds.slice(1));
});

it('continues where it was after it was killed midway', async () => {
  expect(await asSystem(app.database, (trx) => indexContacts(trx, 2))).toBe(true);
  expect(await indexed()).toEqual(personIds.slice(0, 2));
  expect(await found('importer')).toEqual(all);
  // Killed before the commit: nothing of the slice remains.
  const killed = asSystem(app.database, async (trx) => {
    await indexContacts(trx, 2);
    throw new Error('killed');
  });
  await expect(killed).rejects.toThrow('killed');
  expect(await indexed()).toEqual(personIds.slice(0, 2));
  expect(await found('importer')).toEqual(all);
  await app.drain();
  expect([await indexed(), await waiting()]).toEqual([personIds, 0]);
});

it('two concurrent workers do each slice once', async () => {
  const step = () => asSystem(app.database, (trx) => indexContacts(trx, 1));
  await Promise.all(Array.from({ length: 6 }, step));
  expect([await indexed(), await waiting()]).toEqual([personIds, 0]);
});

it('waits while a file is still being imported', async () => {
  const file = await app.database.system
    .insertInto('file_uploads')
    .values({
      account_id: account.accountId,
      user_id: account.owner.userId,
      file_key: 'k',
      file_name: 'a.csv',
      byte_size: 1,
      structure: '{}',
      stage: 'importing',
    })
    .returning('file_id')
    .executeTakeFirstOrThrow();
  await asSystem(app.database, (trx) => indexContacts(trx, 10));
  expect([await indexed(), await found('importer')]).toEqual([[], all]);
  await app.database.system
    .updateTable('file_uploads')
    .set({ stage: 'imported' })
    .where('file_id', '=', file.file_id)
    .execute();
  await asSystem(app.database, (trx) => indexContacts(trx, 10));
  expect(await indexed()).toEqual(personIds);
});

it('updates PostgreSQL’s statistics for the new rows', async () => {
  await createContactIndexing(app).run();
  expect(await indexed()).toEqual(personIds);
  const { rows } = await sql<{ table: string; isCounted: boolean }>`
    select relname as table, reltuples >= 5 as "isCounted" from pg_class
    where relname in ('contact_search', 'contact_words', 'known_words') and relkind = 'r' order by 1`.execute(
    app.database.system,
  );
  expect(rows).toEqual(
    ['contact_search', 'contact_words', 'known_words'].map((table) => ({ table, isCounted: true })),
  );
});
