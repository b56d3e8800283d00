import type { Input } from '../../../contract/call.ts';
import type { undoConversations as definition } from '../../../contract/conversations.ts';
import { takeBackConsent } from '../../consents/change-consent.ts';
import { consentEventsOf } from '../../consents/queries.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { takeUndo } from '../../undo.ts';
import { endWork } from '../../work.ts';
import { undoKind } from './change-conversations.ts';
import { changeOrWork, lockConversationWork } from './change-in-slices.ts';
import type { ConversationsUndo } from './update-conversations.ts';

/**
 * Undoes a change of conversations. The replaced state is saved under its own undo, so that this can be
 * undone too; except a declaration of consent, which has to be made again.
 */
export async function undoConversations(trx: Trx, actor: Actor, { params }: Input<typeof definition>) {
  await lockConversationWork(trx, actor.accountId);
  const before = await takeUndo<ConversationsUndo>(trx, actor, undoKind, params.UndoID);
  if (before === undefined) return { UndoExecuted: false, UndoID: null };
  // The change may still be running: its result so far is undone.
  await endWork(trx, actor, params.UndoID);
  const { undoId } = await changeOrWork(trx, actor, { kind: 'conversations.undo', undoId: params.UndoID });
  if (before.consent === undefined) return { UndoExecuted: true, UndoID: undoId };
  await takeBackConsent(trx, actor, before.consent);
  await notify(trx, actor.accountId, await consentEventsOf(trx, actor, before.consent.phone));
  return { UndoExecuted: true, UndoID: null };
}
