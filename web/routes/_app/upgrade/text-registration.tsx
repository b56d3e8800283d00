import { createFileRoute } from '@tanstack/react-router';
import { TextRegistrationPage } from '../../../purchases/upgrade/after-purchase-pages.tsx';
import { readPaidSearch } from '../../../purchases/upgrade/paid-search.ts';

export const Route = createFileRoute('/_app/upgrade/text-registration')({
  validateSearch: readPaidSearch,
  component: Page,
});

function Page() {
  return <TextRegistrationPage paid={Route.useSearch()} />;
}
