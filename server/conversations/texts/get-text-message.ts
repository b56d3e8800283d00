import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { getTextMessage as definition } from '../../../contract/text-messages.ts';
import { isOfUsableNumber } from '../../access/queries.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { getTextRow } from '../queries.ts';

export const textGone = 'That text is no longer here.';

/** One text and its conversation. A link to it still works when it is in the archive. */
export async function getTextMessage(trx: Trx, actor: Actor, { params }: Input<typeof definition>) {
  const { conversationId } = await requireThreadOfText(trx, actor, params.TextMessageID);
  return { ...(await getTextRow(trx, actor, params.TextMessageID)), ConversationID: conversationId };
}

/**
 * The conversation of a text: where it was written, or the one that continues it. Limited to numbers that
 * this actor may use; system notifications to users belong to no conversation.
 */
export async function requireThreadOfText(trx: Trx, actor: Actor, messageId: number) {
  const { rows } = await sql<{ conversationId: number; textNumberId: number; phone: string }>`
    with recursive place as (
      select c.conversation_id, c.text_number_id, c.phone, c.is_retired, c.continued_in_id, 0 as moves
      from all_messages m
      join conversations c on c.account_id = m.account_id and c.text_number_id = m.text_number_id and c.phone = m.phone
      where m.account_id = ${actor.accountId} and m.message_id = ${messageId} and m.origin <> 'notification'
        and ${isOfUsableNumber(actor, sql`m.text_number_id`)}
      union all
      select c.conversation_id, c.text_number_id, c.phone, c.is_retired, c.continued_in_id, p.moves + 1
      from place p
      join conversations c on c.account_id = ${actor.accountId} and c.conversation_id = p.continued_in_id
      where p.is_retired and p.moves < 20
    )
    select conversation_id as "conversationId", text_number_id as "textNumberId", phone from place
    where ${isOfUsableNumber(actor, sql`text_number_id`)}
    order by moves desc limit 1`.execute(trx);
  const thread = rows[0];
  if (thread === undefined) throw new Refusal('notFound', textGone);
  return thread;
}
