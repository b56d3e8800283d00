import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { nowMs } from '../clock.ts';
import { forgetImportedChanges } from '../contacts/change/undo-imported.ts';
import type { FileContext } from './jobs.ts';
import { uploadFolder } from './queries.ts';
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

async function clearFile(
  { database, config }: FileContext,
  file: OldFile,
  signal: AbortSignal,
): Promise<void> {
  if (file.fileKey !== '') await rm(join(uploadFolder(config), file.fileKey), { force: true });
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

/** Uploads interrupted by the end of the server, before they became a file. */
async function removeStrayBytes({ database, config }: FileContext): Promise<void> {
  const folder = uploadFolder(config);
  const names = await readdir(folder).catch(() => []);
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) name
    where not exists (select from file_uploads f where f.file_key = name and not f.is_cleared)`.execute(
    database.system,
  );
  for (const { name } of rows) {
    const path = join(folder, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => nowMs() - mtimeMs,
      () => 0,
    );
    if (age > dayMs) await rm(path, { force: true });
  }
}
