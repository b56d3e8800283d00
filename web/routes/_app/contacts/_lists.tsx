import { createFileRoute, useParams } from '@tanstack/react-router';
import { listLists } from '../../../../contract/addresses/contacts.gen.ts';
import { specialGroups } from '../../../../contract/contacts.ts';
import { ContactsPage } from '../../../contacts/list/contacts-page.tsx';
import { callQuery } from '../../../queries/calls.ts';
import { readListSearch } from '../../../queries/list-search.ts';
import { queryClient } from '../../../queries/query-client.ts';
import { NotFoundPage } from '../../../shell/not-found-page.tsx';

/** One page for everyone and all groups, so that the group column stays when another one opens. */
export const Route = createFileRoute('/_app/contacts/_lists')({
  validateSearch: readListSearch,
  // Starts loading alongside the page's code without blocking: the page has its own skeleton.
  loader: () => void queryClient.prefetchQuery(callQuery(listLists, {})),
  component: ContactsRoute,
});

function ContactsRoute() {
  const params = useParams({ from: '/_app/contacts/_lists/group/$listId', shouldThrow: false });
  if (Number.isNaN(params?.listId)) return <NotFoundPage />;
  return <ContactsPage listId={params?.listId ?? specialGroups.everyone} />;
}
