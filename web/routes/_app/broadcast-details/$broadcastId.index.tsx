import { createFileRoute } from '@tanstack/react-router';
import { broadcastParams, readResultsSearch } from '../../../broadcasts/broadcast-address.ts';
import { ResultsPage } from '../../../broadcasts/results-page.tsx';
import { NotFoundPage } from '../../../shell/not-found-page.tsx';

export const Route = createFileRoute('/_app/broadcast-details/$broadcastId/')({
  params: broadcastParams,
  validateSearch: readResultsSearch,
  component: ResultsRoute,
});

function ResultsRoute() {
  const { broadcastId } = Route.useParams();
  const search = Route.useSearch();
  if (Number.isNaN(broadcastId)) return <NotFoundPage />;
  return <ResultsPage key={broadcastId} broadcastId={broadcastId} segment="text-results" search={search} />;
}
