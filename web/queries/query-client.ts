import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api.ts';

/** Refusals aren't retried; network failures are, twice. */
function retry(failures: number, error: unknown): boolean {
  const isRefusal = error instanceof ApiError && error.status < 500;
  return !isRefusal && failures < 2;
}

/** The one cache of server data. Loaders import it; the signed-in layout provides it to components. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // The socket reports changes; half a minute covers the time without one.
    // networkMode always: an offline browser must fail and say so, never wait silently.
    queries: {
      staleTime: 30_000,
      retry,
      retryDelay: (failures) => 500 * 2 ** failures,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
