import { type RawBuilder, sql } from 'kysely';
import type { Event } from '../contract/events.ts';
import type { Trx } from './db.ts';
import { notify } from './notify.ts';
import type { Actor } from './serve.ts';
import { changeUndoably, rowsOfUndo, takeUndo } from './undo.ts';

type Field = 'isFavorite' | 'isShared' | 'isDeleted';
type Update = (actor: Actor, rows: RawBuilder<unknown>, value: boolean) => RawBuilder<unknown>;

/** A library of saved things, texts or recordings. The slices write its tables. */
interface Library {
  kind: 'templates' | 'audio';
  changed: Event;
  id: RawBuilder<unknown>;
  /** Set the field of these rows; each returns the changed rows as row_id. */
  updates: Record<Field, Update>;
}

interface LibraryChange {
  field: Field;
  value: boolean;
  rows: RawBuilder<unknown>;
}

/** Stars, shares or deletes things of a library, so that it can be undone. */
export async function changeLibrary(
  trx: Trx,
  actor: Actor,
  { kind, changed, updates }: Library,
  { field, value, rows }: LibraryChange,
) {
  const { undoId, changed: size } = await changeUndoably(trx, actor, {
    kind,
    before: { field, value: !value },
    update: updates[field](actor, rows, value),
  });
  await notify(trx, actor.accountId, [changed]);
  return { UndoID: undoId, Size: size };
}

export async function undoLibrary(trx: Trx, actor: Actor, library: Library, undoId: number) {
  const before = await takeUndo<Pick<LibraryChange, 'field' | 'value'>>(trx, actor, library.kind, undoId);
  if (before === undefined) return { UndoExecuted: false, UndoID: null };
  const rows = sql`${library.id} in ${rowsOfUndo(actor, undoId)}`;
  const { UndoID } = await changeLibrary(trx, actor, library, { ...before, rows });
  return { UndoExecuted: UndoID !== null, UndoID };
}
