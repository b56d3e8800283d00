import { createFileRoute } from '@tanstack/react-router';
import { getPrivacy } from '../../contract/addresses/onboarding.gen.ts';
import { callApi } from '../api.ts';
import { PrivacyPage } from '../auth/privacy-page.tsx';

export const Route = createFileRoute('/privacy')({
  loader: ({ abortController }) =>
    callApi(getPrivacy, {}, { missing: 'refuse', signal: abortController.signal }),
  component: Privacy,
});

function Privacy() {
  return <PrivacyPage text={Route.useLoaderData().Text} />;
}
