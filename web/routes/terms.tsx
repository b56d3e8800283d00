import { createFileRoute } from '@tanstack/react-router';
import { getTerms } from '../../contract/addresses/onboarding.gen.ts';
import { callApi } from '../api.ts';
import { TermsPage } from '../auth/terms-page.tsx';

export const Route = createFileRoute('/terms')({
  loader: ({ abortController }) =>
    callApi(getTerms, {}, { missing: 'refuse', signal: abortController.signal }),
  component: Terms,
});

function Terms() {
  return <TermsPage terms={Route.useLoaderData()} />;
}
