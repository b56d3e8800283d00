import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type { markConversationUnread as definition } from '../../../contract/conversations.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { requireConversation, requireThread } from '../queries.ts';
import { changeConversations, holdConversations } from './change-conversations.ts';

/** Marks a conversation as unread: one that was done or snoozed is open again. */
export async function markConversationUnread(trx: Trx, actor: Actor, { params }: Input<typeof definition>) {
  const { conversationId } = await requireThread(trx, actor, params.ConversationID);
  const ids = await holdConversations(trx, actor, sql`c.conversation_id = ${conversationId}`);
  const { events } = await changeConversations(trx, actor, ids, { change: { isUnread: true }, undoId: null });
  await notify(trx, actor.accountId, events);
  return requireConversation(trx, actor, conversationId);
}
