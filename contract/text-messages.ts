import { z } from 'zod';
import { call, id } from './call.ts';
import { textMessage } from './conversations.ts';

export const getTextMessage = call({
  method: 'GET',
  path: '/textmessages/:TextMessageID',
  summary: 'One text and the conversation it stands in.',
  allow: 'readConversations',
  params: z.object({ TextMessageID: id }),
  reply: textMessage.extend({ ConversationID: z.number().int() }),
  errors: ['notFound'],
});

export const resendTextMessage = call({
  method: 'PUT',
  path: '/textmessages/:TextMessageID',
  summary:
    'Sends a text that failed again, as a new text. TruncateIfExceedsLimit cuts one that is longer than the user’s limit; without it such a one is refused.',
  allow: 'replyInConversation',
  event: 'text.sent',
  takesIdempotencyKey: true,
  params: z.object({ TextMessageID: id }),
  body: z.object({ TruncateIfExceedsLimit: z.boolean().default(false) }),
  reply: textMessage,
  errors: ['notFound', 'refused', 'notEnoughCredits', 'keyReused'],
});
