import { createFileRoute, redirect } from '@tanstack/react-router';
import { mustAcceptTerms } from '../../contract/states/onboarding-steps.ts';
import { rememberReturnPath } from '../api.ts';
import { accountQuery } from '../queries/current-user.ts';
import { queryClient } from '../queries/query-client.ts';
import { Shell } from '../shell/shell.tsx';
import { showLanguage } from '../ui/page-language.ts';

/**
 * Everything behind sign-in. Loads the account once; without a session, api.ts redirects to /login. Who has not agreed
 * to the terms as they are now, or is still joining, goes through /onboarding before anything else.
 */
export const Route = createFileRoute('/_app')({
  loader: async ({ location }) => {
    const { CurrentUser: user } = await queryClient.ensureQueryData(accountQuery);
    if (user) showLanguage(user.LanguageID);
    if (user && (user.NeedsOnboarding || mustAcceptTerms(user))) {
      rememberReturnPath(location.href);
      throw redirect({ to: '/onboarding', replace: true });
    }
  },
  component: Shell,
});
