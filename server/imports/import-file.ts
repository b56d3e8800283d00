import { type RawBuilder, sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import type { importFile as definition, FileSummary, FileUpload } from '../../contract/imports.ts';
import { findOrCreateFields } from '../contacts/change/custom-fields.ts';
import { findOrCreateGroups } from '../contacts/groups/find-or-create-groups.ts';
import { requireList } from '../contacts/queries.ts';
import type { Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';
import { sliceRows } from '../work.ts';
import {
  choiceOf,
  type FileChoice,
  type FileRecord,
  getFile,
  refuseUnlessStage,
  requireFile,
} from './queries.ts';
import { consentRequired, mostSliceRows } from './rules.ts';

/** Starts the import of a file that was read: creates groups and fields, and prepares the slices. */
export async function importFile(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof definition>,
): Promise<FileUpload> {
  if (!body.UserIndicatedConsentDeclared) throw refuseField('UserIndicatedConsentDeclared', consentRequired);
  await requireTarget(trx, actor, params.ListID);
  const file = await requireFile(trx, actor, body.FileID, 'lock');
  refuseUnlessStage(file, ['review']);
  const total = await layOutSlices(trx, file);
  const choice = await withNames(trx, file);
  await sql`
    update file_uploads
    set stage = 'importing', stage_started_at = clock_timestamp(), choice = ${JSON.stringify(choice)}::jsonb,
      list_id = ${params.ListID}, consent_declared = true, consent_wording = ${consentRequired},
      consent_address = ${actor.address},
      done = 0, total = ${total}, error_message = null, lease_id = null, lease_until = null
    where account_id = ${actor.accountId} and file_id = ${body.FileID}`.execute(trx);
  await enqueue(trx, 'advance_files', {});
  await notify(trx, actor.accountId, [
    { type: 'contacts.changed' },
    { type: 'file.changed', FileID: body.FileID },
  ]);
  return getFile(trx, actor, body.FileID);
}

/** Everyone, or a group that can have members. */
export async function requireTarget(trx: Trx, actor: Actor, listId: number): Promise<void> {
  if (listId < 0) throw new Refusal('refused', 'Contacts are imported into a group or into Everyone.');
  const { isSegment } = await requireList(trx, actor, listId);
  if (isSegment) throw new Refusal('refused', 'A segment fills itself. Choose a group to import into.');
}

/** The first slice is imported before the others begin (run-slices.ts). */
const firstSliceRows = 2_000;

/** Creates the slices that will do the import, and returns the number of rows in them. */
async function layOutSlices(trx: Trx, { account_id, file_id, summary }: FileRecord): Promise<number> {
  // From an import that failed and was undone.
  await sql`delete from file_slices where account_id = ${account_id} and file_id = ${file_id}`.execute(trx);
  const total = (summary as FileSummary | null)?.GoodRecordCount ?? 0;
  const end = (order: RawBuilder<unknown>) => sql`
    select row_number from file_rows
    where account_id = ${account_id} and file_id = ${file_id} and state in ('good', 'repaired')
    order by row_number ${order} limit 1`;
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select (${end(sql`asc`)}) as first, (${end(sql`desc`)}) as last`.execute(trx);
  const { first = null, last = null } = rows[0] ?? {};
  if (first === null || last === null)
    throw new Refusal('refused', 'There is nothing in the file that can be imported.');
  const size = sliceRows(last - first + 1, mostSliceRows);
  await sql`
    insert into file_slices (account_id, file_id, slice_number, first_row, last_row)
    select ${account_id}::bigint, ${file_id}::bigint, row_number() over (order by start), start,
      lead(start, 1, ${last + 1}::bigint) over (order by start) - 1
    from (
      select ${first}::bigint as start
      union all select generate_series(${first + Math.min(size, firstSliceRows)}::bigint, ${last}::bigint, ${size}::bigint)
    ) starts`.execute(trx);
  return total;
}

/** The choices with the ids of the groups and fields that the file names; missing ones are created. */
async function withNames(trx: Trx, file: FileRecord): Promise<FileChoice> {
  const choice = choiceOf(file);
  if (choice === null) throw new Error(`file ${file.file_id} has no choice`);
  const fieldNames = choice.Columns.CustomData.map(({ Name }) => Name);
  const { groupIds, made } = await findOrCreateGroups(trx, file.account_id, file.group_names);
  const fields = await findOrCreateFields(trx, file.account_id, fieldNames);
  return {
    ...choice,
    groupIds: idsByName(file.group_names, groupIds),
    madeGroups: made,
    fieldIds: idsByName(fieldNames, fields),
  };
}

function idsByName(names: string[], ids: Map<string, number>): Record<string, number> {
  const entries = names.flatMap((name) => {
    const id = ids.get(name.toLowerCase());
    return id === undefined ? [] : [[name, id] as const];
  });
  return Object.fromEntries(entries);
}
