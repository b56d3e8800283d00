import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { followPrimary, splitHosts } from './database-hosts.ts';
import { prepareMarked } from './prepared.ts';
import { openReplica, type Replica } from './replica.ts';
import type { DB } from './schema.types.ts';
import { traceQueries } from './trace.ts';

/** A transaction. There is no global handle: every function that reads or writes gets one as a parameter. */
export type Trx = Transaction<DB>;

/**
 * Access to the database. `app` serves one account at a time under row level security; `system` works across
 * accounts (signing in, sending, receipts). Both are roles without the right to bypass the policies, set at
 * the start of every connection: by us, or by the connection pool.
 */
export interface Database {
  app: Kysely<DB>;
  system: Kysely<DB>;
  /**
   * Like `system`, on separate connections (ofCalls): hundreds of calls at once don't make a text wait for a
   * connection.
   */
  calls: Kysely<DB>;
  /**
   * The database itself, with connections of our own: for listening, the job engine and imports. If several
   * hosts are named, it is the one that accepts changes at the moment: ask again before each connection.
   */
  readonly url: string;
  /** A copy that may lag some seconds behind, for what `mayLag`. */
  replica?: Replica;
  /** True if transactions of accounts are read-only, and may run at the replica. */
  readsBehind?: true;
  close(): Promise<void>;
}

/** pg has no names for array types. Ids are never null in an array. */
const int8Array = 1016;

const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    // int8: ids and counts stay far below 2^53; date: kept as text, a Date would shift it by the zone.
    if (oid === pg.types.builtins.INT8) return (text: string) => Number(text) as never;
    if ((oid as number) === int8Array)
      return (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)) as never;
    if (oid === pg.types.builtins.DATE) return (text: string) => text as never;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

/** A pool of connections between us and the database, such as PgBouncer. A transaction gets any of them. */
export interface SharedPool {
  /** Its database name is replaced by that of the role: the pool has one with each name. */
  url: string;
  /** True if it supports prepared statements across connections (PgBouncer from 1.21). */
  prepares: boolean;
}

interface PoolOptions {
  connectionString: string;
  name: string;
  max: number;
  /** Set when a connection opens. */
  role?: string;
  prepares: boolean;
  onError: (error: Error) => void;
}

function openPool({ connectionString, name, max, role, prepares, onError }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    types,
    application_name: name,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    ...(role === undefined ? {} : { options: `-c role=${role}` }),
  });
  // An idle connection that the server drops must not end the process; the next query opens another.
  pool.on('error', onError);
  const clients: Set<pg.PoolClient & { end(): Promise<void> }> = new Set();
  clientsOf.set(pool, clients);
  pool.on('remove', (client) => clients.delete(client as never));
  pool.on('connect', (client) => {
    clients.add(client as never);
    client.on('error', onError);
    if (prepares) prepareMarked(client);
    traceQueries(client);
  });
  return pool;
}

export interface DatabaseOptions {
  connections: number;
  pool?: SharedPool | undefined;
  replica?: { url: string; mostSeconds: number } | undefined;
  onError?: (error: Error) => void;
  /**
   * Gets a message when another host accepts the changes, or the replica can no longer be used, or can again.
   */
  say?: (sentence: string) => void;
}

/** `url` names one host, or several; `first` is the one to begin with. */
export function openDatabase(url: string, options: DatabaseOptions, first?: string): Database {
  const { pool: shared, onError = () => undefined, say = () => undefined } = options;
  const max = Math.max(2, Math.floor(options.connections / 2));
  const urls = splitHosts(url);
  const start = first ?? urls[0] ?? url;
  const moves: ((to: string) => void)[] = [];
  const open = (role: AppRole) => {
    const openAt = (connectionString: string) =>
      openPool({ connectionString, name: role, max, role, prepares: true, onError });
    if (shared !== undefined) {
      const connectionString = withDatabase(shared.url, role);
      const pool = openPool({ connectionString, name: role, max, prepares: shared.prepares, onError });
      return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
    }
    if (urls.length === 1) return new Kysely<DB>({ dialect: new PostgresDialect({ pool: openAt(url) }) });
    const moving = movingPool(openAt, start);
    moves.push(moving.moveTo);
    return new Kysely<DB>({ dialect: new PostgresDialect({ pool: moving }) });
  };
  const app = open('muster_app');
  const system = open('muster_system');
  const calls = open('muster_system');
  const hosts =
    urls.length === 1
      ? { current: url, close: () => undefined }
      : followPrimary(urls, start, (to, host) => {
          say(`The database is at ${host} now.`);
          for (const move of moves) move(to);
        });
  const replica =
    options.replica === undefined
      ? undefined
      : openReplica({
          ...{ ...options.replica, primary: system, say },
          open: (connectionString) => {
            const name = 'muster_reader';
            const role = 'muster_app';
            return openPool({ connectionString, name, max, role, prepares: true, onError });
          },
        });
  return {
    app,
    system,
    calls,
    ...(replica === undefined ? {} : { replica }),
    get url() {
      return hosts.current;
    },
    async close() {
      hosts.close();
      await Promise.all([app.destroy(), system.destroy(), calls.destroy(), replica?.close()]);
    },
  };
}

/** A pool of connections to one host that can be replaced by a pool of connections to another. */
function movingPool(openAt: (url: string) => pg.Pool, start: string) {
  let pool = openAt(start);
  return {
    get options() {
      return pool.options;
    },
    connect: () => pool.connect(),
    end: () => pool.end(),
    moveTo(url: string): void {
      const old = pool;
      pool = openAt(url);
      // Queries still waiting for the lost host have waited long enough.
      for (const client of clientsOf.get(old) ?? []) client.end().catch(() => undefined);
      old.end().catch(() => undefined);
    },
  };
}

/** The open connections of a pool, which itself can only wait until they are returned. */
const clientsOf = new WeakMap<pg.Pool, Set<pg.PoolClient & { end(): Promise<void> }>>();

type AppRole = 'muster_app' | 'muster_system';

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** One message for the operator; the program ends after it. */
export class WrongRole extends Error {
  override name = 'WrongRole';

  constructor(role: AppRole, found: string | undefined) {
    super(
      `DATABASE_POOL_URL is wrong: its database ${role} gives connections of ${found}. Set connect_query='set role ${role}' for it.`,
    );
  }
}

/**
 * A pool that hands out the owner's connections would show every account to everybody: then nothing starts.
 */
export async function refuseWrongRoles({ app, system }: Database): Promise<void> {
  for (const [handle, role] of [
    [app, 'muster_app'],
    [system, 'muster_system'],
  ] as const) {
    const { rows } = await sql<{ role: string }>`select current_user as role`.execute(handle);
    if (rows[0]?.role !== role) throw new WrongRole(role, rows[0]?.role);
  }
}

/** A pool that signs in as the owner: for migrations and the job engine, whose tables are not ours. */
export function openOwnerPool(
  url: string,
  max: number,
  onError: (error: Error) => void = () => undefined,
): pg.Pool {
  return openPool({ connectionString: url, name: 'muster_owner', max, prepares: true, onError });
}

/** Runs `work` in a transaction that sees only this account's rows. */
export function asAccount<T>(
  database: Database,
  accountId: number,
  work: (trx: Trx) => Promise<T>,
): Promise<T> {
  if (database.readsBehind) return readAsAccount(database, accountId, work);
  return database.app.transaction().execute(async (trx) => {
    await takeAccount(trx, accountId);
    return work(trx);
  });
}

async function takeAccount(trx: Trx, accountId: number): Promise<void> {
  const { rows } = await sql<{ role: string }>`
    select set_config('app.account_id', ${String(accountId)}, true), current_user as role`.execute(trx);
  // Checked in the same statement: the configuration of a pool in between may have changed since the start.
  if (rows[0]?.role !== 'muster_app') throw new WrongRole('muster_app', rows[0]?.role);
}

/**
 * The same database for work that only reads, shows data from some seconds ago and decides nothing: accounts'
 * transactions read from the replica while its lag is small enough. server/lagging-calls.ts lists these
 * calls.
 */
export function mayLag(database: Database): Database {
  return Object.create(database, { readsBehind: { value: true } });
}

/** A transaction that the replica aborts for its own reasons is repeated here. It has changed nothing. */
async function readAsAccount<T>(
  database: Database,
  accountId: number,
  work: (trx: Trx) => Promise<T>,
): Promise<T> {
  const read = (at: Kysely<DB>) =>
    at
      .transaction()
      .setAccessMode('read only')
      .execute(async (trx) => {
        await takeAccount(trx, accountId);
        return work(trx);
      });
  const { replica } = database;
  if (!replica?.isClose()) return read(database.app);
  try {
    return await read(replica.app);
  } catch (error) {
    if (!isDatabaseDown(error) && !isRecoveryConflict(error)) throw error;
    return read(database.app);
  }
}

/** The replica applied a change that conflicted with the transaction. */
function isRecoveryConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['40001', '40P01'].includes(String(error.code));
}

/** The same database for the queries of active calls, which are many: on separate connections. */
export function ofCalls(database: Database): Database {
  return Object.create(database, { system: { value: database.calls } });
}

/** Runs `work` in a transaction across accounts. Every statement in it names the account itself. */
export function asSystem<T>(database: Database, work: (trx: Trx) => Promise<T>): Promise<T> {
  return database.system.transaction().execute(work);
}

const diskFull = '53100';

const connectionErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections
  '57P01',
  '57P02',
  '57P03',
  '53300',
  diskFull,
  // read_only_sql_transaction: the host has become a standby, and another one takes the changes
  '25006',
]);

/** Time when a statement last failed because the database had no space for it. */
let fullAtMs = Number.NEGATIVE_INFINITY;

/** True if that was within this many milliseconds. Reads still work then. */
export function wasDatabaseFull(withinMs: number): boolean {
  return performance.now() - fullAtMs < withinMs;
}

/** The database went away, is starting or has no space: the request is valid, and may be tried again. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (code === diskFull) fullAtMs = performance.now();
  if (connectionErrors.has(code) || code.startsWith('08')) return true;
  // Its socket in the file system is gone. Any other missing file has nothing to do with the database.
  if (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseDown);
  return /Connection terminated|timeout exceeded when trying to connect|is not queryable/.test(error.message);
}

/** A row with the same key already exists. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}
