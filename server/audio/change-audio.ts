import { type RawBuilder, sql } from 'kysely';
import type {
  deleteAudio as deleteDefinition,
  undoAudio as undoDefinition,
  updateAudioSelection as updateDefinition,
} from '../../contract/audio.ts';
import type { Input } from '../../contract/call.ts';
import { changeLibrary, undoLibrary } from '../change-library.ts';
import type { Trx } from '../db.ts';
import { selectedRows } from '../selection.ts';
import type { Actor } from '../serve.ts';
import { mayChange, shownAudio } from './queries.ts';

export async function updateAudioSelection(
  trx: Trx,
  actor: Actor,
  { query, body: { Selection, Update } }: Input<typeof updateDefinition>,
) {
  const rows = selectedRows(sql`a.audio_id`, Selection, shownAudio(actor, query));
  if ('Favorite' in Update) {
    return changeLibrary(trx, actor, library, { field: 'isFavorite', value: Update.Favorite, rows });
  }
  return changeLibrary(trx, actor, library, {
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
  return changeLibrary(trx, actor, library, {
    field: 'isDeleted',
    value: true,
    rows: sql`${rows} and ${mayChange(actor)}`,
  });
}

export async function undoAudio(trx: Trx, actor: Actor, { params }: Input<typeof undoDefinition>) {
  return undoLibrary(trx, actor, library, params.UndoID);
}

/** Stars recordings for this user, or removes the stars; returns what changed. */
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

const library = {
  kind: 'audio',
  changed: { type: 'audio.changed' },
  id: sql`a.audio_id`,
  updates: {
    isFavorite: starAudio,
    isShared: (actor: Actor, rows: RawBuilder<unknown>, value: boolean) => sql`
      update audio a set is_shared = ${value}, updated_at = now()
      where a.account_id = ${actor.accountId} and ${rows} and a.is_shared <> ${value}
      returning a.audio_id as row_id`,
    isDeleted: (actor: Actor, rows: RawBuilder<unknown>, value: boolean) => sql`
      update audio a set deleted_at = case when ${value} then now() end
      where a.account_id = ${actor.accountId} and ${rows} and (a.deleted_at is not null) <> ${value}
      returning a.audio_id as row_id`,
  },
} as const;
