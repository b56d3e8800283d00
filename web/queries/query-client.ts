import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api.ts';

/** A refusal stays a refusal; what could not be reached is tried twice more. */
function retry(failures: number, error: unknown): boolean {
  const isRefusal = error instanceof ApiError && error.status < 500;
  return !isRefusal && failures < 2;
}

/** The one store of what the server said; loaders import it, the signed-in layout provides it to components. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // The socket says when something changed; half a minute is for the time without one.
    // networkMode always: an offline browser must fail and say so, never wait in silence.
    queries: {
      staleTime: 30_000,
      retry,
      retryDelay: (failures) => 500 * 2 ** failures,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
