import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { isTextStatusCode, textStatuses } from '../../../contract/delivery/text-status.ts';
import { Refusal } from '../../../contract/errors.ts';
import { characterLimit } from '../../../contract/forms/compose-text.ts';
import { cutText } from '../../../contract/text/cut-text.ts';
import type { resendTextMessage as definition } from '../../../contract/text-messages.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { holdConversations } from '../change/change-conversations.ts';
import { requireThreadOfText, textGone } from './get-text-message.ts';
import { sendInThread } from './send-text-message.ts';

interface SentText {
  message_id: number;
  is_inbound: boolean;
  status: string;
  body: string;
  media_ids: number[];
}

/**
 * Sends a failed text again: as a new text in the current conversation, with the original words and
 * signature. The failed one stays. One with unknown status may have arrived; the user was warned about that.
 */
export async function resendTextMessage(trx: Trx, actor: Actor, { params, body }: Input<typeof definition>) {
  const thread = await requireThreadOfText(trx, actor, params.TextMessageID);
  // If two send it again at once, the second sees that it was sent.
  await holdConversations(trx, actor, sql`c.conversation_id = ${thread.conversationId}`);
  const { rows } = await sql<SentText>`
    select message_id, is_inbound, status, body, media_ids from all_messages
    where account_id = ${actor.accountId} and message_id = ${params.TextMessageID}`.execute(trx);
  const [text] = rows;
  if (text === undefined) throw new Refusal('notFound', textGone);
  refuseUnlessFailed(text);
  const message = body.TruncateIfExceedsLimit ? cutText(text.body, await limitOf(trx, actor)) : text.body;
  await refuseIfSentAgain(trx, actor, thread, { ...text, message });
  return sendInThread(trx, actor, thread, {
    message,
    mediaIds: text.media_ids,
    includeSignature: false,
    // Its characters, plain or not, were decided the first time.
    keepCharacters: true,
  });
}

function refuseUnlessFailed({ is_inbound, status }: { is_inbound: boolean; status: string }): void {
  if (is_inbound || !isTextStatusCode(status)) {
    throw new Refusal('refused', 'Only texts that were sent from here can be sent again.');
  }
  const { kind, rank } = textStatuses[status];
  if (kind === 'good')
    throw new Refusal('refused', 'This text has arrived. Write a new one to send it again.');
  if (rank < textStatuses.unknown.rank) {
    throw new Refusal('refused', 'This text is on its way. It can be sent again if it fails.');
  }
}

async function limitOf(trx: Trx, actor: Actor): Promise<number> {
  const { text_character_limit } = await trx
    .selectFrom('users')
    .select('text_character_limit')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .executeTakeFirstOrThrow();
  return characterLimit(text_character_limit);
}

/** Two windows, or two users: the same words have been sent since and have not failed. */
async function refuseIfSentAgain(
  trx: Trx,
  actor: Actor,
  { textNumberId, phone }: { textNumberId: number; phone: string },
  text: { message_id: number; message: string; media_ids: number[] },
): Promise<void> {
  const ended = Object.entries(textStatuses).filter(([, { rank }]) => rank === textStatuses.unknown.rank);
  const { rows } = await sql`
    select from all_messages m
    where m.account_id = ${actor.accountId} and m.text_number_id = ${textNumberId} and m.phone = ${phone}
      and m.message_id > ${text.message_id} and not m.is_inbound and m.origin = 'conversation'
      and m.body = ${text.message} and m.media_ids = ${text.media_ids}::bigint[]
      and m.status <> all(${ended.map(([code]) => code)}::text[])
    limit 1`.execute(trx);
  if (rows.length > 0) throw new Refusal('refused', 'This text was sent again already.');
}
