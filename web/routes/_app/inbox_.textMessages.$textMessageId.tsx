import { createFileRoute, notFound, redirect } from '@tanstack/react-router';
import { getTextMessage } from '../../../contract/addresses/conversations.gen.ts';
import { isNotFound } from '../../api.ts';
import { readConversationId, readInboxSearch } from '../../conversations/inbox-address.ts';
import { callQuery } from '../../queries/calls.ts';
import { queryClient } from '../../queries/query-client.ts';

/** A text by its ID: redirects to it in its conversation. */
export const Route = createFileRoute('/_app/inbox_/textMessages/$textMessageId')({
  validateSearch: readInboxSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ params, deps }) => {
    const textMessageId = readConversationId(params.textMessageId);
    if (Number.isNaN(textMessageId)) throw notFound();
    const text = callQuery(getTextMessage, { params: { TextMessageID: textMessageId } });
    const { ConversationID } = await queryClient.fetchQuery(text).catch((error: unknown) => {
      throw isNotFound(error) ? notFound() : error;
    });
    throw redirect({
      to: '/inbox/$conversationId',
      params: { conversationId: ConversationID },
      search: { ...deps, textMessageId },
      replace: true,
    });
  },
});
