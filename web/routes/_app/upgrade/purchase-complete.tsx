import { createFileRoute } from '@tanstack/react-router';
import { PurchaseCompletePage } from '../../../purchases/upgrade/after-purchase-pages.tsx';
import { readPaidSearch } from '../../../purchases/upgrade/paid-search.ts';

export const Route = createFileRoute('/_app/upgrade/purchase-complete')({
  validateSearch: readPaidSearch,
  component: Page,
});

function Page() {
  return <PurchaseCompletePage paid={Route.useSearch()} />;
}
