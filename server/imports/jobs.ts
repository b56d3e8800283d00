/**
 * Processing of files in the background. A file's stage goes
 *
 *   mapping ──▶ processing ──▶ review ──▶ importing ──▶ imported ──▶ undoing ──▶ undone
 *                   │            │            └── canceled ───────────▲    └──▶ canceled
 *                   └▶ failed    └▶ processing (other columns)
 *
 * Whoever works on a file holds a lease of some seconds and renews it. Reading starts over after a crash;
 * importing and undoing run slice by slice, each in its own transaction, and continue where they stopped.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Database, isDatabaseDown } from '../db.ts';
import type { FileStore } from '../files.ts';
import type { JobContext, SliceJobs } from '../jobs.ts';
import type { Log } from '../log.ts';
import { clearFiles, sweepOldFiles } from './clear-files.ts';
import { endStage, type HeldFile } from './hold-file.ts';
import { readHeldFile } from './read-held-file.ts';
import { BadFile, defaultFailure, leaseSeconds } from './rules.ts';
import { importHeldFile, undoHeldFile } from './run-slices.ts';

declare module '../jobs.ts' {
  interface Tasks {
    /** A file has to be read, imported or undone. */
    advance_files: Record<string, never>;
  }
}

export function createImportJobs(context: JobContext) {
  const work = createFileWork(context);
  return {
    tasks: { advance_files: work.advance },
    waiting: [
      {
        where: sql`exists (select from file_uploads where stage in ('processing', 'importing', 'undoing'))
          or exists (select from file_uploads where stage in ('canceled', 'undone') and not is_cleared)`,
        run: work.advance,
      },
    ],
    sweep: () => sweepOldFiles(context),
    stop: work.stop,
  } satisfies SliceJobs;
}

export interface FileContext {
  files: Pick<FileStore, 'uploads'>;
  database: Database;
  log: Log;
  /** The memory limit of the thread that reads a file, if it is to be lower than usual. */
  readerHeapMb?: number;
}

export interface FileWork {
  /** Reads, imports and undoes waiting files, until none is left. */
  advance(): Promise<void>;
  /** Takes no further file; resolves when the active slices are recorded. */
  stop(): Promise<void>;
}

/** A small file needn't wait for a large one; more at once would only need more memory. */
const filesAtOnce = 2;

export function createFileWork(context: FileContext): FileWork {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  let clearing: Promise<void> | undefined;
  let wasNudged = false;

  async function lane(): Promise<void> {
    while (!stopping.signal.aborted) {
      wasNudged = false;
      const file = await claimFile(context.database);
      if (file !== undefined) {
        if (running.size < filesAtOnce) start();
        await advanceFile(context, file, stopping.signal);
      } else if (!wasNudged) return;
    }
  }

  function start(): void {
    const promise = lane().finally(() => running.delete(promise));
    running.add(promise);
    promise.catch(() => undefined);
  }

  return {
    async advance() {
      wasNudged = true;
      if (running.size === 0 && !stopping.signal.aborted) start();
      while (running.size > 0) await Promise.all(running);
      clearing ??= clearFiles(context, stopping.signal).finally(() => {
        clearing = undefined;
      });
      await clearing;
    },
    async stop() {
      stopping.abort();
      await Promise.allSettled([...running, clearing]);
    },
  };
}

/** Takes a waiting file, or one whose worker has died. */
async function claimFile(database: Database): Promise<HeldFile | undefined> {
  const leaseId = randomUUID();
  const { rows } = await sql<HeldFile>`
    update file_uploads f set lease_id = ${leaseId}, lease_until = now() + ${leaseSeconds} * interval '1 second'
    from (
      select account_id, file_id from file_uploads w
      where stage in ('processing', 'importing', 'undoing') and (lease_until is null or lease_until < now())
        -- Imports of an account run one after the other: the contacts of one exist for the next.
        and (stage = 'processing' or not exists (
          select from file_uploads other
          where other.account_id = w.account_id and other.file_id <> w.file_id
            and other.stage in ('importing', 'undoing') and other.lease_until > now()))
      order by stage_started_at
      limit 1
      for update of w skip locked
    ) due, users u
    where f.account_id = due.account_id and f.file_id = due.file_id
      and u.account_id = f.account_id and u.user_id = f.user_id
    returning f.account_id as "accountId", f.file_id as "fileId", f.user_id as "userId", f.lease_id as "leaseId",
      f.stage, f.file_key as "fileKey", f.structure, f.choice, f.list_id as "listId", f.consent_address as address,
      f.total, f.is_cancel_asked as "isCancelAsked",
      case when u.role = 'owner' or u.can_see_all_roster then null else f.user_id end as "onlyUserId"`.execute(
    database.system,
  );
  return rows[0];
}

async function advanceFile(context: FileContext, file: HeldFile, signal: AbortSignal): Promise<void> {
  const { log, database } = context;
  try {
    if (file.stage === 'processing') await readHeldFile(context, file, signal);
    else if (file.stage === 'importing') await importHeldFile(context, file, signal);
    else await undoHeldFile(context, file, signal);
  } catch (error) {
    if (isDatabaseDown(error)) throw error;
    const isBad = error instanceof BadFile;
    if (!isBad) log.error({ err: error, file: file.fileId, stage: file.stage }, 'work on a file failed');
    const errorMessage = isBad ? error.message : defaultFailure;
    if (file.stage === 'processing') await endStage(database, file, 'failed', { errorMessage });
    // Nothing is left half imported: the completed part is undone.
    else if (file.stage === 'importing') await endStage(database, file, 'undoing', { errorMessage });
    else throw error;
  }
}
