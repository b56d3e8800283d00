import { createFileRoute } from '@tanstack/react-router';
import { readConversationId } from '../../../conversations/inbox-address.ts';
import { queryClient } from '../../../queries/query-client.ts';
import { threadPages } from '../../../queries/thread.ts';

export const Route = createFileRoute('/_app/inbox/$conversationId')({
  params: {
    parse: ({ conversationId }) => ({ conversationId: readConversationId(conversationId) }),
    stringify: ({ conversationId }) => ({ conversationId: String(conversationId) }),
  },
  loader: ({ params: { conversationId } }) => {
    if (!Number.isNaN(conversationId)) void queryClient.prefetchInfiniteQuery(threadPages(conversationId));
  },
});
