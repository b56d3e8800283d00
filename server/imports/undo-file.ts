import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type { cancelFile as cancelDefinition, undoFile as definition } from '../../contract/imports.ts';
import { lockContacts } from '../contacts/lock-contacts.ts';
import type { Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';
import { takeUndo } from '../undo.ts';
import { getFile, refuseUnlessStage, requireFile } from './queries.ts';
import { takeBackConsents } from './take-back-consents.ts';

export const undoKind = 'files.import';

/** Takes a whole import back, or what was pasted. It goes on in the background. */
export async function undoFile(trx: Trx, actor: Actor, { params }: Input<typeof definition>) {
  const undo = await takeUndo<{ fileId: number }>(trx, actor, undoKind, params.UndoID);
  if (undo === undefined) return { UndoExecuted: false, UndoID: null };
  const { numUpdatedRows } = await trx
    .updateTable('file_uploads')
    .set(beginUndo)
    .where('account_id', '=', actor.accountId)
    .where('file_id', '=', undo.fileId)
    .where('stage', '=', 'imported')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return { UndoExecuted: false, UndoID: null };
  await enqueue(trx, 'advance_files', {});
  await notify(trx, actor.accountId, [{ type: 'file.changed', FileID: undo.fileId }]);
  return { UndoExecuted: true, UndoID: null };
}

const beginUndo = {
  stage: 'undoing' as const,
  stage_started_at: sql<Date>`clock_timestamp()`,
  total: sql<number>`done`,
  done: 0,
  undo_id: null,
  lease_id: null,
  lease_until: null,
};

/** Cancels a file; what an import that is under way has done is taken back. */
export async function cancelFile(trx: Trx, actor: Actor, { params }: Input<typeof cancelDefinition>) {
  const file = await requireFile(trx, actor, params.FileID, 'lock');
  if (file.stage === 'imported')
    throw new Refusal('conflict', 'The file has been imported. The import can be undone.');
  const own = trx
    .updateTable('file_uploads')
    .where('account_id', '=', actor.accountId)
    .where('file_id', '=', params.FileID);
  if (file.stage === 'importing') await own.set({ ...beginUndo, is_cancel_asked: true }).execute();
  else if (file.stage !== 'canceled') {
    refuseUnlessStage(file, ['mapping', 'processing', 'review', 'failed']);
    await own
      .set({
        stage: 'canceled',
        ended_at: sql`now()`,
        is_cancel_asked: true,
        lease_id: null,
        lease_until: null,
      })
      .execute();
  }
  await enqueue(trx, 'advance_files', {});
  await notify(trx, actor.accountId, [{ type: 'file.changed', FileID: params.FileID }]);
  return getFile(trx, actor, params.FileID);
}

export interface UndonePart {
  accountId: number;
  fileId: number;
  userId: number;
  firstRow: number;
  lastRow: number;
  firstPersonId: number | null;
  lastPersonId: number | null;
}

/**
 * Takes one slice of an import back, in sets: contacts that it made and nobody has changed since are removed for
 * good, memberships that it added are taken out, values are put back where they are still the file's, and its
 * declarations of consent are withdrawn. Counts, search and "unfiled" follow by the triggers.
 */
export async function undoSlice(trx: Trx, part: UndonePart): Promise<void> {
  await lockContacts(trx, part.accountId);
  await takeBackConsents(trx, part);
  if (part.firstPersonId === null) return;
  await sql`
    delete from contacts
    where account_id = ${part.accountId} and person_id between ${part.firstPersonId} and ${part.lastPersonId}
      and file_id = ${part.fileId} and updated_at = created_at`.execute(trx);
}

/** Contacts that were there before the import, a set at a time. False when none are left. */
export async function undoChanges(
  trx: Trx,
  accountId: number,
  fileId: number,
  most: number,
): Promise<boolean> {
  await lockContacts(trx, accountId);
  const { rows } = await sql<{ taken: number }>`
    with taken as materialized (
      delete from file_changes
      where account_id = ${accountId} and file_id = ${fileId} and person_id <= (
        select max(person_id) from (
          select person_id from file_changes where account_id = ${accountId} and file_id = ${fileId}
          order by person_id limit ${most}) first_changes)
      returning person_id, before, joined_groups
    ),
    left_groups as (
      delete from group_members m using taken t, unnest(t.joined_groups) as joined(group_id)
      where m.account_id = ${accountId} and m.person_id = t.person_id and m.group_id = joined.group_id
    ),
    restored as (
      update contacts c
      set first_name = t.before ->> 'first_name', last_name = t.before ->> 'last_name', notes = t.before ->> 'notes',
        secondary_phone = t.before ->> 'secondary_phone', tertiary_phone = t.before ->> 'tertiary_phone',
        custom_data = t.before -> 'custom_data', updated_at = (t.before ->> 'updated_at')::timestamptz
      from taken t
      where c.account_id = ${accountId} and c.person_id = t.person_id and t.before is not null
        -- Somebody who changed it since keeps it.
        and c.updated_at = (t.before ->> 'changed_at')::timestamptz
    )
    select count(*) as taken from taken`.execute(trx);
  return (rows[0]?.taken ?? 0) > 0;
}
