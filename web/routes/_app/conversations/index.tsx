import { createFileRoute, redirect } from '@tanstack/react-router';
import { readInboxSearch } from '../../../conversations/inbox-address.ts';

export const Route = createFileRoute('/_app/conversations/')({
  validateSearch: readInboxSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/inbox', search, replace: true });
  },
});
