import { createFileRoute, redirect } from '@tanstack/react-router';
import { getOnboarding } from '../../contract/addresses/onboarding.gen.ts';
import { callQuery } from '../queries/calls.ts';
import { queryClient } from '../queries/query-client.ts';

/** Redirects to the open step of onboarding, or else to the redirect URL. */
export const Route = createFileRoute('/landing')({
  loader: async () => {
    const { RedirectUrl } = await queryClient.fetchQuery({ ...callQuery(getOnboarding), staleTime: 0 });
    throw redirect({ href: RedirectUrl, replace: true });
  },
});
