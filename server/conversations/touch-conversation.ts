import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';

/**
 * A text of ours goes out: the conversation exists, shows it as the last message, is read and open,
 * and nobody waits in it any more. Returns its id.
 */
export async function touchConversation(
  trx: Trx,
  actor: Actor,
  text: { textNumberId: number; phone: string; messageId: number; createdAt: Date },
): Promise<number> {
  const row = await trx
    .insertInto('conversations')
    .values({
      account_id: actor.accountId,
      text_number_id: text.textNumberId,
      phone: text.phone,
      last_message_id: text.messageId,
      last_message_at: text.createdAt,
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'text_number_id', 'phone']).doUpdateSet({
        last_message_id: text.messageId,
        last_message_at: sql`greatest(conversations.last_message_at, excluded.last_message_at)`,
        waiting_since: null,
        unread_count: 0,
        is_done: false,
        is_retired: false,
      }),
    )
    .returning('conversation_id')
    .executeTakeFirstOrThrow();
  return row.conversation_id;
}
