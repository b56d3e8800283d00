import { sql } from 'kysely';
import { undoImportedChanges } from '../contacts/change/undo-imported.ts';
import { removeEmptyGroups } from '../contacts/groups/remove-empty-groups.ts';
import { lockContacts } from '../contacts/lock-contacts.ts';
import { asAccount, isDatabaseDown, type Trx } from '../db.ts';
import { keepStatistics } from '../keep-statistics.ts';
import { notify } from '../notify.ts';
import { recordChangedContacts } from '../record-changed-contacts.ts';
import { recordEvents } from '../record-events.ts';
import { openUndo } from '../undo.ts';
import { removeUpload } from './clear-files.ts';
import { endStage, type HeldFile, isHeld, keepHolding, releaseFile } from './hold-file.ts';
import { type ImportPlan, importSlice, preferIndexes } from './import-slice.ts';
import type { FileContext } from './jobs.ts';
import { choiceOf } from './queries.ts';
import { mostSliceRows, searchableAtOnce } from './rules.ts';
import { undoKind, undoSlice } from './undo-file.ts';

/** Two transactions at a time: while one waits for the disk or a lock the other works. */
const lanes = 2;
/** PostgreSQL detects a deadlock of the two, and one tries again. */
const triesASlice = 5;

/** Imports the rest of a file, slice by slice, and ends the import. */
export async function importHeldFile(
  context: FileContext,
  file: HeldFile,
  signal: AbortSignal,
): Promise<void> {
  const plan = planOf(file);
  const step = (trx: Trx) => importNextSlice(trx, file, plan);
  // The first one alone, so that PostgreSQL has statistics on the account's contacts before two lanes query
  // them.
  const first = async (trx: Trx) => (await step(trx)) && false;
  const isOurs =
    (await runLanes(context, file, signal, { count: 1, step: first })) &&
    (await runLanes(context, file, signal, {
      count: lanes,
      step,
      beforeStep: keepStatistics(context.database, grownTables),
    }));
  if (isOurs && (await finishImport(context, file))) await removeUpload(context, file.fileKey);
}

/** Undoes the import of a file, slice by slice; then its changes to other contacts. */
export async function undoHeldFile(context: FileContext, file: HeldFile, signal: AbortSignal): Promise<void> {
  // Waits for a process that is indexing the file's contacts: otherwise these aren't counted.
  await asAccount(context.database, file.accountId, (trx) => lockContacts(trx, file.accountId));
  await sql`analyze ${sql.join(grownTables.map((name) => sql.table(name)))}`.execute(context.database.system);
  // One lane: contacts of two slices are interleaved.
  const isOurs =
    (await runLanes(context, file, signal, { count: 1, step: (trx) => undoNextSlice(trx, file) })) &&
    (await runLanes(context, file, signal, { count: 1, step: (trx) => undoNextChanges(trx, file) }));
  if (isOurs) await finishUndo(context, file);
}

/** Runs steps, each in its own transaction, until there are none; false when the file isn't ours any more. */
async function runLanes(
  { database }: FileContext,
  file: HeldFile,
  signal: AbortSignal,
  {
    count,
    step,
    beforeStep = async () => undefined,
  }: { count: number; step: (trx: Trx) => Promise<boolean>; beforeStep?: () => Promise<void> },
): Promise<boolean> {
  let isLost = false;
  let hasFailed = false;
  const holding = keepHolding(database, file, {
    onLost: () => {
      isLost = true;
    },
  });
  async function lane(): Promise<void> {
    let failures = 0;
    while (!isLost && !hasFailed && !signal.aborted) {
      try {
        await beforeStep();
        if (!(await asAccount(database, file.accountId, step))) return;
        failures = 0;
      } catch (error) {
        if (error instanceof NotHeld) isLost = true;
        else if (isDatabaseDown(error) || ++failures >= triesASlice) {
          hasFailed = true;
          throw error;
        }
      }
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: count }, lane));
  await holding.stop();
  const failed = ended.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  if (signal.aborted && !isLost) await releaseFile(database, file);
  return !isLost && !signal.aborted;
}

class NotHeld extends Error {}

export const grownTables = [
  ...['contacts', 'group_members', 'contact_search', 'contact_words', 'phone_consents', 'consent_ledger'],
];

function planOf(file: HeldFile): ImportPlan {
  const choice = choiceOf(file);
  if (choice === null) throw new Error(`file ${file.fileId} has no choice`);
  return {
    accountId: file.accountId,
    fileId: file.fileId,
    userId: file.userId,
    listId: file.listId ?? 0,
    duplicates: choice.Duplicates,
    groupIds: choice.groupIds ?? {},
    fieldIds: choice.fieldIds ?? {},
    onlyUserId: file.onlyUserId,
    address: file.address,
    isSearchableAtOnce: (file.total ?? 0) <= searchableAtOnce,
  };
}

/** The lock on a slice's row is its lease: it ends with the transaction, however that ends. */
async function importNextSlice(trx: Trx, file: HeldFile, plan: ImportPlan): Promise<boolean> {
  const slice = await trx
    .selectFrom('file_slices')
    .select(['slice_number', 'first_row', 'last_row'])
    .where('account_id', '=', file.accountId)
    .where('file_id', '=', file.fileId)
    .where('done_at', 'is', null)
    .orderBy('slice_number')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (slice === undefined) return false;
  const counts = await importSlice(trx, plan, { firstRow: slice.first_row, lastRow: slice.last_row });
  await trx
    .updateTable('file_slices')
    .set({
      created: counts.created,
      updated: counts.updated,
      skipped: counts.skipped,
      first_person_id: counts.firstPersonId,
      last_person_id: counts.lastPersonId,
      done_at: sql`now()`,
    })
    .where('account_id', '=', file.accountId)
    .where('file_id', '=', file.fileId)
    .where('slice_number', '=', slice.slice_number)
    .execute();
  await tellProgress(trx, file, counts.created + counts.updated + counts.skipped);
  return true;
}

/** Last in the transaction: a file that was canceled meanwhile is rolled back. */
async function tellProgress(trx: Trx, file: HeldFile, rows: number): Promise<void> {
  const { rows: held } = await sql`
    update file_uploads set done = done + ${rows} where ${isHeld(file)} returning 1`.execute(trx);
  if (held.length === 0) throw new NotHeld();
  await notify(trx, file.accountId, [
    { type: 'contacts.changed' },
    { type: 'file.changed', FileID: file.fileId },
  ]);
}

/** True when the import has ended; false while another process still holds a slice. */
async function finishImport({ database }: FileContext, file: HeldFile): Promise<boolean> {
  return asAccount(database, file.accountId, async (trx) => {
    const { rows } = await sql<{ open: number; created: number; updated: number; skipped: number }>`
      select count(*) filter (where done_at is null) as open, sum(created)::integer as created,
        sum(updated)::integer as updated, sum(skipped)::integer as skipped
      from file_slices where account_id = ${file.accountId} and file_id = ${file.fileId}`.execute(trx);
    const { open = 0, created = 0, updated = 0, skipped = 0 } = rows[0] ?? {};
    if (open > 0) return false;
    const undoId = await openUndo(trx, file, undoKind, { fileId: file.fileId });
    const counts = { CreatedCount: created, UpdatedCount: updated, SkippedCount: skipped };
    const { rows: held } = await sql`
      update file_uploads
      set stage = 'imported', stage_started_at = clock_timestamp(), ended_at = now(), undo_id = ${undoId},
        summary = summary || ${JSON.stringify(counts)}::jsonb, lease_id = null, lease_until = null
      where ${isHeld(file)} returning 1`.execute(trx);
    if (held.length === 0) throw new NotHeld();
    await recordChangedContacts(trx, file.accountId, changedBy(file));
    const count = created + updated + skipped;
    await recordEvents(trx, file, [{ kind: 'file.imported', id: file.fileId, count }]);
    await notify(trx, file.accountId, [
      { type: 'contacts.changed' },
      { type: 'file.changed', FileID: file.fileId },
    ]);
    return true;
  }).catch((error) => {
    if (error instanceof NotHeld) return false;
    throw error;
  });
}

/** The contacts that were there before the import, and that it changed or added to groups. */
function changedBy({ accountId, fileId }: HeldFile) {
  return sql`
    select h.person_id from file_changes h
    join contacts c on c.account_id = h.account_id and c.person_id = h.person_id
    where h.account_id = ${accountId} and h.file_id = ${fileId} and c.file_id is distinct from ${fileId}::bigint`;
}

async function undoNextSlice(trx: Trx, file: HeldFile): Promise<boolean> {
  const slice = await trx
    .selectFrom('file_slices')
    .selectAll()
    .where('account_id', '=', file.accountId)
    .where('file_id', '=', file.fileId)
    .where('done_at', 'is not', null)
    .where('undone_at', 'is', null)
    .orderBy('slice_number')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (slice === undefined) return false;
  await preferIndexes(trx);
  await undoSlice(trx, {
    accountId: file.accountId,
    fileId: file.fileId,
    userId: file.userId,
    firstRow: slice.first_row,
    lastRow: slice.last_row,
    firstPersonId: slice.first_person_id,
    lastPersonId: slice.last_person_id,
  });
  await trx
    .updateTable('file_slices')
    .set({ undone_at: sql`now()` })
    .where('account_id', '=', file.accountId)
    .where('file_id', '=', file.fileId)
    .where('slice_number', '=', slice.slice_number)
    .execute();
  await tellProgress(trx, file, slice.created + slice.updated + slice.skipped);
  return true;
}

async function undoNextChanges(trx: Trx, file: HeldFile): Promise<boolean> {
  await preferIndexes(trx);
  const isMore = await undoImportedChanges(trx, file.accountId, file.fileId, mostSliceRows);
  if (isMore) await tellProgress(trx, file, 0);
  return isMore;
}

async function finishUndo({ database }: FileContext, file: HeldFile): Promise<void> {
  const kept = await asAccount(database, file.accountId, async (trx) => {
    await removeEmptyGroups(trx, file.accountId, choiceOf(file)?.madeGroups ?? []);
    const { rows } = await sql<{ kept: number; error_message: string | null }>`
      select f.error_message, (
        select count(*) from contacts c, (
          select min(first_person_id) as first, max(last_person_id) as last from file_slices s
          where s.account_id = ${file.accountId} and s.file_id = ${file.fileId}
        ) made
        where c.account_id = ${file.accountId} and c.person_id between made.first and made.last
          and c.file_id = ${file.fileId} and c.deleted_at is null
      ) as kept
      from file_uploads f where f.account_id = ${file.accountId} and f.file_id = ${file.fileId}`.execute(trx);
    return rows[0] ?? { kept: 0, error_message: null };
  });
  if (kept.error_message !== null) return endStage(database, file, 'failed');
  const stay = `${kept.kept.toLocaleString('en-US')} ${kept.kept === 1 ? 'contact stays: it was' : 'contacts stay: they were'} changed since the import.`;
  await endStage(
    database,
    file,
    file.isCancelAsked ? 'canceled' : 'undone',
    kept.kept > 0 ? { errorMessage: stay } : {},
  );
}
