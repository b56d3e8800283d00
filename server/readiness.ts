import { randomUUID } from 'node:crypto';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { machineNowMs } from './clock.ts';
import { type Database, isDatabaseDown, wasDatabaseFull } from './db.ts';
import type { Log } from './log.ts';
import { migrationNames } from './migrate.ts';

export interface Readiness {
  status:
    | 'ready'
    | 'starting'
    | 'no database'
    | 'slow database'
    | 'read-only database'
    | 'old database'
    | 'new database'
    | 'no data folder'
    | 'full disk';
  /** The problems, as messages for the operator. */
  message?: string;
  /** Other problems: work continues, as far as possible. */
  clock?: string;
  database?: string;
  /** The carriers that accept no texts. */
  carriers?: string[];
  /** Unfinished operations: a migration, a backup. */
  unfinished?: string[];
}

interface ReadinessContext {
  database: Database;
  /** The file store. */
  dataDir: string;
  log: Log;
  isReady: () => boolean;
  /** A carrier's name, by its id. */
  nameCarrier?: (id: number) => string;
  /** The names of carriers without settings, by id. */
  lacking?: ReadonlyMap<number, string>;
}

/** A user who clicks waits at most this long, and so does a load balancer. */
const answerMs = 2_000;
const statementMs = 1_500;
/** Less than this is practically nothing: a picture or a spreadsheet would fill it. */
const leastBytes = 32 * 1024 * 1024;
/** The allowed difference between this machine's clock and the database's. */
const mostClockMs = 10_000;
/** A process that writes a backup holds it; any number works, as long as all processes use the same one. */
export const backupLock = 7_316_031;
/** Time that a statement that found no space is reported; there may be space again. */
const fullMs = 60_000;

/**
 * Returns whether this process can do its work at this moment: whether calls get their rows, through the
 * connections that calls use; whether rows can be changed; whether the database has the migrations of this
 * version; and whether files can be written. Each change of the answer is logged once.
 */
export function createReadiness({
  database,
  dataDir,
  log,
  isReady,
  nameCarrier = (id) => `Carrier ${id}`,
  lacking = new Map(),
}: ReadinessContext) {
  let last: Readiness['status'] = 'ready';
  const lastBeside: Record<(typeof beside)[number], string | undefined> = {
    clock: undefined,
    database: undefined,
  };
  let running: Promise<Readiness> | undefined;

  async function look(): Promise<Readiness> {
    const answer = await askDatabase(database, [...lacking.keys()]);
    const readiness = 'status' in answer ? answer : await tryDisk(dataDir);
    if (readiness !== undefined) return readiness;
    if (!isReady()) return { status: 'starting', message: 'The worker is starting.' };
    const { aheadMs, down, wanted, unfinished } =
      'status' in answer ? { aheadMs: 0, down: [], wanted: [], unfinished: [] } : answer;
    const carriers = [
      ...down.map(({ id, reason }) => `${nameCarrier(id)} takes no texts. ${reason}`),
      ...wanted.map((id) => `Texts wait for ${lacking.get(id)}, which has no settings here.`),
    ];
    return {
      status: 'ready',
      ...tellClock(aheadMs),
      ...(carriers.length === 0 ? {} : { carriers }),
      ...(unfinished.length === 0 ? {} : { unfinished }),
      ...(wasDatabaseFull(fullMs)
        ? { database: 'The database’s disk is full: nothing can be saved or sent until there is room.' }
        : {}),
    };
  }

  async function ask(): Promise<Readiness> {
    // One at a time: a hanging database must not use up a connection per request.
    running ??= look().finally(() => {
      running = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Readiness>((done) => {
      timer = setTimeout(done, answerMs, slow);
    });
    return Promise.race([running, late]).finally(() => clearTimeout(timer));
  }

  return async (): Promise<Readiness> => {
    const readiness = await ask();
    if (readiness.status !== last) {
      const { status, message } = readiness;
      if (status === 'ready') log.info({ status }, 'ready again');
      else log.warn({ status, reason: message }, 'not ready');
      last = status;
    }
    for (const name of beside) {
      const told = readiness[name];
      if ((told === undefined) !== (lastBeside[name] === undefined))
        log.warn(
          told ?? { clock: 'The clocks agree again.', database: 'The database has room again.' }[name],
        );
      lastBeside[name] = told;
    }
    return readiness;
  };
}

const beside = ['clock', 'database'] as const;

/**
 * Rows, leases and claims use the database's clock, so nothing is lost or sent twice; displayed times may be
 * wrong.
 */
function tellClock(aheadMs: number): { clock?: string } {
  if (Math.abs(aheadMs) <= mostClockMs) return {};
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const way = aheadMs > 0 ? 'ahead of' : 'behind';
  return {
    clock: `This machine’s clock is ${seconds} seconds ${way} the database’s: set both by the network.`,
  };
}

const slow: Readiness = {
  status: 'slow database',
  message: `The database does not answer within ${answerMs / 1000} seconds.`,
};

interface Answer {
  aheadMs: number;
  /** Carriers that accepted nothing at the last attempt, in the last ten minutes. */
  down: { id: number; reason: string }[];
  /** Carriers without settings that texts have waited for, for longer than a hand-over takes. */
  wanted: number[];
  unfinished: string[];
}

async function askDatabase(
  { app, system }: Database,
  lacking: readonly number[],
): Promise<Readiness | Answer> {
  try {
    const names = await migrationNames();
    const [found, told] = await Promise.all([
      app.transaction().execute(async (trx) => {
        await sql`select set_config('statement_timeout', ${String(statementMs)}, true)`.execute(trx);
        const { rows } = await sql<{
          isReadOnly: boolean;
          missing: string[];
          tooNew: string | null;
          atMs: number;
        }>`
          select current_setting('transaction_read_only')::boolean as "isReadOnly",
            extract(epoch from clock_timestamp())::float8 * 1000 as "atMs",
            array(select unnest(${names}::text[]) except select name from migrations order by 1) as missing,
            (select max(name) from migrations m where to_jsonb(m) ->> 'needs' > ${names.at(-1)}) as "tooNew",
            exists (select from accounts), exists (select from users), exists (select from conversations)`.execute(
          trx,
        );
        return rows[0] && { ...rows[0], aheadMs: machineNowMs() - rows[0].atMs };
      }),
      system.transaction().execute(async (trx) => {
        await sql`select set_config('statement_timeout', ${String(statementMs)}, true)`.execute(trx);
        await sql`select exists (select from sessions), exists (select from messages), exists (select from outbox)`.execute(
          trx,
        );
        const { rows } = await sql<Pick<Answer, 'down' | 'wanted' | 'unfinished'>>`
          select
            (select coalesce(json_agg(json_build_object('id', aggregator_id, 'reason', reason) order by aggregator_id), '[]')
              from carriers_down where tried_at > now() - interval '10 minutes') as down,
            array(select l.id from unnest(${lacking}::int[]) as l(id)
              where exists (select from outbox where aggregator_id = l.id and lease_id is null
                  and send_at < now() - interval '1 minute')
                or exists (select from broadcasts where aggregator_id = l.id and status in ('scheduled', 'broadcasting')
                  and next_feed_at < now() - interval '1 minute' and deleted_at is null)) as wanted,
            array(select sentence from unfinished_work
              where case when name = 'backup' then not exists (
                select from pg_locks l join pg_database d on d.oid = l.database
                where l.locktype = 'advisory' and l.objid = ${backupLock} and d.datname = current_database())
              else true end
              order by name) as unfinished`.execute(trx);
        return rows[0] ?? { down: [], wanted: [], unfinished: [] };
      }),
    ]);
    if (found?.isReadOnly)
      return {
        status: 'read-only database',
        message: 'The database takes no changes: it is a standby, or was set to read only.',
      };
    const [missing] = found?.missing ?? [];
    if (missing !== undefined)
      return {
        status: 'old database',
        message: `The database lacks ${missing}: start this process again, which applies it.`,
      };
    if (found?.tooNew != null)
      return {
        status: 'new database',
        message: `The database no longer serves this version (it has ${found.tooNew}): upgrade this process.`,
      };
    return { aheadMs: found?.aheadMs ?? 0, ...told };
  } catch (error) {
    const isLate = error instanceof Error && 'code' in error && error.code === '57014';
    if (isLate) return slow;
    if (isDatabaseDown(error)) return { status: 'no database', message: 'The database can’t be reached.' };
    const why = error instanceof Error ? error.message : String(error);
    return { status: 'no database', message: `The database refuses to answer: ${why}` };
  }
}

async function tryDisk(dataDir: string): Promise<Readiness | undefined> {
  const full: Readiness = { status: 'full disk', message: 'The disk that holds DATA_DIR is full.' };
  const path = join(dataDir, `.ready-${randomUUID()}`);
  try {
    const { bavail, bsize } = await statfs(dataDir);
    if (bavail * bsize < leastBytes) return full;
    await writeFile(path, 'ready', { mode: 0o600 });
    return undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'ENOSPC' || code === 'EDQUOT') return full;
    return { status: 'no data folder', message: `The data folder can’t be written to (${code}).` };
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}
