import { createFileRoute, redirect } from '@tanstack/react-router';
import { readInboxSearch } from '../../conversations/inbox-address.ts';

/** Where links from outside lead: the inbox as the query asks for it. */
export const Route = createFileRoute('/_app/inbox_/landing')({
  validateSearch: readInboxSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/inbox', search, replace: true });
  },
});
