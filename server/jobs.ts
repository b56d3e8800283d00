import { type RawBuilder, sql } from 'kysely';
import type { Config } from './config.ts';
import type { Database, Trx } from './db.ts';
import type { FileStore } from './files.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Carrier } from './outside/carrier.ts';

/**
 * All tasks, with the data of their jobs. A slice adds its own next to the code that runs them (`declare
 * module '../jobs.ts'`), so that all code can enqueue by name without importing that slice.
 */
export interface Tasks {
  /** A change of many contacts, conversations or recipients is waiting in the table `work`. */
  do_work: Record<string, never>;
  /** Rows that are no longer needed: old keys, undos, attempts, sessions, deleted groups, files. */
  sweep_old_rows: Record<string, never>;
}

export type TaskName = keyof Tasks;

/** The dependencies of a slice's background work. */
export interface JobContext {
  config: Config;
  database: Database;
  carriers: Map<number, Carrier>;
  files: FileStore;
  log: Log;
  metrics: Metrics;
}

/** The worker's part of a slice. The slice declares it in its jobs.ts; server/worker.ts collects them. */
export interface SliceJobs {
  /** A name that two slices use runs both. */
  tasks?: { [Name in TaskName]?: (payload: Tasks[Name]) => Promise<void> };
  /** Schedules of tasks (UTC), as crontab lines. */
  cron?: readonly string[];
  /**
   * Work that may be waiting in the tables. The worker checks every second and runs what it finds, so that a
   * lost job loses nothing. `where` uses the beginning of an index. It may match more than `run` takes, never
   * less.
   */
  waiting?: readonly { where: RawBuilder<unknown>; run: () => Promise<void> }[];
  /** Deletes rows that are no longer needed. Runs once a night. */
  sweep?: () => Promise<void>;
  /** Current and recent problems, as messages for the operator: /readyz returns them. */
  problems?: () => string[];
  /** Starts nothing more. Resolves when the running work has ended. */
  stop?: () => Promise<void>;
}

export interface JobOptions {
  runAt?: Date;
  /** Only one job that hasn't started yet under this key. Writers of the same key wait for each other. */
  key?: string;
  maxAttempts?: number;
  /** Lower runs first. */
  priority?: number;
}

/** Adds a job that exists if and only if this transaction commits; at once, if there is no transaction. */
export async function enqueue<Name extends TaskName>(
  trx: Trx | Database['system'],
  task: Name,
  payload: Tasks[Name],
  options: JobOptions = {},
): Promise<void> {
  await sql`select enqueue(
    ${task}, ${JSON.stringify(payload)}::json, ${options.runAt ?? null}::timestamptz, ${options.key ?? null}::text,
    ${options.maxAttempts ?? 25}::integer, ${options.priority ?? 0}::integer)`.execute(trx);
}
