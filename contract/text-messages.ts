import { z } from 'zod';
import { call, id } from './call.ts';
import { textMessage } from './conversations.ts';

export const getTextMessage = call({
  method: 'GET',
  path: '/textmessages/:TextMessageID',
  summary: 'Returns a text and its conversation.',
  allow: 'readConversations',
  params: z.object({ TextMessageID: id }),
  reply: textMessage.extend({ ConversationID: z.number().int() }),
  errors: ['notFound'],
});

export const resendTextMessage = call({
  method: 'PUT',
  path: '/textmessages/:TextMessageID',
  summary:
    'Sends a failed text again as a new text. TruncateIfExceedsLimit shortens a text over the user’s limit; without it, the call fails.',
  allow: 'replyInConversation',
  event: 'text.sent',
  takesIdempotencyKey: true,
  params: z.object({ TextMessageID: id }),
  body: z.object({ TruncateIfExceedsLimit: z.boolean().default(false) }),
  reply: textMessage,
  errors: ['notFound', 'refused', 'notEnoughCredits', 'keyReused'],
});
