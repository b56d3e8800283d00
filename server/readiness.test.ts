import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { readConfig } from './config.ts';
import { isDatabaseDown, openDatabase } from './db.ts';
import { createLog } from './log.ts';
import { migrate } from './migrate.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import { asOwner, cloneDatabase } from './testing/test-db.ts';
import { waitUntil } from './testing/wait-until.ts';

let url: string;
let dataDir: string;

beforeAll(async () => {
  const cloned = await cloneDatabase();
  url = cloned.url;
  dataDir = await mkdtemp(join(tmpdir(), 'muster-ready-'));
  return async () => {
    await cloned.drop();
    await rm(dataDir, { recursive: true });
  };
});

/** A process that checks itself, with its log. */
function readiness(options: { url?: string; dataDir?: string; isReady?: boolean } = {}) {
  const logged: string[] = [];
  const config = readConfig({ DATABASE_URL: url, LOG_LEVEL: 'info' });
  const database = openDatabase(options.url ?? url, { connections: 4 });
  onTestFinished(() => database.close());
  const ask = createReadiness({
    database,
    dataDir: options.dataDir ?? dataDir,
    log: createLog(config, { write: (line) => logged.push(line) }),
    isReady: () => options.isReady ?? true,
    lacking: new Map([[2, 'Twilio']]),
  });
  return { ask, logged };
}

/**
 * Repeats the check while the database is slow, as on a busy machine. For tests that expect another answer.
 */
function unhurried(ask: () => Promise<Readiness>): Promise<Readiness> {
  return waitUntil(async () => {
    const answer = await ask();
    return answer.status !== 'slow database' && answer;
  });
}

it('is ready when rows can be read and changed and files written, and reports nothing', async () => {
  const { ask, logged } = readiness();
  expect(await ask()).toEqual({ status: 'ready' });
  expect(logged).toEqual([]);
});

it('names a carrier without settings that texts wait for', async () => {
  const { ask } = readiness();
  const wait = (aggregatorId: number) =>
    asOwner(url, (client) =>
      client.query(
        `insert into outbox (account_id, message_id, text_number_id, aggregator_id, phone, send_at)
         values (1, ${aggregatorId}, 1, ${aggregatorId}, '14235550100', now() - interval '2 minutes')`,
      ),
    );
  await wait(5);
  expect(await unhurried(ask)).toEqual({ status: 'ready' });
  await wait(2);
  expect(await unhurried(ask)).toEqual({
    status: 'ready',
    carriers: ['Texts wait for Twilio, which has no settings here.'],
  });
  await asOwner(url, (client) => client.query('delete from outbox'));
});

it('is not ready while reads wait for a lock, and is again afterwards: one log line each', async () => {
  const { ask, logged } = readiness();
  await asOwner(url, async (client) => {
    await client.query('begin; lock table conversations in access exclusive mode');
    expect(await ask()).toEqual({
      status: 'slow database',
      message: 'The database does not answer within 2 seconds.',
    });
    expect((await ask()).status).toBe('slow database');
    await client.query('rollback');
  });
  expect(await unhurried(ask)).toEqual({ status: 'ready' });
  expect(logged.map((line) => JSON.parse(line).msg)).toEqual(['not ready', 'ready again']);
});

it('is not when a machine accepts connections and never responds, and holds only one of them', async () => {
  const { hostname, port } = new URL(url);
  let isHanging = false;
  let opened = 0;
  const sockets: Socket[] = [];
  const between = createServer((socket) => {
    opened += 1;
    sockets.push(socket);
    const onward = connect(Number(port), hostname);
    for (const each of [socket, onward]) each.on('error', () => undefined);
    onward.pipe(socket);
    socket.on('data', (chunk) => isHanging || onward.write(chunk));
    socket.on('close', () => onward.destroy());
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    between.close();
  });
  const through = new URL(url);
  through.port = String((between.address() as AddressInfo).port);
  const { ask } = readiness({ url: through.href });
  expect(await unhurried(ask)).toEqual({ status: 'ready' });
  const before = opened;
  isHanging = true;
  const answers = await Promise.all([ask(), ask(), ask()]);
  expect(answers.map(({ status }) => status)).toEqual(Array(3).fill('slow database'));
  expect(opened).toBe(before);
  for (const socket of sockets) socket.destroy();
});

it('is not on a read-only database, or one that lacks a migration, or is gone', async () => {
  const { ask } = readiness();
  const change = (text: string) => asOwner(url, (client) => client.query(text));
  const name = new URL(url).pathname.slice(1);
  await change(`alter database ${name} set default_transaction_read_only = on`);
  expect((await readiness().ask()).status).toBe('read-only database');
  await change(`begin read write; alter database ${name} reset default_transaction_read_only; commit`);
  await change("update migrations set name = '0102_x' where name = '0102_readiness.sql'");
  expect(await ask()).toEqual({
    status: 'old database',
    message: 'The database lacks 0102_readiness.sql: start this process again, which applies it.',
  });
  await change("update migrations set name = '0102_readiness.sql' where name = '0102_x'");
  expect((await unhurried(ask)).status).toBe('ready');
  await change("insert into migrations (name, needs) values ('9999_less.sql', '9998_more.sql')");
  expect(await ask()).toEqual({
    status: 'new database',
    message: 'The database no longer serves this version (it has 9999_less.sql): upgrade this process.',
  });
  await change("update migrations set needs = '0102_readiness.sql' where name = '9999_less.sql'");
  expect((await unhurried(ask)).status).toBe('ready');
  const nowhere = new URL(url);
  nowhere.port = '1';
  expect(await readiness({ url: nowhere.href }).ask()).toEqual({
    status: 'no database',
    message: 'The database can’t be reached.',
  });
});

it('is not without a folder to write to, or while the worker starts', async () => {
  expect((await readiness({ dataDir: join(dataDir, 'none') }).ask()).message).toBe(
    'The data folder can’t be written to (ENOENT).',
  );
  expect((await readiness({ isReady: false }).ask()).status).toBe('starting');
});

it('is not on a full disk', async ({ skip }) => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-full-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
  onTestFinished(async () => {
    if (status === 0) spawnSync('umount', [folder]);
    await rm(folder, { recursive: true });
  });
  if (status !== 0) skip('a small disk can only be made by root, in a container that allows it');
  expect(await readiness({ dataDir: folder }).ask()).toEqual({
    status: 'full disk',
    message: 'The disk that holds DATA_DIR is full.',
  });
});

it('reports a migration that failed halfway, and continues, until it is applied', async () => {
  const { ask } = readiness();
  const folder = await mkdtemp(join(tmpdir(), 'muster-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, '9999_bad.sql');
  await writeFile(file, 'create table half (id int); select 1 / 0;');
  await expect(migrate(url, folder)).rejects.toThrow('9999_bad.sql could not be applied: division by zero');
  expect(await ask()).toEqual({
    status: 'ready',
    unfinished: ['9999_bad.sql could not be applied: the log of the process that tried says why.'],
  });
  await writeFile(file, 'select 1;');
  expect(await migrate(url, folder)).toEqual({ applied: 1 });
  expect(await ask()).toEqual({ status: 'ready' });
});

it('reports that its clock and the database’s differ, and continues', async () => {
  const { ask, logged } = readiness();
  // An hour is added to the database’s time.
  await asOwner(url, (client) =>
    client.query(`
      create schema shifted;
      create function shifted.clock_timestamp() returns timestamptz language sql
        as $$ select pg_catalog.clock_timestamp() + interval '1 hour' $$;
      grant usage on schema shifted to muster_app;
      alter database ${new URL(url).pathname.slice(1)} set search_path = shifted, pg_catalog, public`),
  );
  const sentence = 'This machine’s clock is 3600 seconds behind the database’s: set both by the network.';
  expect(await unhurried(ask)).toEqual({ status: 'ready', clock: sentence });
  await ask();
  const name = new URL(url).pathname.slice(1);
  await asOwner(url, (client) =>
    client.query(`drop schema shifted cascade; alter database ${name} reset search_path`),
  );
  expect(await unhurried(ask)).toEqual({ status: 'ready' });
  expect(logged.map((line) => JSON.parse(line).msg)).toEqual([sentence, 'The clocks agree again.']);
});

it('reports that the database has no space, and continues', async ({ skip }) => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-full-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
  const { ask, logged } = readiness();
  const change = (text: string) => asOwner(url, (client) => client.query(text));
  onTestFinished(async () => {
    if (status === 0) {
      await change('drop table if exists wide');
      await change('drop tablespace if exists small');
      spawnSync('umount', [folder]);
    }
    await rm(folder, { recursive: true });
  });
  if (status !== 0) skip('a small disk can only be made by root, in a container that allows it');
  const { uid } = await stat(await dataDirectory());
  await chown(folder, uid, uid);
  await change(`create tablespace small location '${folder}'`);
  await change('create table wide (words text) tablespace small');
  const error = await change(
    'insert into wide select repeat(md5(i::text), 30) from generate_series(1, 5000) i',
  ).catch((thrown: unknown) => thrown);
  expect(isDatabaseDown(error)).toBe(true);
  const sentence = 'The database’s disk is full: nothing can be saved or sent until there is room.';
  expect(await unhurried(ask)).toEqual({ status: 'ready', database: sentence });
  expect(logged.map((line) => JSON.parse(line).msg)).toEqual([sentence]);
});

async function dataDirectory(): Promise<string> {
  return asOwner(url, async (client) => (await client.query('show data_directory')).rows[0].data_directory);
}
