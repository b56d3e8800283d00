import { sql } from 'kysely';
import { asAccount, asSystem, type Database } from '../db.ts';
import { BucketRefused } from '../outside/s3-bucket.ts';
import type { Borrowed } from '../uploads.ts';
import { splitsNames } from './guess-columns.ts';
import { endStage, type HeldFile, keepHolding, postponeFile, releaseFile, renewHold } from './hold-file.ts';
import type { FileContext } from './jobs.ts';
import { choiceOf, countryOf, headingsOf, rowsAbove, structureOf } from './queries.ts';
import { BadFile, fileGone } from './rules.ts';
import { startCopying } from './start-copying.ts';

/** Reads a whole file into file_rows and moves it to review. */
export async function readHeldFile(context: FileContext, file: HeldFile, signal: AbortSignal): Promise<void> {
  const { database, files } = context;
  let progress: { done: number; total: number | null } | undefined;
  const lost = new AbortController();
  const ended = AbortSignal.any([signal, lost.signal]);
  const holding = keepHolding(database, file, { progress: () => progress, onLost: () => lost.abort() });
  let sheet: Borrowed | undefined;
  try {
    sheet = await files.uploads.borrow(file.fileKey, ended);
    // DATA_DIR was lost, or isn't the one of the web process that took the file.
    if (sheet === undefined) throw new BadFile(fileGone);
    const reading = await startReading(context, file, sheet.path, (done, total) => {
      progress = { done, total };
    });
    const { summary, groupNames } = await resultOf(reading, ended);
    await holding.stop();
    await endStage(database, file, 'review', { summary, groupNames });
  } catch (error) {
    await holding.stop();
    if (signal.aborted) await releaseFile(database, file);
    else if (error instanceof BucketRefused) {
      context.log.warn({ err: error, file: file.fileId }, 'a spreadsheet can’t be read; it is tried again');
      await postponeFile(database, file);
    }
    // Canceled, or taken over by another process.
    else if (!lost.signal.aborted && (await renewHold(database, file))) {
      // Rows read until then are removed.
      await deleteAllRows(database, file);
      throw error;
    }
  } finally {
    await sheet?.giveBack();
  }
}

async function startReading(
  { database, readerHeapMb }: FileContext,
  file: HeldFile,
  path: string,
  onProgress: (done: number, total: number | null) => void,
) {
  const choice = choiceOf(file);
  if (choice === null) throw new Error(`file ${file.fileId} has no choice`);
  // Rows from a worker that died, or that were read with other columns.
  await deleteAllRows(database, file);
  const countryId = await asAccount(database, file.accountId, (trx) => countryOf(trx, file.accountId));
  return startCopying(
    {
      path,
      format: structureOf(file).format,
      tabNumber: choice.TabNumber,
      rowsAbove: rowsAbove(file, choice),
      columns: choice.Columns,
      splitsNames: splitsNames(choice.Columns, headingsOf(file, choice)),
      countryId,
      databaseUrl: database.url,
      accountId: file.accountId,
      fileId: file.fileId,
      leaseId: file.leaseId,
      onlyUserId: file.onlyUserId,
    },
    onProgress,
    readerHeapMb,
  );
}

async function resultOf(reading: ReturnType<typeof startCopying>, ended: AbortSignal) {
  const stop = () => void reading.stop();
  if (ended.aborted) stop();
  ended.addEventListener('abort', stop, { once: true });
  try {
    return await reading.result;
  } finally {
    ended.removeEventListener('abort', stop);
  }
}

async function deleteAllRows(database: Database, file: HeldFile): Promise<void> {
  while (await deleteRows(database, file)) await renewHold(database, file);
}

/** As many rows as can be deleted at once without delaying others. */
const deletedAtOnce = 50_000;

/** Deletes a set of a file's rows; false when there were none. */
export async function deleteRows(
  database: Database,
  { accountId, fileId }: { accountId: number; fileId: number },
): Promise<boolean> {
  return asSystem(database, async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('file rows', ${fileId}))`.execute(trx);
    const { numAffectedRows = 0n } = await sql`
      delete from file_rows
      where account_id = ${accountId} and file_id = ${fileId} and row_number <= (
        -- One range: PostgreSQL compares a list of rows with every row of the file as long as it assumes that
        -- the file is small.
        select max(row_number) from (
          select row_number from file_rows where account_id = ${accountId} and file_id = ${fileId}
          order by row_number limit ${deletedAtOnce}) first_rows)`.execute(trx);
    return numAffectedRows > 0n;
  });
}
