import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { primaryOf } from './database-hosts.ts';

/** One message for the operator; the program ends after it. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

const ourFolder = join(import.meta.dirname, 'migrations');

/** The job engine logs each of its own migrations; nobody needs to read that. */
const silent = new Logger(() => () => undefined);

/** Any number works, as long as every process uses the same one. */
export const migrationLock = 7_316_024;

async function listMigrations(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
}

let ours: Promise<string[]> | undefined;

/** The migrations in this version's database, when the process first asked. */
export function migrationNames(): Promise<string[]> {
  ours ??= listMigrations(ourFolder);
  return ours;
}

/**
 * A line in a migration that says which earlier one processes have to know: processes without that one still
 * use what it removes. Without the line, processes of the previous version keep running beside the new ones.
 */
const needsLine = /^-- needs: (\S+)$/m;

export function neededBy(text: string): string | undefined {
  return needsLine.exec(text)?.[1];
}

/** Time that a statement may wait for a table in one attempt, with everybody else waiting behind it. */
const defaultLockMs = 3_000;

export interface MigrateOptions {
  /** False: another process applies them, and this one waits until that is done. */
  applies?: boolean;
  /** Gets a message when something is unusual and it continues, or waits. */
  say?: (sentence: string) => void;
  /** Time that a migration may wait for a table in one attempt. */
  lockMs?: number;
}

/**
 * Migrates a database to the state of this program: the job engine's tables, then our own files in order,
 * each in a transaction, forward only. Processes that start together wait for each other. A newer database is
 * used as long as it serves this version too.
 */
export async function migrate(
  databaseUrl: string,
  folder = ourFolder,
  { applies = true, say = () => undefined, lockMs = defaultLockMs }: MigrateOptions = {},
): Promise<{ applied: number }> {
  const { client, connectionString } = await connect(databaseUrl);
  try {
    const files = await listMigrations(folder);
    if (!applies) return await waitUntilApplied(client, files, say);
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    const done = await readApplied(client);
    refuseIfTooNew(done, files, say);
    const missing = files.filter((name) => !done.has(name));
    if (missing.length > 0) await runMigrations({ connectionString, logger: silent });
    for (const name of missing) {
      const text = await readFile(join(folder, name), 'utf8');
      await apply(client, { name, text }, { say, lockMs });
    }
    // A database from before 0147 has no such table, so nothing is recorded there.
    if (missing.length > 0)
      await client
        .query('delete from unfinished_work where name = any($1)', [missing])
        .catch(() => undefined);
    return { applied: missing.length };
  } finally {
    await client.end();
  }
}

/** The applied migrations, with what each requires of processes beside it. */
async function readApplied(client: pg.Client): Promise<Map<string, string | null>> {
  // A database from before 0133 has no such column.
  const { rows } = await client.query<{ name: string; needs: string | null }>(
    "select name, to_jsonb(m) ->> 'needs' as needs from migrations m",
  );
  return new Map(rows.map(({ name, needs }) => [name, needs]));
}

function refuseIfTooNew(
  done: ReadonlyMap<string, string | null>,
  files: string[],
  say: (sentence: string) => void,
): void {
  const newer = [...done].filter(([name]) => !files.includes(name)).sort();
  const latest = newer.at(-1)?.[0];
  if (latest === undefined) return;
  const own = files.at(-1) ?? '';
  if (newer.some(([, needs]) => needs !== null && needs > own)) {
    throw new MigrationError(
      `The database is newer than this program (it has ${latest}): start the version of Muster that it belongs to, or a later one.`,
    );
  }
  say(
    `The database is newer than this program (it has ${latest}) and still serves it: upgrade this process too.`,
  );
}

async function apply(
  client: pg.Client,
  { name, text }: { name: string; text: string },
  { say, lockMs }: { say: (sentence: string) => void; lockMs: number },
): Promise<void> {
  try {
    await lockInShortTurns(client, { name, say, lockMs }, async () => {
      await client.query(text);
      await client.query('insert into migrations (name) values ($1)', [name]);
      const needs = neededBy(text);
      if (needs !== undefined)
        await client.query('update migrations set needs = $2 where name = $1', [name, needs]);
    });
  } catch (error) {
    // For the processes that continue meanwhile. PostgreSQL's message may contain values: it stays in the
    // log.
    const sentence = `${name} could not be applied: the log of the process that tried says why.`;
    await client
      .query(
        'insert into unfinished_work (name, sentence) values ($1, $2) on conflict (name) do update set begun_at = now()',
        [name, sentence],
      )
      .catch(() => undefined);
    throw new MigrationError(
      `${name} could not be applied: ${error instanceof Error ? error.message : error}`,
    );
  }
}

const mostTries = 40;
/** lock_not_available, deadlock_detected */
const mayBeFreeLater = ['55P03', '40P01'];

/**
 * A transaction that locks tables: all of it or nothing. While it waits for a table, everybody else waits behind it:
 * so it waits in short turns.
 */
export async function lockInShortTurns<T>(
  client: pg.Client,
  { name, say, lockMs = defaultLockMs }: { name: string; say: (sentence: string) => void; lockMs?: number },
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    await client.query('begin');
    try {
      await client.query(`set local lock_timeout = ${lockMs}`);
      const result = await work();
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback');
      const { code = '' } = error as { code?: string };
      if (!mayBeFreeLater.includes(code) || tries >= mostTries) throw error;
      if (tries === 1) say(`${name} waits for tables that other work holds, and tries again.`);
      await delay(lockMs / 3);
    }
  }
}

/** Interval at which a process that doesn't apply migrations checks whether they have been applied. */
const waitMs = 500;

async function waitUntilApplied(
  client: pg.Client,
  files: string[],
  say: (sentence: string) => void,
): Promise<{ applied: number }> {
  let said: string | undefined;
  for (;;) {
    const { rows } = await client.query("select to_regclass('migrations') is not null as exists");
    const done = rows[0]?.exists ? await readApplied(client) : new Map<string, string | null>();
    const missing = files.find((name) => !done.has(name));
    if (missing === undefined) {
      refuseIfTooNew(done, files, say);
      return { applied: 0 };
    }
    if (missing !== said) say(`The database lacks ${missing}: waiting until it is applied.`);
    said = missing;
    await delay(waitMs);
  }
}

/** A database that is starting, or recovering from a power cut, accepts connections within this time. */
const startingMs = 120_000;
const cannotConnectNow = '57P03';

/** With several hosts, none at the moment: a standby may be about to be promoted. */
class NoPrimary extends Error {}

async function connect(databaseUrl: string): Promise<{ client: pg.Client; connectionString: string }> {
  const deadline = Date.now() + startingMs;
  for (;;) {
    try {
      const primary = await primaryOf(databaseUrl);
      if (primary === undefined) throw new NoPrimary('none of its hosts takes changes');
      return { client: await tryToConnect(primary), connectionString: primary };
    } catch (error) {
      const isStarting = error instanceof NoPrimary || (error as { code?: string }).code === cannotConnectNow;
      if (!isStarting || Date.now() > deadline) {
        throw new MigrationError(
          `The database at DATABASE_URL can’t be reached: ${error instanceof Error ? error.message || error.name : error}.`,
        );
      }
      await delay(500);
    }
  }
}

async function tryToConnect(databaseUrl: string): Promise<pg.Client> {
  // Also throws here for an invalid address, with the whole address in the error.
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  // The connection may break between two queries; the next one reports it.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

if (import.meta.main) {
  const { readConfig } = await import('./config.ts');
  try {
    const { applied } = await migrate(readConfig(process.env).DATABASE_URL, undefined, { say: console.log });
    console.log(applied === 0 ? 'The database is up to date.' : `${applied} migrations applied.`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
