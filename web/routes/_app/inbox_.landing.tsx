import { createFileRoute, redirect } from '@tanstack/react-router';
import { readInboxSearch } from '../../conversations/inbox-address.ts';

/** The target of links from outside: the inbox with the query's filters. */
export const Route = createFileRoute('/_app/inbox_/landing')({
  validateSearch: readInboxSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/inbox', search, replace: true });
  },
});
