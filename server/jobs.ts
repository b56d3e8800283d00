import { type RawBuilder, sql } from 'kysely';
import type { Config } from './config.ts';
import type { Database, Trx } from './db.ts';
import type { FileStore } from './files.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Carrier } from './outside/carrier.ts';

/**
 * Every task there is, with what its jobs carry. A slice adds its own next to the code that runs them
 * (`declare module '../jobs.ts'`), so that everyone can enqueue by name without importing that slice.
 */
export interface Tasks {
  /** A change of many contacts, conversations or recipients waits in the table `work`. */
  do_work: Record<string, never>;
  /** Rows that nobody needs any more: old keys, undos, attempts, sessions, deleted groups, files. */
  sweep_old_rows: Record<string, never>;
}

export type TaskName = keyof Tasks;

/** What a slice needs to do its work in the background. */
export interface JobContext {
  config: Config;
  database: Database;
  carriers: Map<number, Carrier>;
  files: FileStore;
  log: Log;
  metrics: Metrics;
}

/**
 * What the worker does for a slice. The slice declares it in its jobs.ts; server/worker.ts collects them.
 */
export interface SliceJobs {
  /** A name that two slices bind runs both. */
  tasks?: { [Name in TaskName]?: (payload: Tasks[Name]) => Promise<void> };
  /** When tasks run by the clock (UTC), as crontab lines. */
  cron?: readonly string[];
  /**
   * Work that may be waiting in the tables. The worker checks every second and runs what it finds, so that a lost job
   * loses nothing. `where` reads the beginning of an index. It may match more than `run` takes, never less.
   */
  waiting?: readonly { where: RawBuilder<unknown>; run: () => Promise<void> }[];
  /** Deletes what is no longer needed. Runs once a night. */
  sweep?: () => Promise<void>;
  /** What it can't do at the moment, or what went wrong lately, in sentences for whoever runs it: /readyz tells them. */
  problems?: () => string[];
  /** Starts nothing more. Resolves when what is running has ended. */
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

/** Adds a job that exists if and only if this transaction commits; at once, where there is none. */
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
