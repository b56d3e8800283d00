import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { prepareMarked } from './prepared.ts';
import type { DB } from './schema.types.ts';

/** A transaction. There is no global handle: whoever reads or writes is given one. */
export type Trx = Transaction<DB>;

/**
 * The way to the database. `app` serves one account at a time under row level security; `system`
 * works across accounts (signing in, sending, receipts). Both are roles without the right to bypass
 * the policies, taken at the start of every connection.
 */
export interface Database {
  app: Kysely<DB>;
  system: Kysely<DB>;
  url: string;
  close(): Promise<void>;
}

/** pg names no array types. Ids are never null in an array. */
const int8Array = 1016;

const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    // int8: ids and counts stay far below 2^53; date: kept as its text, a Date would shift it by the zone.
    if (oid === pg.types.builtins.INT8) return (text: string) => Number(text) as never;
    if ((oid as number) === int8Array)
      return (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)) as never;
    if (oid === pg.types.builtins.DATE) return (text: string) => text as never;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

function openPool(
  url: string,
  role: string | undefined,
  max: number,
  onError: (error: Error) => void,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    application_name: role ?? 'muster_owner',
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    ...(role === undefined ? {} : { options: `-c role=${role}` }),
  });
  // An idle connection that the server drops must not end the process; the next query opens another.
  pool.on('error', onError);
  pool.on('connect', (client) => {
    client.on('error', onError);
    prepareMarked(client);
  });
  return pool;
}

export function openDatabase(
  url: string,
  options: { connections: number; onError?: (error: Error) => void },
): Database {
  const onError = options.onError ?? (() => undefined);
  const half = Math.max(2, Math.floor(options.connections / 2));
  const open = (role: string) =>
    new Kysely<DB>({ dialect: new PostgresDialect({ pool: openPool(url, role, half, onError) }) });
  const app = open('muster_app');
  const system = open('muster_system');
  return {
    app,
    system,
    url,
    async close() {
      await Promise.all([app.destroy(), system.destroy()]);
    },
  };
}

/** A pool that signs in as the owner: for migrations and the job engine, whose tables are not ours. */
export function openOwnerPool(
  url: string,
  max: number,
  onError: (error: Error) => void = () => undefined,
): pg.Pool {
  return openPool(url, undefined, max, onError);
}

/** Runs `work` in a transaction that sees only this account's rows. */
export function asAccount<T>(
  database: Database,
  accountId: number,
  work: (trx: Trx) => Promise<T>,
): Promise<T> {
  return database.app.transaction().execute(async (trx) => {
    await sql`select set_config('app.account_id', ${String(accountId)}, true)`.execute(trx);
    return work(trx);
  });
}

/** Runs `work` in a transaction across accounts. Every statement in it names the account itself. */
export function asSystem<T>(database: Database, work: (trx: Trx) => Promise<T>): Promise<T> {
  return database.system.transaction().execute(work);
}

const connectionErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
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
]);

/** The database went away or is starting: nothing is wrong with the request, it may be tried again. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (connectionErrors.has(code) || code.startsWith('08')) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseDown);
  return /Connection terminated|timeout exceeded when trying to connect|is not queryable/.test(error.message);
}

/** A row with the same key is there already. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}
