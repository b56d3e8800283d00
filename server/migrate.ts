import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';

/** One sentence for the operator; the program ends after it. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

const ourFolder = join(import.meta.dirname, 'migrations');

/** The job engine tells of each of its own migrations; nobody needs to read that. */
const silent = new Logger(() => () => undefined);

/** Any number will do, as long as every process takes the same one. */
const migrationLock = 7_316_024;

async function listMigrations(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
}

let ours: Promise<string[]> | undefined;

/** What this version's database has; as it was when the process first asked. */
export function migrationNames(): Promise<string[]> {
  ours ??= listMigrations(ourFolder);
  return ours;
}

/**
 * Brings a database to the state of this program: the job engine's tables, then our own files in
 * order, each in a transaction, forward only. Processes that start together wait for each other.
 */
export async function migrate(databaseUrl: string, folder = ourFolder): Promise<{ applied: number }> {
  const client = await connect(databaseUrl);
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    const done = new Set(
      (await client.query<{ name: string }>('select name from migrations')).rows.map((row) => row.name),
    );
    const files = await listMigrations(folder);
    const newer = [...done].filter((name) => !files.includes(name));
    if (newer.length > 0) {
      throw new MigrationError(
        `The database is newer than this program (it has ${newer.sort().at(-1)}): start the version of Muster that it belongs to, or a later one.`,
      );
    }
    const missing = files.filter((name) => !done.has(name));
    if (missing.length > 0) await runMigrations({ connectionString: databaseUrl, logger: silent });
    for (const name of missing) {
      const text = await readFile(join(folder, name), 'utf8');
      await client.query('begin');
      try {
        await client.query(text);
        await client.query('insert into migrations (name) values ($1)', [name]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw new MigrationError(
          `${name} could not be applied: ${error instanceof Error ? error.message : error}`,
        );
      }
    }
    return { applied: missing.length };
  } finally {
    await client.end();
  }
}

/** A database that is starting, or recovering from a power cut, takes connections within this time. */
const startingMs = 120_000;
const cannotConnectNow = '57P03';

async function connect(databaseUrl: string): Promise<pg.Client> {
  const deadline = Date.now() + startingMs;
  for (;;) {
    try {
      return await tryToConnect(databaseUrl);
    } catch (error) {
      const isStarting = (error as { code?: string }).code === cannotConnectNow;
      if (!isStarting || Date.now() > deadline) {
        throw new MigrationError(
          `The database at DATABASE_URL can't be reached: ${error instanceof Error ? error.message || error.name : error}.`,
        );
      }
      await delay(500);
    }
  }
}

async function tryToConnect(databaseUrl: string): Promise<pg.Client> {
  // Also throws here for an address that can't be read, with the whole of it in the error.
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  // The connection may break between two queries; the next one says so.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

if (import.meta.main) {
  const { readConfig } = await import('./config.ts');
  try {
    const { applied } = await migrate(readConfig(process.env).DATABASE_URL);
    console.log(applied === 0 ? 'The database is up to date.' : `${applied} migrations applied.`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
