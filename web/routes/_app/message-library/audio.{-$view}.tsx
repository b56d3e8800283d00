import { createFileRoute } from '@tanstack/react-router';
import { getAudioSummary } from '../../../../contract/addresses/audio.gen.ts';
import { AudioPage } from '../../../audio/audio-page.tsx';
import { readView } from '../../../audio/audio-view.ts';
import { callQuery } from '../../../queries/calls.ts';
import { readListSearch } from '../../../queries/list-search.ts';
import { queryClient } from '../../../queries/query-client.ts';
import { NotFoundPage } from '../../../shell/not-found-page.tsx';

/** One page for all views, so that playback continues when another one opens. */
export const Route = createFileRoute('/_app/message-library/audio/{-$view}')({
  validateSearch: readListSearch,
  // Starts loading alongside the page's code without blocking: the page has its own skeleton.
  loader: () => void queryClient.prefetchQuery(callQuery(getAudioSummary, {})),
  component: AudioRoute,
});

function AudioRoute() {
  const view = readView(Route.useParams().view);
  return view === undefined ? <NotFoundPage /> : <AudioPage view={view} />;
}
