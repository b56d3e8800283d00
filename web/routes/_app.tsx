import { createFileRoute } from '@tanstack/react-router';
import { accountQuery } from '../queries/current-user.ts';
import { queryClient } from '../queries/query-client.ts';
import { Shell } from '../shell/shell.tsx';

/** Everything behind sign-in. The account is loaded once here; without a session api.ts leads to /login. */
export const Route = createFileRoute('/_app')({
  loader: () => queryClient.ensureQueryData(accountQuery),
  component: Shell,
});
