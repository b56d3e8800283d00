import { createFileRoute } from '@tanstack/react-router';
import { readBroadcastId } from '../../../broadcasts/broadcast-address.ts';

export const Route = createFileRoute('/_app/broadcast-details/$broadcastId/text-replies/$conversationId')({
  params: {
    parse: ({ conversationId }) => ({ conversationId: readBroadcastId(conversationId) }),
    stringify: ({ conversationId }) => ({ conversationId: String(conversationId) }),
  },
});
