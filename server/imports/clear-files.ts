import { sql } from 'kysely';
import { nowMs } from '../clock.ts';
import { forgetImportedChanges } from '../contacts/change/undo-imported.ts';
import { isDatabaseDown } from '../db.ts';
import type { FileContext } from './jobs.ts';
import { deleteRows } from './read-held-file.ts';
import { keptDays } from './rules.ts';

interface OldFile {
  accountId: number;
  fileId: number;
  fileKey: string;
}

/** Removes bytes and rows of files that were canceled or undone: at once, in the background. */
export async function clearFiles(context: FileContext, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { rows } = await sql<OldFile>`
      select account_id as "accountId", file_id as "fileId", file_key as "fileKey" from file_uploads
      where stage in ('canceled', 'undone') and not is_cleared
      order by ended_at limit 20`.execute(context.database.system);
    for (const file of rows) {
      if (signal.aborted) return;
      await clearFile(context, file, signal);
    }
    if (rows.length === 0 || signal.aborted) return;
  }
}

async function clearFile(context: FileContext, file: OldFile, signal: AbortSignal): Promise<void> {
  const { database } = context;
  if (file.fileKey !== '') await removeUpload(context, file.fileKey);
  while (!signal.aborted && (await deleteRows(database, file)));
  if (signal.aborted) return;
  await forgetImportedChanges(database, file);
  await sql`
    with slices as (delete from file_slices where account_id = ${file.accountId} and file_id = ${file.fileId})
    update file_uploads set is_cleared = true
    where account_id = ${file.accountId} and file_id = ${file.fileId}`.execute(database.system);
}

/** Removes files abandoned for a month, rows of old imports, and bytes that no file refers to. */
export async function sweepOldFiles(context: FileContext): Promise<void> {
  const { database } = context;
  const old = sql`created_at < now() - ${keptDays} * interval '1 day'`;
  await sql`
    update file_uploads set stage = 'canceled', ended_at = now()
    where stage in ('mapping', 'review', 'failed') and ${old}`.execute(database.system);
  const never = new AbortController().signal;
  await clearFiles(context, never);
  for (;;) {
    const { rows } = await sql<OldFile>`
      select account_id as "accountId", file_id as "fileId", file_key as "fileKey" from file_uploads
      where stage = 'imported' and not is_cleared and ${old} limit 20`.execute(database.system);
    for (const file of rows) await clearFile(context, file, never);
    if (rows.length === 0) break;
  }
  await removeStrayBytes(context);
}

const dayMs = 86_400_000;

/** Of uploads interrupted by the end of the server before they became a file, and what couldn't be removed. */
async function removeStrayBytes({ database, files, log }: FileContext): Promise<void> {
  try {
    const names = await files.uploads.listBefore(nowMs() - dayMs);
    const { rows } = await sql<{ name: string }>`
      select name from unnest(${names}::text[]) name
      where not exists (select from file_uploads f where f.file_key = name and not f.is_cleared
        and f.stage <> 'imported')`.execute(database.system);
    for (const { name } of rows) await files.uploads.remove(name);
  } catch (error) {
    if (isDatabaseDown(error)) throw error;
    log.warn({ err: error }, 'spreadsheets that nobody needs could not be removed');
  }
}

/** The rows no longer need it. If a bucket refuses, it is removed at night (removeStrayBytes). */
export async function removeUpload({ files, log }: FileContext, key: string): Promise<void> {
  await files.uploads.remove(key).catch((error: unknown) => {
    log.warn({ err: error }, 'a spreadsheet could not be removed');
  });
}
