import type { Input } from '../../contract/call.ts';
import type { createConversation as definition } from '../../contract/conversations.ts';
import { refuseField } from '../../contract/errors.ts';
import { validatePhone } from '../../contract/phone/validate-phone.ts';
import type { Trx } from '../db.ts';
import { createText } from '../messages/create-text.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';
import { requireConversation } from './queries.ts';
import { touchConversation } from './touch-conversation.ts';

export async function createConversation(trx: Trx, actor: Actor, { body }: Input<typeof definition>) {
  const { Contact, Message, MmsOutboundMedia } = body.LastMessage;
  const { country_id } = await trx
    .selectFrom('accounts')
    .select('country_id')
    .where('account_id', '=', actor.accountId)
    .executeTakeFirstOrThrow();
  const { phone, error } = validatePhone(Contact.PrimaryPhone, country_id);
  if (phone === undefined) throw refuseField('LastMessage.Contact.PrimaryPhone', error);
  const text = await createText(trx, actor, {
    textNumberId: body.TextNumberID,
    phone,
    message: Message,
    mediaIds: MmsOutboundMedia.map((item) => item.MediaID),
    includeSignature: body.IncludeSignature,
  });
  const conversationId = await touchConversation(trx, actor, {
    textNumberId: body.TextNumberID,
    phone,
    ...text,
  });
  await notify(trx, actor.accountId, [
    { type: 'conversation.changed', ConversationID: conversationId },
    { type: 'credits.changed' },
  ]);
  return { ...(await requireConversation(trx, actor, conversationId)), TextMessageID: text.messageId };
}
