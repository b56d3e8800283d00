/**
 * Obstacles to distributing the database over several machines, or to using a pool of connections. Those that
 * processes of the version before need are listed here, and `npx muster spread` removes them (spread-database.test.ts);
 * nothing is added to these lists.
 */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openDatabase, openOwnerPool } from './db.ts';
import { listKeysWithoutAccount, listTriggers } from './testing/spread-obstacles.ts';
import { testDb } from './testing/test-db.ts';

/**
 * Unique keys of tenants' tables without the account: people choose the values, for the whole installation. The
 * directories of migration 0392 refuse them as well.
 */
const keysWithoutAccount = ['text_numbers_phone', 'users_name'];

const triggers = [
  'contact_search.keep_old_words_deleted',
  'contact_search.keep_words_added_by_update',
  'contact_search.keep_words_deleted',
  'contact_search.keep_words_inserted',
  'contacts.keep_deleted',
  'contacts.keep_inserted',
  'contacts.keep_updated',
  'conversations.keep_deleted',
  'conversations.keep_inserted',
  'conversations.keep_updated',
  'group_members.keep_deleted',
  'group_members.keep_inserted',
  'messages.keep_inserted',
];

/** The start-up options that every pool accepts. */
const harmless = ['application_name', 'client_encoding', 'database', 'user'];

/**
 * The start-up options that a pool refuses, by connection: only without a pool is the role set at the start.
 */
const refused = {
  muster_app: ['options=-c role=muster_app'],
  muster_owner: [],
  muster_system: ['options=-c role=muster_system'],
};
const refusedThroughPool = { muster_app: [], muster_owner: [], muster_system: [] };

it('no further unique key of a tenant’s table is without the account', async () => {
  expect(await listKeysWithoutAccount(await testDb())).toEqual(keysWithoutAccount);
});

it('no policy contains a subquery', async () => {
  const { system } = await testDb();
  const { rows } = await sql<{ name: string }>`
    select format('%s.%s', tablename, policyname) as name from pg_policies
    where schemaname = 'public' and concat_ws(' ', qual, with_check) ~* '\\mselect\\M'
    order by 1`.execute(system);
  expect(rows.map(({ name }) => name)).toEqual([]);
});

it('no further trigger is on a tenant’s table', async () => {
  expect(await listTriggers(await testDb())).toEqual(triggers);
});

/**
 * Files that write other columns of users, or the owner of an account that is being created: nobody there is
 * connected.
 */
const neitherRoleNorNumbers = [
  'accounts/create-account.ts',
  'accounts/fill-in.ts',
  'accounts/set-picture.ts',
  'accounts/set-text-limit.ts',
  'accounts/update-user.ts',
  'auth/expire-passwords.ts',
  'auth/open-session.ts',
  'auth/queries.ts',
  'auth/reset-password.ts',
  'auth/set-password.ts',
];

/** Files that may switch users off. */
const switchingOff = ['accounts/users/switch-users.ts', 'accounts/users/update-user.ts'];

/**
 * Triggers used to send this: each statement that writes these notifies the other processes
 * (server/notify.ts), or their sockets would receive more than they may. Demo and tests write before anybody
 * is connected.
 */
it('code that ends sessions or changes who may receive what announces it', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .sort()
    .filter((name) => /\.ts$/.test(name) && !/\.test\.ts$|^(demo|testing)\/|schema\.types/.test(name))
    .map((name) => ({ name, text: readFileSync(join(import.meta.dirname, name), 'utf8') }));
  const writing = (table: string) =>
    new RegExp(
      `(updateTable|insertInto|deleteFrom)\\('${table}'|(update|insert into|delete from) ${table}\\b`,
    );
  const silent = (writes: RegExp) =>
    files
      .filter(({ text }) => writes.test(text) && !text.includes('accessChangedOf'))
      .map(({ name }) => name);
  expect(files.filter(({ text }) => /deleteFrom\('sessions'|delete from sessions/.test(text))).toMatchObject([
    { name: 'auth/end-sessions.ts' },
  ]);
  expect(silent(writing('user_text_numbers'))).toEqual([]);
  expect(silent(writing('users'))).toEqual(neitherRoleNorNumbers);
  // Also the sessions that another transaction is just opening end then. An invited user who is inserted has none.
  const switching = files.filter(
    ({ text }) =>
      /updateTable\('users'\)|update users\b/.test(text) &&
      /\bis_active(:| =) (?!true\b|boolean\b)/.test(text),
  );
  expect(switching.map(({ name }) => name)).toEqual(switchingOff);
  expect(switching.filter(({ text }) => !text.includes('await endSessionsOfSwitchedOff('))).toEqual([]);
});

/** The contents of the first packet of a connection: its length, the protocol, then names and values. */
function readStartUp(packet: Buffer): Map<string, string> {
  const words = packet.subarray(8).toString().split('\0');
  return new Map(
    words.flatMap((word, index) => (index % 2 === 0 && word !== '' ? [[word, words[index + 1] ?? '']] : [])),
  );
}

it.each([
  ['without a pool', false, refused],
  ['through a pool', true, refusedThroughPool],
])('%s, no further start-up option is set that a pool would refuse', async (_how, isPooled, expected) => {
  const heard = new Map<string, string[]>();
  const listener = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (packet: Buffer) => {
      const said = readStartUp(packet);
      const others = [...said].filter(([name]) => !harmless.includes(name));
      heard.set(
        said.get('application_name') ?? '',
        others.map(([name, value]) => `${name}=${value}`),
      );
      socket.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = `postgres://nobody@127.0.0.1:${(listener.address() as AddressInfo).port}/none`;
  const pool = isPooled ? { url, prepares: false } : undefined;
  const database = openDatabase(url, { connections: 2, pool });
  const owner = openOwnerPool(url, 1);
  await Promise.allSettled([
    sql`select 1`.execute(database.app),
    sql`select 1`.execute(database.system),
    owner.query('select 1'),
  ]);
  await Promise.all([database.close(), owner.end()]);
  listener.close();
  expect(Object.fromEntries(heard)).toEqual(expected);
});
