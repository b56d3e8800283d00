import { type RawBuilder, sql } from 'kysely';
import type {
  deleteAudio as deleteDefinition,
  undoAudio as undoDefinition,
  updateAudioSelection as updateDefinition,
} from '../../contract/audio.ts';
import type { Input } from '../../contract/call.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import { selectedRows } from '../selection.ts';
import type { Actor } from '../serve.ts';
import { changeUndoably, rowsOfUndo, takeUndo } from '../undo.ts';
import { mayChange, shownAudio } from './queries.ts';

const kind = 'audio';
type Field = 'isFavorite' | 'isShared' | 'isDeleted';
/** Which field to put back, and to what. */
interface Before {
  field: Field;
  value: boolean;
}

export async function updateAudioSelection(
  trx: Trx,
  actor: Actor,
  { query, body: { Selection, Update } }: Input<typeof updateDefinition>,
) {
  const rows = selectedRows(sql`a.audio_id`, Selection, shownAudio(actor, query));
  if ('Favorite' in Update) {
    return change(trx, actor, { field: 'isFavorite', value: Update.Favorite, rows });
  }
  return change(trx, actor, {
    field: 'isShared',
    value: Update.Shared,
    rows: sql`${rows} and ${mayChange(actor)}`,
  });
}

export async function deleteAudio(
  trx: Trx,
  actor: Actor,
  { query, body: { Selection } }: Input<typeof deleteDefinition>,
) {
  const rows = selectedRows(sql`a.audio_id`, Selection, shownAudio(actor, query));
  return change(trx, actor, { field: 'isDeleted', value: true, rows: sql`${rows} and ${mayChange(actor)}` });
}

export async function undoAudio(trx: Trx, actor: Actor, { params }: Input<typeof undoDefinition>) {
  const before = await takeUndo<Before>(trx, actor, kind, params.UndoID);
  if (before === undefined) return { UndoExecuted: false, UndoID: null };
  const rows = sql`a.audio_id in ${rowsOfUndo(actor, params.UndoID)}`;
  const { UndoID } = await change(trx, actor, { field: before.field, value: before.value, rows });
  return { UndoExecuted: UndoID !== null, UndoID };
}

async function change(
  trx: Trx,
  actor: Actor,
  { field, value, rows }: { field: Field; value: boolean; rows: RawBuilder<unknown> },
) {
  const update = {
    isFavorite: () => starAudio(actor, rows, value),
    isShared: () => sql`
      update audio a set is_shared = ${value}, updated_at = now()
      where a.account_id = ${actor.accountId} and ${rows} and a.is_shared <> ${value}
      returning a.audio_id as row_id`,
    isDeleted: () => sql`
      update audio a set deleted_at = case when ${value} then now() end
      where a.account_id = ${actor.accountId} and ${rows} and (a.deleted_at is not null) <> ${value}
      returning a.audio_id as row_id`,
  }[field]();
  const { undoId, changed } = await changeUndoably(trx, actor, {
    kind,
    before: { field, value: !value },
    update,
  });
  await notify(trx, actor.accountId, [{ type: 'audio.changed' }]);
  return { UndoID: undoId, Size: changed };
}

/** Stars recordings for this user, or takes the stars off; returns what changed. */
export function starAudio(actor: Actor, rows: RawBuilder<unknown>, isStarred: boolean) {
  if (isStarred) {
    return sql`
      insert into audio_favorites (account_id, user_id, audio_id)
      select a.account_id, ${actor.userId}::bigint, a.audio_id from audio a
      where a.account_id = ${actor.accountId} and ${rows}
      on conflict do nothing returning audio_id as row_id`;
  }
  return sql`
    delete from audio_favorites f using audio a
    where f.account_id = ${actor.accountId} and f.user_id = ${actor.userId}
      and a.account_id = f.account_id and a.audio_id = f.audio_id and ${rows}
    returning f.audio_id as row_id`;
}
