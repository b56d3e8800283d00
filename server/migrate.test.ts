import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { MigrationError, migrate } from './migrate.ts';
import { asOwner, cloneDatabase } from './testing/test-db.ts';
import { freePort } from './testing/test-sandbox.ts';

function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  return asOwner(url, async (client) => (await client.query<Row>(text)).rows);
}

/** A database with nothing in it. */
async function emptyDatabase(): Promise<string> {
  const cluster = inject('postgresUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await query(cluster, `create database ${name}`);
  onTestFinished(async () => {
    await query(cluster, `drop database ${name} with (force)`);
  });
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  return url.href;
}

async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

/** The one sentence that a start which can't go on says. */
async function sentenceOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof MigrationError)) throw error ?? new Error('it went well');
  return error.message;
}

it('brings an empty database up to date, once, however many start together', async () => {
  const url = await emptyDatabase();
  const files = (await readdir(join(import.meta.dirname, 'migrations'))).filter((name) =>
    name.endsWith('.sql'),
  );
  const results = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  expect(results.map(({ applied }) => applied).sort()).toEqual([0, 0, files.length]);
  const rows = await query<{ name: string }>(url, 'select name from migrations order by name');
  expect(rows.map(({ name }) => name)).toEqual(files.sort());
  expect(await migrate(url)).toEqual({ applied: 0 });
});

it('refuses a database that is newer than the program, and leaves it alone', async () => {
  const { url, drop } = await cloneDatabase();
  onTestFinished(drop);
  await query(url, "insert into migrations (name) values ('9998_later.sql'), ('9999_latest.sql')");
  expect(await sentenceOf(migrate(url))).toBe(
    'The database is newer than this program (it has 9999_latest.sql): start the version of Muster that it belongs to, or a later one.',
  );
});

describe('a database that can’t be reached', () => {
  it('because nothing is there', async () => {
    const sentence = await sentenceOf(
      migrate(`postgres://muster:hidden-1@127.0.0.1:${await freePort()}/muster`),
    );
    expect(sentence).toMatch(/^The database at DATABASE_URL can't be reached: [^\n]+\.$/);
    expect(sentence).not.toContain('hidden-1');
  });

  it('because it isn’t one of the server', async () => {
    const url = new URL(inject('postgresUrl'));
    url.pathname = '/no_such_database';
    expect(await sentenceOf(migrate(url.href))).toBe(
      'The database at DATABASE_URL can\'t be reached: database "no_such_database" does not exist.',
    );
  });

  it('because the address makes no sense', async () => {
    const sentence = await sentenceOf(migrate('postgres://muster:hidden-1@host:port:5432/muster'));
    expect(sentence).toMatch(/^The database at DATABASE_URL can't be reached: [^\n]+\.$/);
    expect(sentence).not.toContain('hidden-1');
  });
});

it('a database that is just starting is waited for', async () => {
  const { url, drop } = await cloneDatabase();
  onTestFinished(drop);
  const real = new URL(url);
  const target = new URL(url);
  target.port = String(await freePort());
  let asked = 0;
  // What PostgreSQL itself says while it recovers, twice; then it is there.
  const sentence = Buffer.from('SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0');
  const length = Buffer.alloc(4);
  length.writeInt32BE(sentence.length + 4);
  const door = createServer((socket) => {
    socket.on('error', () => undefined);
    asked += 1;
    if (asked <= 2) {
      socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, sentence])));
      return;
    }
    const inside = connect(Number(real.port), real.hostname);
    inside.on('error', () => socket.destroy());
    socket.pipe(inside).pipe(socket);
  });
  await once(door.listen(Number(target.port), '127.0.0.1'), 'listening');
  onTestFinished(() => {
    door.close();
  });
  expect(await migrate(target.href)).toEqual({ applied: 0 });
  expect(asked).toBe(3);
});

it('a migration that fails leaves nothing, keeps those before it, and can be tried again', async () => {
  const url = await emptyDatabase();
  const good = 'create table first_one (id int);';
  const bad = 'create table second_one (id int); select 1 / 0;';
  const folder = await folderOf({
    '0001_good.sql': good,
    '0002_bad.sql': bad,
    '0003_after.sql': 'select 1;',
  });
  expect(await sentenceOf(migrate(url, folder))).toBe('0002_bad.sql could not be applied: division by zero');
  const tables = () =>
    query<{ name: string }>(
      url,
      "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
    );
  expect(await tables()).toEqual([{ name: 'first_one' }, { name: 'migrations' }]);
  expect(await query(url, 'select name from migrations')).toEqual([{ name: '0001_good.sql' }]);

  await writeFile(join(folder, '0002_bad.sql'), 'create table second_one (id int);');
  expect(await migrate(url, folder)).toEqual({ applied: 2 });
  expect(await tables()).toHaveLength(3);
});
