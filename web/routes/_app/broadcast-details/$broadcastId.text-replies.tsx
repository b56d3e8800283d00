import { createFileRoute, useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { broadcastParams, readResultsSearch } from '../../../broadcasts/broadcast-address.ts';
import { RepliesPage } from '../../../broadcasts/results/replies-page.tsx';
import { NotFoundPage } from '../../../shell/not-found-page.tsx';

/** One page for the list and all its threads, so that the list stays when another thread opens. */
export const Route = createFileRoute('/_app/broadcast-details/$broadcastId/text-replies')({
  params: broadcastParams,
  validateSearch: readResultsSearch,
  component: RepliesRoute,
});

const OneThread = lazy(async () => ({
  default: (await import('../../../conversations/thread/one-thread.tsx')).OneThread,
}));

interface ThreadProps {
  conversationId: number;
  isOnePane: boolean;
  onBack: () => void;
}

/** The inbox's thread; tools that need more room are in the inbox itself. */
function Thread(props: ThreadProps) {
  const navigate = useNavigate();
  return (
    <Suspense>
      <OneThread
        {...props}
        onContact={(conversationId) =>
          void navigate({ to: '/inbox/$conversationId', params: { conversationId } })
        }
      />
    </Suspense>
  );
}

function RepliesRoute() {
  const { broadcastId } = Route.useParams();
  const search = Route.useSearch();
  const open = useParams({
    from: '/_app/broadcast-details/$broadcastId/text-replies/$conversationId',
    shouldThrow: false,
  });
  if (Number.isNaN(broadcastId) || Number.isNaN(open?.conversationId)) return <NotFoundPage />;
  return (
    <RepliesPage
      key={broadcastId}
      broadcastId={broadcastId}
      conversationId={open?.conversationId}
      search={search}
      thread={Thread}
    />
  );
}
