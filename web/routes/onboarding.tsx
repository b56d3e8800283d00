import { QueryClientProvider } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { getOnboarding } from '../../contract/addresses/onboarding.gen.ts';
import { enterOr, rememberSignedIn } from '../auth/return-path.ts';
import { OnboardingPage } from '../onboarding/onboarding-page.tsx';
import { callQuery } from '../queries/calls.ts';
import { accountQuery } from '../queries/current-user.ts';
import { queryClient } from '../queries/query-client.ts';

/** Outside of the shell: there is nothing to navigate to yet. */
export const Route = createFileRoute('/onboarding')({
  loader: async () => {
    rememberSignedIn();
    const [progress, account] = await Promise.all([
      queryClient.fetchQuery({ ...callQuery(getOnboarding), staleTime: 0 }),
      queryClient.ensureQueryData(accountQuery),
    ]);
    return { progress, firstName: account.CurrentUser?.FirstName ?? '' };
  },
  component: Onboarding,
});

function Onboarding() {
  const { progress, firstName } = Route.useLoaderData();
  return (
    <QueryClientProvider client={queryClient}>
      <OnboardingPage given={progress} firstName={firstName} onDone={enterOr} />
    </QueryClientProvider>
  );
}
