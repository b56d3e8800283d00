import { createFileRoute } from '@tanstack/react-router';
import { readCreateSearch } from '../../broadcasts/wizard/draft-address.ts';
import { WizardPage } from '../../broadcasts/wizard/wizard-page.tsx';

/**
 * No loader: a draft gets its address while the user types its name, and a page that the router waits for is hidden for
 * a moment and loses focus.
 */
export const Route = createFileRoute('/_app/broadcasts_/create/')({
  validateSearch: readCreateSearch,
  component: CreateRoute,
});

function CreateRoute() {
  return <WizardPage search={Route.useSearch()} />;
}
