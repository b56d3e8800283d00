import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type { sendTextMessage as definition } from '../../../contract/conversations.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { Trx } from '../../db.ts';
import { refuseUnlessTextableMedia } from '../../media/queries.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { holdConversations } from '../change/change-conversations.ts';
import { getTextRow, requireThread } from '../queries.ts';
import { createText, type NewText } from './create-text.ts';

interface Thread {
  conversationId: number;
  textNumberId: number;
  phone: string;
}

export async function sendTextMessage(trx: Trx, actor: Actor, { params, body }: Input<typeof definition>) {
  refuseUnlessWriter(actor, body);
  const thread = await requireThread(trx, actor, params.ConversationID);
  if (body.LastTextMessageID !== undefined) {
    // If two answer at once, the second sees what the first wrote.
    await holdConversations(trx, actor, sql`c.conversation_id = ${thread.conversationId}`);
    await refuseIfAnswered(trx, actor, thread, body.LastTextMessageID);
  }
  const mediaIds = body.MmsOutboundMedia.map((item) => item.MediaID);
  await refuseUnlessTextableMedia(trx, actor, mediaIds, 'MmsOutboundMedia');
  return sendInThread(trx, actor, thread, {
    message: body.Message,
    mediaIds,
    includeSignature: body.IncludeSignature,
    keepCharacters: body.KeepCharacters,
  });
}

/** A text that waited in a browser belongs to who wrote it, not to who has signed in there since. */
export function refuseUnlessWriter(actor: Actor, { UserID }: { UserID?: number | undefined }): void {
  if (UserID !== undefined && UserID !== actor.userId)
    throw new Refusal('refused', 'Another user has signed in to this browser since you wrote this text.');
}

/** Sends a text in a conversation that the actor may use, and shows it to users who are viewing it. */
export async function sendInThread(
  trx: Trx,
  actor: Actor,
  { textNumberId, phone }: Thread,
  text: Omit<NewText, 'textNumberId' | 'phone'>,
) {
  const { messageId, conversationId } = await createText(trx, actor, { ...text, textNumberId, phone });
  await notify(trx, actor.accountId, [
    { type: 'conversation.changed', ConversationID: conversationId },
    { type: 'credits.changed' },
  ]);
  return getTextRow(trx, actor, messageId);
}

/** Another user has written since the latest text that the writer has seen. */
async function refuseIfAnswered(
  trx: Trx,
  actor: Actor,
  { textNumberId, phone }: Thread,
  lastSeenId: number,
): Promise<void> {
  // Ids are assigned in order; the time, with a minute's tolerance for differing clocks, keeps the scan
  // short.
  const { rows } = await sql<{ messageId: number; name: string }>`
    select m.message_id as "messageId", u.first_name || ' ' || u.last_name as name
    from messages m join users u on u.account_id = m.account_id and u.user_id = m.user_id
    where m.account_id = ${actor.accountId} and m.text_number_id = ${textNumberId} and m.phone = ${phone}
      and m.created_at >= coalesce((
        select s.created_at - interval '1 minute' from messages s
        where s.account_id = ${actor.accountId} and s.message_id = ${lastSeenId}), '-infinity')
      and m.message_id > ${lastSeenId} and not m.is_inbound and m.origin = 'conversation'
      and m.user_id <> ${actor.userId}
    order by m.created_at desc, m.message_id desc limit 1`.execute(trx);
  const answer = rows[0];
  if (answer === undefined) return;
  throw new Refusal(
    'conflict',
    `${answer.name} has already replied. Read their reply before you send yours.`,
    {
      extendedData: { Name: 'AnsweredMeanwhile', TextMessageID: answer.messageId },
    },
  );
}
