import { z } from 'zod';
import { call, id } from './call.ts';

/** Lower-case, as the specification writes it. */
const signatureSetting = z.object({ isEnabled: z.boolean() });

export const getSignatureSetting = call({
  method: 'GET',
  path: '/conversations/:ConversationID/signaturesetting',
  summary:
    'Whether the user’s signature goes with texts in this conversation; as everywhere until it is set here.',
  allow: 'readConversations',
  params: z.object({ ConversationID: id }),
  reply: signatureSetting,
  errors: ['notFound'],
});

export const updateSignatureSetting = call({
  method: 'PUT',
  path: '/conversations/:ConversationID/signaturesetting',
  summary: 'Switches the user’s signature on or off for this conversation.',
  allow: 'manageConversations',
  event: 'none',
  params: z.object({ ConversationID: id }),
  body: signatureSetting,
  reply: signatureSetting,
  errors: ['notFound'],
});
