import { sql } from 'kysely';
import type {
  deleteBroadcast as definition,
  undoBroadcasts as undoDefinition,
} from '../../../contract/broadcasts.ts';
import type { Input } from '../../../contract/call.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { changeUndoably, rowsOfUndo, takeUndo } from '../../undo.ts';
import { cancelBroadcast } from '../feed/change-broadcast.ts';
import { lockBroadcast } from '../lock-broadcast.ts';

const kind = 'broadcasts.isDeleted';

/**
 * Its sent messages stay in the conversations. An unfinished one is canceled first, and stays so when it is
 * restored.
 */
export async function deleteBroadcast(trx: Trx, actor: Actor, { params }: Input<typeof definition>) {
  const row = await lockBroadcast(trx, actor, params.BroadcastID);
  const isOver = row.status === 'sent' || row.status === 'completed' || row.status === 'canceled';
  if (!isOver) await cancelBroadcast(trx, actor, row);
  const { undoId } = await changeUndoably(trx, actor, {
    kind,
    before: { isDeleted: false },
    update: setDeleted(actor, sql`(${row.broadcast_id}::bigint)`, true),
  });
  await tell(trx, actor);
  return { UndoID: undoId };
}

export async function undoBroadcasts(trx: Trx, actor: Actor, { params }: Input<typeof undoDefinition>) {
  const before = await takeUndo<{ isDeleted: boolean }>(trx, actor, kind, params.UndoID);
  if (before === undefined) return { UndoExecuted: false, UndoID: null };
  const { undoId } = await changeUndoably(trx, actor, {
    kind,
    before: { isDeleted: !before.isDeleted },
    update: setDeleted(actor, rowsOfUndo(actor, params.UndoID), before.isDeleted),
  });
  await tell(trx, actor);
  return { UndoExecuted: undoId !== null, UndoID: undoId };
}

function setDeleted(actor: Actor, rows: ReturnType<typeof rowsOfUndo>, isDeleted: boolean) {
  return sql`
    update broadcasts set deleted_at = ${isDeleted ? sql`now()` : null}, updated_at = now()
    where account_id = ${actor.accountId} and broadcast_id in ${rows}
      and (deleted_at is null) = ${isDeleted}::boolean
    returning broadcast_id as row_id`;
}

function tell(trx: Trx, actor: Actor): Promise<void> {
  return notify(trx, actor.accountId, [{ type: 'broadcasts.changed' }]);
}
