import { type RawBuilder, sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import type {
  undoConversations as undoDefinition,
  updateConversations as updateDefinition,
  updateConversation as updateOneDefinition,
} from '../../contract/conversations.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import { selectedRows } from '../selection.ts';
import type { Actor } from '../serve.ts';
import { changeUndoably, rowsOfUndo, takeUndo } from '../undo.ts';
import { matchingConversations, requireConversation, requireThread } from './queries.ts';

const kind = 'conversations.isDone';

/** Sets IsDone on the conversations that a condition on `c` names, and can be taken back. */
function setDone(trx: Trx, actor: Actor, condition: RawBuilder<unknown>, isDone: boolean) {
  return changeUndoably(trx, actor, {
    kind,
    before: { IsDone: !isDone },
    update: sql`
      update conversations c set is_done = ${isDone}
      where ${condition} and c.account_id = ${actor.accountId} and c.is_done <> ${isDone}
      returning c.conversation_id as row_id`,
  });
}

export async function updateConversation(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof updateOneDefinition>,
) {
  const { conversationId } = await requireThread(trx, actor, params.ConversationID);
  const { undoId } = await setDone(trx, actor, sql`c.conversation_id = ${conversationId}`, body.IsDone);
  await notify(trx, actor.accountId, [{ type: 'conversation.changed', ConversationID: conversationId }]);
  return { ...(await requireConversation(trx, actor, conversationId)), UndoID: undoId };
}

export async function updateConversations(
  trx: Trx,
  actor: Actor,
  { query, body }: Input<typeof updateDefinition>,
) {
  const all = await matchingConversations(trx, actor, query);
  const condition = selectedRows(sql`c.conversation_id`, body.Selection, all);
  const { undoId, changed } = await setDone(trx, actor, condition, body.Update.IsDone);
  if (changed > 0) await notify(trx, actor.accountId, [{ type: 'conversations.changed' }]);
  return { UndoID: undoId, Size: changed };
}

export async function undoConversations(trx: Trx, actor: Actor, { params }: Input<typeof undoDefinition>) {
  const before = await takeUndo<{ IsDone: boolean }>(trx, actor, kind, params.UndoID);
  if (before === undefined) return { UndoExecuted: false, UndoID: null };
  const rows = sql`c.conversation_id in ${rowsOfUndo(actor, params.UndoID)}`;
  const { undoId } = await setDone(trx, actor, rows, before.IsDone);
  await notify(trx, actor.accountId, [{ type: 'conversations.changed' }]);
  return { UndoExecuted: true, UndoID: undoId };
}
