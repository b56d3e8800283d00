import { createFileRoute } from '@tanstack/react-router';
import { readBroadcastId } from '../../../broadcasts/broadcast-address.ts';
import { TimelinePage } from '../../../broadcasts/results/timeline-page.tsx';
import { NotFoundPage } from '../../../shell/not-found-page.tsx';

/** Reasons why one person did or didn't get the broadcast. */
export const Route = createFileRoute('/_app/broadcast-details/$broadcastId/recipients/$recipientId')({
  params: {
    parse: ({ broadcastId, recipientId }) => ({
      broadcastId: readBroadcastId(broadcastId),
      recipientId: readBroadcastId(recipientId),
    }),
    stringify: ({ broadcastId, recipientId }) => ({
      broadcastId: String(broadcastId),
      recipientId: String(recipientId),
    }),
  },
  component: TimelineRoute,
});

function TimelineRoute() {
  const { broadcastId, recipientId } = Route.useParams();
  if (Number.isNaN(broadcastId) || Number.isNaN(recipientId)) return <NotFoundPage />;
  return <TimelinePage broadcastId={broadcastId} recipientId={recipientId} />;
}
