import { createFileRoute } from '@tanstack/react-router';
import { getContact, listContactHistory } from '../../../contract/addresses/contacts.gen.ts';
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
  // Starts loading alongside the page's code without blocking: the page has its own skeleton.
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
  // Remounts for another person, so that no open dialog carries over.
  return Number.isNaN(personId) ? <NotFoundPage /> : <ContactPage key={personId} personId={personId} />;
}
