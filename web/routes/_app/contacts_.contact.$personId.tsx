import { createFileRoute } from '@tanstack/react-router';
import { getContact, listContactHistory } from '../../../contract/contacts.ts';
import { ContactPage } from '../../contacts/contact/contact-page.tsx';
import { readPersonId } from '../../contacts/list/contacts-address.ts';
import { callPages, callQuery } from '../../queries/calls.ts';
import { queryClient } from '../../queries/query-client.ts';
import { NotFoundPage } from '../../shell/not-found-page.tsx';

export const Route = createFileRoute('/_app/contacts_/contact/$personId')({
  params: {
    parse: ({ personId }) => ({ personId: readPersonId(personId) }),
    stringify: ({ personId }) => ({ personId: String(personId) }),
  },
  // Begun while the page's code is on its way, not waited for: the page has its own skeleton.
  loader: ({ params: { personId } }) => {
    if (Number.isNaN(personId)) return;
    const params = { PersonID: personId };
    void queryClient.prefetchQuery(callQuery(getContact, { params }));
    void queryClient.prefetchInfiniteQuery(callPages(listContactHistory, { params }));
  },
  component: ContactRoute,
});

function ContactRoute() {
  const { personId } = Route.useParams();
  // Another person is another page: nothing that was open on one belongs to the other.
  return Number.isNaN(personId) ? <NotFoundPage /> : <ContactPage key={personId} personId={personId} />;
}
