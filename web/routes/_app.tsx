import { createFileRoute } from '@tanstack/react-router';
import { accountQuery } from '../queries/current-user.ts';
import { queryClient } from '../queries/query-client.ts';
import { Shell } from '../shell/shell.tsx';

/** Everything behind sign-in. Loads the account once; without a session, api.ts redirects to /login. */
export const Route = createFileRoute('/_app')({
  loader: () => queryClient.ensureQueryData(accountQuery),
  component: Shell,
});
