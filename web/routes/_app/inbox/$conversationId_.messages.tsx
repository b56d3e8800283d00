import { createFileRoute, redirect } from '@tanstack/react-router';
import { readConversationId, readInboxSearch } from '../../../conversations/inbox-address.ts';

/** The same thread under its longer address. */
export const Route = createFileRoute('/_app/inbox/$conversationId_/messages')({
  validateSearch: readInboxSearch,
  beforeLoad: ({ params, search }) => {
    const conversationId = readConversationId(params.conversationId);
    throw redirect({ to: '/inbox/$conversationId', params: { conversationId }, search, replace: true });
  },
});
