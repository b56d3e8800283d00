import { createFileRoute } from '@tanstack/react-router';
import { getHome } from '../../../contract/addresses/home.gen.ts';
import { HomePage } from '../../home/home-page.tsx';
import { callQuery } from '../../queries/calls.ts';
import { queryClient } from '../../queries/query-client.ts';

export const Route = createFileRoute('/_app/home')({
  // Starts loading before the page renders without blocking: the page has its own skeleton.
  loader: () => {
    void queryClient.prefetchQuery(callQuery(getHome));
  },
  component: HomePage,
});
