import { createFileRoute, useParams } from '@tanstack/react-router';
import { broadcastParams, readResultsSearch } from '../../../broadcasts/broadcast-address.ts';
import { isResultSegment } from '../../../broadcasts/results/result-tabs.ts';
import { ResultsPage } from '../../../broadcasts/results/results-page.tsx';
import { NotFoundPage } from '../../../shell/not-found-page.tsx';

/** One page for all tabs, so that switching between them keeps unfinished input. */
export const Route = createFileRoute('/_app/broadcast-details/$broadcastId/_results')({
  params: broadcastParams,
  validateSearch: readResultsSearch,
  component: ResultsRoute,
});

function ResultsRoute() {
  const { broadcastId } = Route.useParams();
  const search = Route.useSearch();
  const tab = useParams({ from: '/_app/broadcast-details/$broadcastId/_results/$sub', shouldThrow: false });
  const segment = tab?.sub ?? 'all';
  if (Number.isNaN(broadcastId) || !isResultSegment(segment)) return <NotFoundPage />;
  return <ResultsPage key={broadcastId} broadcastId={broadcastId} segment={segment} search={search} />;
}
