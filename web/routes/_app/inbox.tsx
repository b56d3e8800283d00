import { createFileRoute, useParams } from '@tanstack/react-router';
import { lazy } from 'react';
import { readInboxSearch } from '../../conversations/inbox-address.ts';
import { InboxPage } from '../../conversations/inbox-page.tsx';
import { beginInbox } from '../../conversations/inbox-queries.ts';
import { queryClient } from '../../queries/query-client.ts';
import { NotFoundPage } from '../../shell/not-found-page.tsx';
import { untilOnline } from '../../ui/until-online.ts';

/** One page for the list and all its threads, so that the list stays when another thread opens. */
export const Route = createFileRoute('/_app/inbox')({
  validateSearch: readInboxSearch,
  loaderDeps: ({ search }) => search,
  // Starts loading alongside the page's code without blocking: the page has its own skeleton.
  loader: ({ deps }) => beginInbox(queryClient, deps),
  component: InboxRoute,
});

/** Rarely opened, and large with its autocomplete and phone preview, so its code loads on demand. */
const loadCompose = () => import('../../compose/compose-dialog.tsx');
const ComposeDialog = lazy(untilOnline(async () => ({ default: (await loadCompose()).ComposeDialog })));

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
      loadCompose={loadCompose}
      contactDialog={ContactDialog}
    />
  );
}
