import { createFileRoute } from '@tanstack/react-router';
import { specialGroups } from '../../../../../contract/contacts.ts';
import { contactsAtFirst } from '../../../../contacts/list/contacts-queries.ts';
import { readListSearch } from '../../../../queries/list-search.ts';
import { queryClient } from '../../../../queries/query-client.ts';

export const Route = createFileRoute('/_app/contacts/_lists/')({
  // Only on arrival: later searches and pages load in the page itself.
  loader: ({ location, cause }) => {
    if (cause !== 'stay')
      void queryClient.prefetchQuery(
        contactsAtFirst(specialGroups.everyone, readListSearch(location.search)),
      );
  },
});
