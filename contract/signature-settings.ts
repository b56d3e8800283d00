import { z } from 'zod';
import { call, id } from './call.ts';

/** Lower-case, as the specification writes it. */
const signatureSetting = z.object({ isEnabled: z.boolean() });

export const getSignatureSetting = call({
  method: 'GET',
  path: '/conversations/:ConversationID/signaturesetting',
  summary:
    'Says whether the user’s signature is added to texts in this conversation. Uses the user’s general setting until it is set here.',
  allow: 'readConversations',
  params: z.object({ ConversationID: id }),
  reply: signatureSetting,
  errors: ['notFound'],
});

export const updateSignatureSetting = call({
  method: 'PUT',
  path: '/conversations/:ConversationID/signaturesetting',
  summary: 'Turns the user’s signature on or off for this conversation.',
  allow: 'manageConversations',
  event: 'none',
  params: z.object({ ConversationID: id }),
  body: signatureSetting,
  reply: signatureSetting,
  errors: ['notFound'],
});
