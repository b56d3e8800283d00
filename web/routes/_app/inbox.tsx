import { createFileRoute, useParams } from '@tanstack/react-router';
import { lazy } from 'react';
import { readInboxSearch } from '../../conversations/inbox-address.ts';
import { InboxPage } from '../../conversations/inbox-page.tsx';
import { conversationRows } from '../../conversations/inbox-queries.ts';
import { queryClient } from '../../queries/query-client.ts';
import { NotFoundPage } from '../../shell/not-found-page.tsx';
import { untilOnline } from '../../ui/until-online.ts';

/** One page for the list and for every thread in it: moving between threads leaves the list as it is. */
export const Route = createFileRoute('/_app/inbox')({
  validateSearch: readInboxSearch,
  loaderDeps: ({ search }) => search,
  // Begun while the page's code is on its way, not waited for: the page has its own skeleton.
  loader: ({ deps }) => void queryClient.prefetchQuery(conversationRows(queryClient, deps)),
  component: InboxRoute,
});

/** Opened seldom, with an autocomplete and a telephone in it: its code is fetched when it is. */
const ComposeDialog = lazy(
  untilOnline(async () => ({
    default: (await import('../../compose/compose-dialog.tsx')).ComposeDialog,
  })),
);

const ContactDialog = lazy(
  untilOnline(async () => ({
    default: (await import('../../contacts/contact/contact-dialog.tsx')).ContactDialog,
  })),
);

function InboxRoute() {
  const search = Route.useSearch();
  const params = useParams({ from: '/_app/inbox/$conversationId', shouldThrow: false });
  if (Number.isNaN(params?.conversationId)) return <NotFoundPage />;
  return (
    <InboxPage
      search={search}
      conversationId={params?.conversationId}
      compose={ComposeDialog}
      contactDialog={ContactDialog}
    />
  );
}
