import { createFileRoute } from '@tanstack/react-router';
import { readListId } from '../../../../contacts/list/contacts-address.ts';
import { contactsAtFirst } from '../../../../contacts/list/contacts-queries.ts';
import { readListSearch } from '../../../../queries/list-search.ts';
import { queryClient } from '../../../../queries/query-client.ts';

export const Route = createFileRoute('/_app/contacts/_lists/group/$listId')({
  params: {
    parse: ({ listId }) => ({ listId: readListId(listId) }),
    stringify: ({ listId }) => ({ listId: String(listId) }),
  },
  // Only on arrival: later searches and pages load in the page itself.
  loader: ({ params: { listId }, location, cause }) => {
    if (cause !== 'stay' && !Number.isNaN(listId))
      void queryClient.prefetchQuery(contactsAtFirst(listId, readListSearch(location.search)));
  },
});
