import { sql } from 'kysely';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { addContact, listContacts } from '../contract/contacts.ts';
import { createConversation } from '../contract/conversations.ts';
import { findPgbouncer, startPgbouncer } from '../scripts/pgbouncer.ts';
import { asAccount, openDatabase, refuseWrongRoles, type SharedPool } from './db.ts';
import { type BuiltAccount, buildAccount } from './testing/builders.ts';
import { type TestApp, testApp } from './testing/test-app.ts';
import { freePort } from './testing/test-sandbox.ts';

const number = '14235550100';
const program = findPgbouncer();
const why = 'PgBouncer is not installed (on Debian: apt-get install pgbouncer)';
let app: TestApp;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
});

async function open(takesRole = true) {
  const pgbouncer = await startPgbouncer({
    ...{
      program: program ?? '',
      databaseUrl: app.databaseUrl,
      port: await freePort(),
      connections: 2,
      takesRole,
    },
  });
  const pool: SharedPool = { url: pgbouncer.url, prepares: false };
  const database = openDatabase(app.databaseUrl, { connections: 16, pool });
  onTestFinished(async () => {
    await database.close();
    await pgbouncer.stop();
  });
  return database;
}

describe('through PgBouncer in transaction mode', () => {
  it('serves calls of several accounts at once on two connections, and none sees another’s', async ({
    skip,
  }) => {
    if (program === undefined) skip(why);
    const database = await open();
    await refuseWrongRoles(database);
    const url = await app.startSecondWeb(database);
    const accounts = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        buildAccount(app, index === 0 ? { numbers: { [number]: 'infobip' } } : {}),
      ),
    );
    const at = (path: string) => url + path;
    const call = async (
      account: BuiltAccount,
      definition: { method: string; path: string },
      path: string,
      body?: object,
    ) => {
      const answer = await fetch(at(`/proxy/api${path}`), {
        method: definition.method,
        headers: {
          cookie: account.owner.cookie,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: (await answer.json()) as { Items: { FirstName: string }[] } };
    };
    for (const [index, account] of accounts.entries()) {
      const { status } = await call(account, addContact, addContact.path, {
        FirstName: `Of ${index}`,
        PrimaryPhone: `423555${String(1000 + index)}`,
      });
      expect(status).toBe(200);
    }
    const reads = await Promise.all(
      Array.from({ length: 80 }, (_, index) => {
        const account = accounts[index % accounts.length] as BuiltAccount;
        return call(account, listContacts, listContacts.path.replace(':ListID', '0'));
      }),
    );
    expect(reads.map(({ status, body }) => [status, body.Items?.map(({ FirstName }) => FirstName)])).toEqual(
      reads.map((_, index) => [200, [`Of ${index % accounts.length}`]]),
    );
    const first = accounts[0] as BuiltAccount;
    const { body, status } = await call(first, createConversation, createConversation.path, {
      TextNumberID: first.numbers[number],
      LastMessage: { Contact: { PrimaryPhone: '4235551000' }, Message: 'Through the pool' },
    });
    expect([status, body]).toEqual([200, expect.anything()]);
    await app.until(async () => (await app.sandbox.messages('14235551000')).length === 1);
  });

  it('refuses a pool that hands out the owner’s connections, at the start and in every transaction', async ({
    skip,
  }) => {
    if (program === undefined) skip(why);
    const database = await open(false);
    await expect(refuseWrongRoles(database)).rejects.toThrow(
      "DATABASE_POOL_URL is wrong: its database muster_app gives connections of muster. Set connect_query='set role muster_app' for it.",
    );
    const read = asAccount(database, 1, (trx) => trx.selectFrom('accounts').selectAll().execute());
    await expect(read).rejects.toThrow('DATABASE_POOL_URL is wrong');
  });

  it('prepares no named statements, which a pool like this one would lose', async ({ skip }) => {
    if (program === undefined) skip(why);
    const database = await open();
    const read = () =>
      sql<{ many: number }>`/* prepared */ select count(*)::int as many from pg_prepared_statements`.execute(
        database.app,
      );
    for (let round = 0; round < 6; round += 1) expect((await read()).rows).toEqual([{ many: 0 }]);
  });
});
