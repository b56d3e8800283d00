import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MigrationError, migrate, migrationNames } from './migrate.ts';
import { findBreaking, lastRelease, whyNotBeside } from './migration-rules.ts';
import { asOwner, cloneDatabase, clusterUrl } from './testing/test-db.ts';
import { freePort } from './testing/test-sandbox.ts';
import { waitUntil } from './testing/wait-until.ts';

/** Migrations since the last release that look incompatible with it, and why they aren't. */
const declared: Record<string, string> = {};

function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  return asOwner(url, async (client) => (await client.query<Row>(text)).rows);
}

/** An empty database. */
async function emptyDatabase(): Promise<string> {
  const cluster = await clusterUrl();
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

/** The one error message of a start that fails. */
async function sentenceOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof MigrationError)) throw error ?? new Error('it went well');
  return error.message;
}

it('brings an empty database up to date, once, however many processes start together', async () => {
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

describe('two versions side by side', () => {
  it('a process works with a newer database that still serves it, and says so', async () => {
    const { url, drop } = await cloneDatabase();
    onTestFinished(drop);
    const own = (await migrationNames()).at(-1);
    await query(url, `insert into migrations (name, needs) values ('9998_later.sql', '${own}')`);
    await query(url, "insert into migrations (name) values ('9999_latest.sql')");
    const said: string[] = [];
    expect(await migrate(url, undefined, { say: (sentence) => said.push(sentence) })).toEqual({ applied: 0 });
    expect(said).toEqual([
      'The database is newer than this program (it has 9999_latest.sql) and still serves it: upgrade this process too.',
    ]);
  });

  it('refuses a database that needs a newer one, and leaves it unchanged', async () => {
    const { url, drop } = await cloneDatabase();
    onTestFinished(drop);
    await query(
      url,
      "insert into migrations (name, needs) values ('9998_later.sql', '9997_x.sql'), ('9999_latest.sql', null)",
    );
    expect(await sentenceOf(migrate(url))).toBe(
      'The database is newer than this program (it has 9999_latest.sql): start the version of Muster that it belongs to, or a later one.',
    );
  });

  it('a migration’s requirement for processes is stored with it', async () => {
    const { url, drop } = await cloneDatabase();
    onTestFinished(drop);
    const folder = await folderOf({
      '9999_less.sql': '-- Why.\n-- needs: 0109_link_host_port.sql\nselect 1;',
    });
    await query(url, 'delete from migrations');
    expect(await migrate(url, folder)).toEqual({ applied: 1 });
    expect(await query(url, 'select name, needs from migrations')).toEqual([
      { name: '9999_less.sql', needs: '0109_link_host_port.sql' },
    ]);
  });

  it('a process that doesn’t apply migrations waits until they are applied, and says for what', async () => {
    const url = await emptyDatabase();
    const folder = await folderOf({
      '0001_one.sql': 'create table first_one (id int);',
      '0002_two.sql': 'select 1;',
    });
    const said: string[] = [];
    const { promise: saidSomething, resolve: heard } = Promise.withResolvers<void>();
    const waiting = migrate(url, folder, {
      applies: false,
      say(sentence) {
        said.push(sentence);
        heard();
      },
    });
    await saidSomething;
    expect(await query(url, "select to_regclass('first_one') as there")).toEqual([{ there: null }]);
    expect(await migrate(url, folder)).toEqual({ applied: 2 });
    expect(await waiting).toEqual({ applied: 0 });
    expect(said[0]).toBe('The database lacks 0001_one.sql: waiting until it is applied.');
  });

  it('a migration waits in short turns for a table in use, while others continue', async () => {
    const url = await emptyDatabase();
    const folder = await folderOf({ '0001_one.sql': 'create table busy (id int);' });
    await migrate(url, folder);
    await writeFile(join(folder, '0002_two.sql'), 'alter table busy add column more int;');
    await asOwner(url, async (holder) => {
      await holder.query('begin; insert into busy values (1)');
      let isWaiting = false;
      const migrating = migrate(url, folder, {
        lockMs: 30,
        say(sentence) {
          expect(sentence).toBe('0002_two.sql waits for tables that other work holds, and tries again.');
          isWaiting = true;
        },
      });
      await waitUntil(async () => isWaiting);
      // It has released its place in the lock queue.
      await query(url, 'insert into busy values (2)');
      await holder.query('commit');
      expect(await migrating).toEqual({ applied: 1 });
    });
    expect(await query(url, 'select id, more from busy order by id')).toHaveLength(2);
  });

  it.each([
    ['alter table contacts drop column nickname;', 'drops a column'],
    ['alter table contacts drop nickname, add column x int;', 'drops a column'],
    ['drop table undo_sets;', 'drops'],
    ['drop function enqueue(text);', 'drops'],
    ['alter table contacts rename column a to b;', 'renames'],
    ['alter table contacts\n  alter column a type bigint;', 'changes a type'],
    ['alter table contacts alter a set not null;', 'forbids nothing where there may be nothing'],
    ['alter table contacts add column a int not null;', 'adds a column that has to be filled in'],
    ['revoke select on contacts from muster_app;', 'takes a right away'],
    ['revoke create on schema public from a; grant create on schema public to a, b;', 'takes a right away'],
  ])('%s breaks a process of the last release', (text, what) => {
    expect(findBreaking(text)).toEqual([what]);
    expect(whyNotBeside('9999_x.sql', text)).toBe(
      `9999_x.sql ${what}, which the last release may still use: see "Upgrades" in docs/operating.md.`,
    );
    expect(whyNotBeside('9999_x.sql', `-- needs: ${lastRelease}\n${text}`)).toBeUndefined();
    expect(whyNotBeside('9999_x.sql', `-- needs: 9998_y.sql\n${text}`)).toContain(
      'take things away one release later',
    );
  });

  it.each([
    'create table t (a int not null); drop index old_one; drop policy p on t;',
    "alter table t add column a int not null default 0, add column b text; -- drop table t;\nselect 'rename to';",
    'alter table t drop constraint c, add constraint c check (a in (1, 2)); alter table t alter column a drop not null;',
    'create or replace function f() returns void language sql as $$ drop table t; $$;',
    'create table t (a int); create function f() returns int return 1; revoke all on t from muster_app; revoke all on function f from public;',
    'grant create on schema public to muster_system; alter function f owner to muster_system; revoke create on schema public from muster_system;',
  ])('%s does not', (text) => expect(findBreaking(text)).toEqual([]));

  it('every migration since the last release can be applied while its processes run', async () => {
    const names = await migrationNames();
    expect(names).toContain(lastRelease);
    const problems: string[] = [];
    for (const name of names.filter((each) => each > lastRelease && !(each in declared))) {
      const why = whyNotBeside(name, await readFile(join(import.meta.dirname, 'migrations', name), 'utf8'));
      if (why !== undefined) problems.push(why);
    }
    expect(problems).toEqual([]);
  });
});

describe('a database that can’t be reached', () => {
  it('because nothing is listening', async () => {
    const sentence = await sentenceOf(
      migrate(`postgres://muster:hidden-1@127.0.0.1:${await freePort()}/muster`),
    );
    expect(sentence).toMatch(/^The database at DATABASE_URL can’t be reached: [^\n]+\.$/);
    expect(sentence).not.toContain('hidden-1');
  });

  it('because it isn’t one of the server', async () => {
    const url = new URL(await clusterUrl());
    url.pathname = '/no_such_database';
    expect(await sentenceOf(migrate(url.href))).toBe(
      'The database at DATABASE_URL can’t be reached: database "no_such_database" does not exist.',
    );
  });

  it('because the address is invalid', async () => {
    const sentence = await sentenceOf(migrate('postgres://muster:hidden-1@host:port:5432/muster'));
    expect(sentence).toMatch(/^The database at DATABASE_URL can’t be reached: [^\n]+\.$/);
    expect(sentence).not.toContain('hidden-1');
  });
});

it('waits for a database that is just starting', async () => {
  const { url, drop } = await cloneDatabase();
  onTestFinished(drop);
  const real = new URL(url);
  const target = new URL(url);
  target.port = String(await freePort());
  let asked = 0;
  // PostgreSQL's own message while it recovers, twice; then it is available.
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
