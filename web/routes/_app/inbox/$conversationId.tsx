import { createFileRoute } from '@tanstack/react-router';
import { threadPages } from '../../../conversations/inbox-queries.ts';
import { readConversationId } from '../../../conversations/inbox-view.ts';
import { queryClient } from '../../../queries/query-client.ts';

export const Route = createFileRoute('/_app/inbox/$conversationId')({
  params: {
    parse: ({ conversationId }) => ({ conversationId: readConversationId(conversationId) }),
    stringify: ({ conversationId }) => ({ conversationId: String(conversationId) }),
  },
  loader: ({ params: { conversationId } }) => {
    if (!Number.isNaN(conversationId)) void queryClient.prefetchInfiniteQuery(threadPages(conversationId));
  },
});
