/** A real standby with streaming replication, and its behavior when the primary is lost. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Fastify from 'fastify';
import { sql } from 'kysely';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Postgres, startPostgres } from '../scripts/postgres.ts';
import { findTemporaryFolder } from '../scripts/postgres-place.ts';
import { type Standby, startStandby } from '../scripts/standby.ts';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { primaryOf, splitHosts } from './database-hosts.ts';
import { asAccount, asSystem, type Database, isDatabaseDown, mayLag, openDatabase } from './db.ts';
import { laggingCalls } from './lagging-calls.ts';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { migrate } from './migrate.ts';
import { healthRoutes } from './operations.ts';
import { openFiles } from './outside/file-store.ts';
import { buildAccount } from './testing/builders.ts';
import type { TestApp } from './testing/test-app.ts';
import { asOwner, clusterUrl } from './testing/test-db.ts';
import { waitUntil } from './testing/wait-until.ts';

let primary: Postgres;
let standby: Standby;
let folder: string;
const said: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(findTemporaryFolder(), 'muster-replica-'));
  chmodSync(folder, 0o755);
  const from = join(folder, 'primary');
  primary = await startPostgres({ dataDir: from, durable: true });
  await migrate(primary.url);
  await asOwner(primary.url, (client) =>
    client.query(`
      create table notes (account_id bigint not null, words text not null);
      alter table notes enable row level security;
      create policy tenant on notes to muster_app using (account_id = current_account_id());
      create policy everyone on notes to muster_system using (true);
      grant select, insert on notes to muster_app, muster_system;
      insert into notes values (1, 'first'), (2, 'of another account')`),
  );
  const to = join(folder, 'standby');
  standby = await startStandby({ url: primary.url, from, to, durable: true });
  return async () => {
    await Promise.all([primary.stop(), standby.stop()]);
    rmSync(folder, { recursive: true, force: true });
  };
}, 60_000);

function open(url: string, replicaUrl: string | undefined, mostSeconds = 5): Database {
  const replica = replicaUrl === undefined ? undefined : { url: replicaUrl, mostSeconds };
  const database = openDatabase(url, { connections: 4, replica, say: (sentence) => said.push(sentence) });
  onTestFinished(() => database.close());
  return database;
}

interface Read {
  isStandby: boolean;
  words: string[];
}

const read = (database: Database) =>
  asAccount(database, 1, async (trx) => {
    const { rows } = await sql<Read>`
      select pg_is_in_recovery() as "isStandby",
        array(select words from notes order by words) as words`.execute(trx);
    return rows[0] as Read;
  });

const write = (database: Database, words: string) =>
  asSystem(database, (trx) => sql`insert into notes values (1, ${words})`.execute(trx));

async function readyz(database: Database): Promise<unknown> {
  const config = readConfig({ DATABASE_URL: primary.url, DATA_DIR: folder, LOG_LEVEL: 'silent' });
  const http = Fastify();
  onTestFinished(() => http.close());
  const log = createLog(config);
  const files = openFiles(config);
  healthRoutes(http, { config, database, carriers: new Map(), files, log, isReady: () => true });
  return (await http.inject('/readyz')).json();
}

const onStandby = (text: string) => asOwner(standby.url, (client) => client.query(text));

it('names the hosts of an address one by one', () => {
  expect(splitHosts('postgres://muster:a@b,c@one:5432,two/muster?sslmode=require')).toEqual([
    'postgres://muster:a@b,c@one:5432/muster?sslmode=require',
    'postgres://muster:a@b,c@two/muster?sslmode=require',
  ]);
  expect(splitHosts('postgres://one,two:6432/muster')).toEqual([
    'postgres://one/muster',
    'postgres://two:6432/muster',
  ]);
  expect(splitHosts('postgres://muster:a,b@one:5432/muster')).toEqual([
    'postgres://muster:a,b@one:5432/muster',
  ]);
});

it('calls that may lag read at the replica, from one account and read-only; all others do not', async () => {
  const database = open(primary.url, standby.url);
  await waitUntil(async () => database.replica?.isClose());
  expect(await read(mayLag(database))).toEqual({ isStandby: true, words: ['first'] });
  expect(await read(database)).toEqual({ isStandby: false, words: ['first'] });
  const change = asAccount(mayLag(database), 1, (trx) =>
    sql`insert into notes values (1, 'no')`.execute(trx),
  );
  await expect(change).rejects.toThrow('read-only transaction');
  expect(await readyz(database)).toEqual({ status: 'ready' });
});

it('calls that may lag are answered by the replica, and others by the primary', async () => {
  for (const call of laggingCalls) expect([call.method, call.event]).toEqual(['GET', undefined]);
  const database = open(primary.url, standby.url, 3600);
  const config = readConfig({ DATABASE_URL: primary.url, DATA_DIR: folder, LOG_LEVEL: 'silent' });
  const { http, realtime } = await createApp({
    ...{ config, database, carriers: new Map(), files: openFiles(config), log: createLog(config) },
    ...{ metrics: createMetrics({ withDefaults: false }), isReady: () => true, applyHere: () => false },
  });
  onTestFinished(async () => {
    await onStandby('select pg_wal_replay_resume()');
    await realtime.close();
    await http.close();
  });
  const { owner } = await buildAccount({ database } as TestApp);
  const headers = { cookie: owner.cookie };
  const add = (FirstName: string, PrimaryPhone: string) =>
    http.inject({
      method: 'POST',
      url: '/proxy/api/contacts',
      headers,
      payload: { FirstName, PrimaryPhone },
    });
  const many = async (path: string) =>
    (await http.inject({ url: `/proxy/api${path}`, headers })).json().Items.length;
  const counts = async () => [await many('/account/auditlog'), await many('/lists/0/contacts')];
  await add('Ada', '4235550140');
  await waitUntil(async () => (await counts()).join() === '1,1');
  await onStandby('select pg_wal_replay_pause()');
  await add('Bo', '4235550141');
  expect(await counts()).toEqual([1, 2]);
  await onStandby('select pg_wal_replay_resume()');
  await waitUntil(async () => (await counts()).join() === '2,2');
});

it('a replica that lags too far behind is not used, reported once in the log and on /readyz', async () => {
  const database = open(primary.url, standby.url, 0.2);
  await waitUntil(async () => database.replica?.isClose());
  await onStandby('select pg_wal_replay_pause()');
  said.length = 0;
  await write(database, 'second');
  await waitUntil(async () => {
    await database.replica?.look();
    return database.replica?.problem();
  });
  const sentence =
    /^The replica is too far behind: \d+ seconds, and 0.2 are allowed. Reports are read from the primary.$/;
  expect(await readyz(database)).toEqual({ status: 'ready', replica: expect.stringMatching(sentence) });
  expect(await read(mayLag(database))).toEqual({ isStandby: false, words: ['first', 'second'] });
  await database.replica?.look();
  expect(said).toEqual([expect.stringMatching(sentence)]);

  await onStandby('select pg_wal_replay_resume()');
  await waitUntil(async () => {
    await database.replica?.look();
    return database.replica?.isClose();
  });
  expect(await read(mayLag(database))).toEqual({ isStandby: true, words: ['first', 'second'] });
  expect(said.at(-1)).toBe('The replica is read from again.');
});

it.each([
  ['that is gone', () => primary.url.replace(/:\d+\//, ':1/'), 'can’t be reached'],
  ['of another database', clusterUrl, 'is a copy of another database'],
  ['that follows nobody', () => primary.url, 'takes changes of its own and follows nobody'],
])('a replica %s is not used', async (_what, url, why) => {
  const database = open(primary.url, await url());
  await waitUntil(async () => database.replica?.problem());
  expect(database.replica?.problem()).toBe(`The replica ${why}: reports are read from the primary.`);
  expect((await read(mayLag(database))).isStandby).toBe(false);
});

it('a replica that ends during a read is not used any more: the primary answers', async () => {
  const database = open(primary.url, standby.url);
  await waitUntil(async () => database.replica?.isClose());
  let tries = 0;
  const found = await asAccount(mayLag(database), 1, async (trx) => {
    tries += 1;
    if (tries === 1)
      await onStandby(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'muster_reader'",
      );
    return (await sql<Read>`select pg_is_in_recovery() as "isStandby"`.execute(trx)).rows[0];
  });
  expect([tries, found]).toEqual([2, { isStandby: false }]);
});

it('when the primary is lost, the promoted standby is found, with all confirmed data', async () => {
  await asOwner(primary.url, async (client) => {
    await client.query("alter system set synchronous_standby_names = 'standby'");
    await client.query('select pg_reload_conf()');
  });
  const { host } = new URL(standby.url);
  const both = primary.url.replace(/(@[^/]+)/, `$1,${host}`);
  expect(await primaryOf(both)).toBe(primary.url);
  const database = open(both, undefined);
  const confirmed: string[] = [];
  const others: unknown[] = [];
  let isOver = false;
  const writer = (async () => {
    for (let index = 0; !isOver; index += 1) {
      const words = `note ${String(index).padStart(6, '0')}`;
      await write(database, words).then(
        () => confirmed.push(words),
        (error) => isDatabaseDown(error) || others.push(error),
      );
    }
  })();
  await waitUntil(async () => confirmed.length > 20);
  said.length = 0;
  primary.stopNow();
  await primary.stop();
  const before = confirmed.length;
  await standby.promote();
  // bench/failover.ts measures how long that takes, on an idle machine.
  await waitUntil(async () => confirmed.length > before + 20);
  isOver = true;
  await writer;
  expect(database.url).toBe(standby.url);
  expect(said).toEqual([`The database is at ${host} now.`]);
  expect(others).toEqual([]);
  const { words } = await read(database);
  const kept = words.filter((word) => word.startsWith('note '));
  expect(new Set(kept).size).toBe(kept.length);
  expect(confirmed.filter((word) => !kept.includes(word))).toEqual([]);

  // The lost one comes back and accepts changes too: it is not the one that was promoted last.
  primary = await startPostgres({ dataDir: join(folder, 'primary'), durable: true });
  expect(await primaryOf(both)).toBe(standby.url);
});
