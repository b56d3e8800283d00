import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { refuseField } from '../../contract/errors.ts';
import { splitName } from '../../contract/forms/pasted-contacts.ts';
import type { pasteContacts as definition } from '../../contract/imports.ts';
import { onlyContactsOf } from '../access/queries.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';
import { openUndo } from '../undo.ts';
import { requireTarget } from './import-file.ts';
import { type ImportPlan, importSlice, matchesInBook } from './import-slice.ts';
import { countryOf, pastedKey } from './queries.ts';
import { type ReadRow, readFields } from './read-row.ts';
import { consentRequired, emptySummary } from './rules.ts';
import { undoKind } from './undo-file.ts';

interface PastedRow extends ReadRow {
  position: number;
  firstRow: number | null;
}

/** Adds pasted contacts as an import of one slice; existing ones only join the group. */
export async function pasteContacts(trx: Trx, actor: Actor, { params, body }: Input<typeof definition>) {
  if (!body.UserIndicatedConsentDeclared) throw refuseField('UserIndicatedConsentDeclared', consentRequired);
  await requireTarget(trx, actor, params.ListID);
  const rows = readPasted(body.Items, await countryOf(trx, actor.accountId));
  const Invalid = rows.flatMap(({ state, position, problem }) =>
    state === 'rejected' ? [{ Position: position, Message: problem ?? '' }] : [],
  );
  const good = rows.filter(({ state }) => state !== 'rejected');
  if (good.length === 0) return { CreatedCount: 0, ExistingCount: 0, Existing: [], Invalid, UndoID: null };
  const fileId = await keepPasted(trx, actor, params.ListID, good);
  const range = { firstRow: 1, lastRow: body.Items.length };
  const plan: ImportPlan = {
    accountId: actor.accountId,
    fileId,
    userId: actor.userId,
    listId: params.ListID,
    duplicates: 'skip',
    groupIds: {},
    fieldIds: {},
    onlyUserId: onlyContactsOf(actor),
    address: actor.address,
    isSearchableAtOnce: true,
  };
  const counts = await importSlice(trx, plan, range);
  const Existing = counts.skipped === 0 ? [] : await listExisting(trx, plan);
  const undoId = await openUndo(trx, actor, undoKind, { fileId });
  const existing = counts.updated + counts.skipped;
  await sql`
    with slice as (
      insert into file_slices (account_id, file_id, slice_number, first_row, last_row, first_person_id, last_person_id,
        created, updated, skipped, done_at)
      values (${actor.accountId}, ${fileId}, 1, ${range.firstRow}, ${range.lastRow}, ${counts.firstPersonId},
        ${counts.lastPersonId}, ${counts.created}, ${counts.updated}, ${counts.skipped}, now())
    )
    update file_uploads set undo_id = ${undoId}, done = ${counts.created + existing}
    where account_id = ${actor.accountId} and file_id = ${fileId}`.execute(trx);
  await notify(trx, actor.accountId, [{ type: 'contacts.changed' }]);
  return { CreatedCount: counts.created, ExistingCount: existing, Existing, Invalid, UndoID: undoId };
}

/** The rows that created nobody, each with the contact that the import matched. */
async function listExisting(trx: Trx, plan: ImportPlan) {
  const { rows } = await sql<{ Position: number; PersonID: number; FirstName: string; LastName: string }>`
    select r.row_number as "Position", c.person_id as "PersonID", c.first_name as "FirstName", c.last_name as "LastName"
    from file_rows r
    ${matchesInBook(plan)}
    join contacts c on c.account_id = ${plan.accountId}
      and c.person_id = coalesce(first_phone.person_id, other_phone.person_id)
    where r.account_id = ${plan.accountId} and r.file_id = ${plan.fileId} and r.state = 'good'
      -- Another transaction may have added the same person a moment ago.
      and not exists (
        select from contacts made
        where made.account_id = ${plan.accountId} and made.primary_phone = r.phone1 and made.file_id = ${plan.fileId})
    order by r.row_number`.execute(trx);
  return rows;
}

function readPasted(items: { Name: string; PrimaryPhone: string }[], countryId: number): PastedRow[] {
  const firstRows = new Map<string, number>();
  return items.map(({ Name, PrimaryPhone }, index) => {
    const { FirstName, LastName } = splitName(Name.replace(/\p{C}/gu, ' '));
    const phone = PrimaryPhone.trim();
    const row = readFields(
      {
        firstName: FirstName,
        lastName: LastName,
        notes: '',
        phones: [phone, '', ''],
        groups: null,
        custom: null,
      },
      countryId,
    );
    const position = index + 1;
    const firstRow = row.state === 'rejected' ? null : (firstRows.get(row.phone1 ?? '') ?? null);
    if (row.state !== 'rejected' && firstRow === null) firstRows.set(row.phone1 ?? '', position);
    return { ...row, position, firstRow };
  });
}

/** The rows as those of a file without bytes: so one statement imports both, and one undoes both. */
async function keepPasted(trx: Trx, actor: Actor, listId: number, rows: PastedRow[]): Promise<number> {
  const summary = { ...emptySummary, RowCount: rows.length };
  const { file_id } = await trx
    .insertInto('file_uploads')
    .values({
      account_id: actor.accountId,
      user_id: actor.userId,
      file_key: pastedKey,
      file_name: 'Pasted contacts',
      byte_size: 0,
      stage: 'imported',
      structure: JSON.stringify({ Tabs: [] }),
      list_id: listId,
      consent_declared: true,
      consent_wording: consentRequired,
      consent_address: actor.address,
      summary: JSON.stringify(summary),
      ended_at: sql`now()`,
    })
    .returning('file_id')
    .executeTakeFirstOrThrow();
  await sql`
    insert into file_rows (account_id, file_id, row_number, state, first_row, first_name, last_name, phone1)
    select ${actor.accountId}::bigint, ${file_id}::bigint, row_number, case when first_row is null then 'good' else 'duplicate' end,
      first_row, first_name, last_name, phone1
    from unnest(
      ${rows.map(({ position }) => position)}::integer[], ${rows.map(({ firstRow }) => firstRow)}::integer[],
      ${rows.map(({ firstName }) => firstName)}::text[], ${rows.map(({ lastName }) => lastName)}::text[],
      ${rows.map(({ phone1 }) => phone1)}::text[]
    ) as p(row_number, first_row, first_name, last_name, phone1)`.execute(trx);
  return file_id;
}
