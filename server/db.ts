import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { prepareMarked } from './prepared.ts';
import type { DB } from './schema.types.ts';

/** A transaction. There is no global handle: whoever reads or writes is given one. */
export type Trx = Transaction<DB>;

/**
 * The way to the database. `app` serves one account at a time under row level security; `system`
 * works across accounts (signing in, sending, receipts). Both are roles without the right to bypass
 * the policies, taken at the start of every connection: by us, or by the pool that they come from.
 */
export interface Database {
  app: Kysely<DB>;
  system: Kysely<DB>;
  /** The database itself, whose connections are ours alone: for listening, the job engine and imports. */
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

/** A pool of connections between us and the database, such as PgBouncer. A transaction gets any of them. */
export interface SharedPool {
  /** The name of the database in it is replaced by that of the role: the pool has one of each name. */
  url: string;
  /** Whether it carries prepared statements from one connection to the other (PgBouncer from 1.21). */
  prepares: boolean;
}

interface PoolOptions {
  connectionString: string;
  name: string;
  max: number;
  /** Taken when a connection opens. */
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
  pool.on('connect', (client) => {
    client.on('error', onError);
    if (prepares) prepareMarked(client);
  });
  return pool;
}

export function openDatabase(
  url: string,
  options: { connections: number; pool?: SharedPool | undefined; onError?: (error: Error) => void },
): Database {
  const { pool: shared, onError = () => undefined } = options;
  const max = Math.max(2, Math.floor(options.connections / 2));
  const open = (role: AppRole) => {
    const pool =
      shared === undefined
        ? openPool({ connectionString: url, name: role, max, role, prepares: true, onError })
        : openPool({
            connectionString: withDatabase(shared.url, role),
            ...{ name: role, max, prepares: shared.prepares, onError },
          });
    return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  };
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

type AppRole = 'muster_app' | 'muster_system';

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** One sentence for the operator; the program ends after it. */
export class WrongRole extends Error {
  override name = 'WrongRole';

  constructor(role: AppRole, found: string | undefined) {
    super(
      `DATABASE_POOL_URL is wrong: its database ${role} gives connections of ${found}. Set connect_query='set role ${role}' for it.`,
    );
  }
}

/** A pool that gives out the owner's connections would show every account to everybody: then nothing starts. */
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
  return database.app.transaction().execute(async (trx) => {
    const { rows } = await sql<{ role: string }>`
      select set_config('app.account_id', ${String(accountId)}, true), current_user as role`.execute(trx);
    // Asked in the same breath: between us and the database there may be a pool that was set up anew.
    if (rows[0]?.role !== 'muster_app') throw new WrongRole('muster_app', rows[0]?.role);
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
