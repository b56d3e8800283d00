import { sql } from 'kysely';
import type { FileStage, FileSummary } from '../../contract/imports.ts';
import { asSystem, type Database } from '../db.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import { leaseSeconds, postponeSeconds } from './rules.ts';

/** A file that this process is working on. */
export interface HeldFile {
  accountId: number;
  fileId: number;
  userId: number;
  leaseId: string;
  stage: 'processing' | 'importing' | 'undoing';
  fileKey: string;
  structure: unknown;
  choice: unknown;
  listId: number | null;
  address: string;
  total: number | null;
  isCancelAsked: boolean;
  onlyUserId: number | null;
}

/** The row, as long as it is ours: neither canceled nor taken over by another process. */
export function isHeld({ accountId, fileId, leaseId, stage }: HeldFile) {
  return sql`account_id = ${accountId} and file_id = ${fileId} and lease_id = ${leaseId} and stage = ${stage}`;
}

interface Progress {
  done: number;
  total: number | null;
}

/** Four times a second is as fast as a person can follow. */
const tellMs = 250;
const renewMs = 2_000;

/**
 * Renews the lease during a long step, and reports progress; calls `onLost` when the file isn't ours any
 * more.
 */
export function keepHolding(
  database: Database,
  file: HeldFile,
  options: { progress?: () => Progress | undefined; onLost: () => void },
): { stop(): Promise<void> } {
  let told: Progress | undefined;
  let renewedMs = performance.now();
  let writing: Promise<void> = Promise.resolve();
  let isWriting = false;

  async function renew(progress: Progress | undefined): Promise<void> {
    isWriting = true;
    try {
      if (!(await renewHold(database, file, progress))) options.onLost();
    } catch {
      // The database is unavailable; the lease expires if it stays so.
    } finally {
      isWriting = false;
    }
  }

  const timer = setInterval(() => {
    const progress = options.progress?.();
    const isNew = progress !== undefined && progress !== told;
    if (isWriting || (!isNew && performance.now() - renewedMs < renewMs)) return;
    told = progress;
    renewedMs = performance.now();
    writing = renew(isNew ? progress : undefined);
  }, tellMs);
  return {
    async stop() {
      clearInterval(timer);
      await writing;
    },
  };
}

/** False when the file isn't ours any more. */
export async function renewHold(database: Database, file: HeldFile, progress?: Progress): Promise<boolean> {
  return asSystem(database, async (trx) => {
    const { rows } = await sql`
      update file_uploads
      set lease_until = now() + ${leaseSeconds} * interval '1 second',
        done = coalesce(${progress?.done ?? null}::bigint, done), total = coalesce(${progress?.total ?? null}::bigint, total)
      where ${isHeld(file)}
      returning 1`.execute(trx);
    if (rows.length === 0) return false;
    if (progress !== undefined)
      await notify(trx, file.accountId, [{ type: 'file.changed', FileID: file.fileId }]);
    return true;
  });
}

/** Another process may take it at once: this process stops. */
export async function releaseFile(database: Database, file: HeldFile): Promise<void> {
  await sql`update file_uploads set lease_until = null, lease_id = null where ${isHeld(file)}`.execute(
    database.system,
  );
}

/** Leaves it for another try, because the bucket can't be read at the moment. */
export async function postponeFile(database: Database, file: HeldFile): Promise<void> {
  await sql`
    update file_uploads set lease_until = now() + ${postponeSeconds} * interval '1 second', lease_id = null
    where ${isHeld(file)}`.execute(database.system);
}

const finalStages: FileStage[] = ['imported', 'undone', 'canceled'];

/** Moves to the next stage, if the file is still ours. */
export async function endStage(
  database: Database,
  file: HeldFile,
  stage: FileStage,
  result: { errorMessage?: string; summary?: FileSummary; groupNames?: string[] } = {},
): Promise<void> {
  const { errorMessage = null, summary, groupNames } = result;
  await asSystem(database, async (trx) => {
    const rows = summary?.RowCount ?? null;
    const { rows: ended } = await sql`
      update file_uploads
      set stage = ${stage}, stage_started_at = clock_timestamp(), lease_id = null, lease_until = null,
        error_message = coalesce(${errorMessage}, error_message),
        summary = coalesce(${summary === undefined ? null : JSON.stringify(summary)}::jsonb, summary),
        group_names = coalesce(${groupNames ?? null}::text[], group_names),
        done = coalesce(${rows}::bigint, done), total = coalesce(${rows}::bigint, total),
        ended_at = case when ${finalStages.includes(stage)} then now() else ended_at end
      where ${isHeld(file)} returning 1`.execute(trx);
    // Whoever has taken the file over ends it, and records that.
    if (stage === 'undone' && ended.length > 0)
      await recordEvents(trx, file, [{ kind: 'file.undone', id: file.fileId }]);
    await notify(trx, file.accountId, [{ type: 'file.changed', FileID: file.fileId }]);
  });
}
