import { createFileRoute } from '@tanstack/react-router';
import { getAudioSummary } from '../../../../contract/audio.ts';
import { AudioPage } from '../../../audio/audio-page.tsx';
import { readView } from '../../../audio/audio-view.ts';
import { callQuery } from '../../../queries/calls.ts';
import { readListSearch } from '../../../queries/list-search.ts';
import { queryClient } from '../../../queries/query-client.ts';
import { NotFoundPage } from '../../../shell/not-found-page.tsx';

/** All of the views: moving between them leaves what plays as it is. */
export const Route = createFileRoute('/_app/message-library/audio/{-$view}')({
  validateSearch: readListSearch,
  // Begun while the page's code is on its way, not waited for: the page has its own skeleton.
  loader: () => void queryClient.prefetchQuery(callQuery(getAudioSummary, {})),
  component: AudioRoute,
});

function AudioRoute() {
  const view = readView(Route.useParams().view);
  return view === undefined ? <NotFoundPage /> : <AudioPage view={view} />;
}
