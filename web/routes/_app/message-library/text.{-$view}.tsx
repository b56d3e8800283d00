import { createFileRoute } from '@tanstack/react-router';
import { getTemplateSummary } from '../../../../contract/addresses/templates.gen.ts';
import { callQuery } from '../../../queries/calls.ts';
import { readListSearch } from '../../../queries/list-search.ts';
import { queryClient } from '../../../queries/query-client.ts';
import { NotFoundPage } from '../../../shell/not-found-page.tsx';
import { TextLibraryPage } from '../../../templates/text-page.tsx';
import { readTextView } from '../../../templates/text-view.ts';

export const Route = createFileRoute('/_app/message-library/text/{-$view}')({
  validateSearch: readListSearch,
  // Starts loading alongside the page's code without blocking: the page has its own skeleton.
  loader: () => void queryClient.prefetchQuery(callQuery(getTemplateSummary, {})),
  component: TextLibraryRoute,
});

function TextLibraryRoute() {
  const view = readTextView(Route.useParams().view);
  return view === undefined ? <NotFoundPage /> : <TextLibraryPage view={view} />;
}
