import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type { viewConversation as definition } from '../../../contract/conversations.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { requireConversation, requireThread } from '../queries.ts';
import { writeConversations } from '../write-conversations.ts';

/** A user views a conversation: it becomes read, and others see who viewed it last. */
export async function viewConversation(trx: Trx, actor: Actor, { params }: Input<typeof definition>) {
  const { conversationId } = await requireThread(trx, actor, params.ConversationID);
  await trx
    .insertInto('conversation_views')
    .values({ account_id: actor.accountId, conversation_id: conversationId, user_id: actor.userId })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'conversation_id', 'user_id'])
        .doUpdateSet({ last_view_at: sql`now()` }),
    )
    .execute();
  const [read] = await writeConversations(trx, {
    isPrepared: true,
    write: sql`
      update conversations c set unread_count = 0
      where c.account_id = ${actor.accountId} and c.conversation_id = ${conversationId} and c.unread_count > 0`,
  });
  if (read?.changed === 1) {
    await notify(trx, actor.accountId, [{ type: 'conversation.read', ConversationID: conversationId }]);
  }
  return requireConversation(trx, actor, conversationId);
}
