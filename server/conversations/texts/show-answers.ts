import { sql } from 'kysely';
import type { Trx } from '../../db.ts';
import { writeConversations } from '../write-conversations.ts';

/**
 * Records automatic replies in their conversations. They don't mark anything as read, reopen nothing and end
 * nobody's wait; the list shows them only if nothing from the person is unread, so that it shows the person's
 * words and not ours.
 */
export async function showAnswers(
  trx: Trx,
  answers: { accountId: number; conversationId: number; messageId: number; createdAt: Date }[],
): Promise<void> {
  if (answers.length === 0) return;
  const column = <T>(pick: (answer: (typeof answers)[number]) => T) => answers.map(pick);
  await writeConversations(trx, {
    first: sql`
      latest as (
        select account_id, conversation_id, max(message_id) as message_id, max(at) as at
        from unnest(
          ${column((a) => a.accountId)}::bigint[], ${column((a) => a.conversationId)}::bigint[],
          ${column((a) => a.messageId)}::bigint[], ${column((a) => a.createdAt)}::timestamptz[]
        ) as t(account_id, conversation_id, message_id, at)
        group by account_id, conversation_id
      )`,
    write: sql`
      update conversations c
      set last_message_id = l.message_id, last_message_at = greatest(c.last_message_at, l.at)
      from latest l
      where c.account_id = l.account_id and c.conversation_id = l.conversation_id and c.unread_count = 0`,
  });
}
