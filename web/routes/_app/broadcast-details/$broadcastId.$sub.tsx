import { createFileRoute } from '@tanstack/react-router';
import { broadcastParams, readResultsSearch } from '../../../broadcasts/broadcast-address.ts';
import { isResultSegment } from '../../../broadcasts/result-tabs.ts';
import { ResultsPage } from '../../../broadcasts/results-page.tsx';
import { NotFoundPage } from '../../../shell/not-found-page.tsx';

/** The last part of the path is the tab. */
export const Route = createFileRoute('/_app/broadcast-details/$broadcastId/$sub')({
  params: {
    parse: ({ broadcastId, sub }) => ({ ...broadcastParams.parse({ broadcastId }), sub }),
    stringify: ({ broadcastId, sub }) => ({ ...broadcastParams.stringify({ broadcastId }), sub }),
  },
  validateSearch: readResultsSearch,
  component: ResultsRoute,
});

function ResultsRoute() {
  const { broadcastId, sub } = Route.useParams();
  const search = Route.useSearch();
  if (Number.isNaN(broadcastId) || !isResultSegment(sub)) return <NotFoundPage />;
  return <ResultsPage key={broadcastId} broadcastId={broadcastId} segment={sub} search={search} />;
}
