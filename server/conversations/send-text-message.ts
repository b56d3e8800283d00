import type { Input } from '../../contract/call.ts';
import type { sendTextMessage as definition } from '../../contract/conversations.ts';
import type { Trx } from '../db.ts';
import { createText } from '../messages/create-text.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';
import { getTextRow, requireThread } from './queries.ts';
import { touchConversation } from './touch-conversation.ts';

export async function sendTextMessage(trx: Trx, actor: Actor, { params, body }: Input<typeof definition>) {
  const thread = await requireThread(trx, actor, params.ConversationID);
  const text = await createText(trx, actor, {
    textNumberId: thread.textNumberId,
    phone: thread.phone,
    message: body.Message,
    mediaIds: body.MmsOutboundMedia.map((item) => item.MediaID),
    includeSignature: body.IncludeSignature,
  });
  await touchConversation(trx, actor, { ...thread, ...text });
  await notify(trx, actor.accountId, [
    { type: 'conversation.changed', ConversationID: thread.conversationId },
    { type: 'credits.changed' },
  ]);
  return getTextRow(trx, actor, text.messageId);
}
