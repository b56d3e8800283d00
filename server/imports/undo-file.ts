import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type { cancelFile as cancelDefinition, undoFile as definition } from '../../contract/imports.ts';
import { deleteImported } from '../contacts/change/undo-imported.ts';
import { lockContacts } from '../contacts/lock-contacts.ts';
import type { Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';
import { takeUndo } from '../undo.ts';
import { getFile, refuseUnlessStage, requireFile } from './queries.ts';
import { takeBackConsents } from './take-back-consents.ts';

export const undoKind = 'files.import';

/** Undoes a whole import, or pasted contacts. It continues in the background. */
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

/** Cancels a file; the completed part of a running import is undone. */
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
 * Undoes one slice of an import, in sets: permanently removes contacts that it created and nobody has changed
 * since, removes memberships that it added, restores values that are still the file's, and withdraws its
 * declarations of consent.
 */
export async function undoSlice(trx: Trx, part: UndonePart): Promise<void> {
  await lockContacts(trx, part.accountId);
  await takeBackConsents(trx, part);
  await deleteImported(trx, part);
}
