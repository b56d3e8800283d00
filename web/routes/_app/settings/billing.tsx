import { createFileRoute } from '@tanstack/react-router';
import { BillingPage } from '../../../purchases/billing-page.tsx';
import { readBillingSearch } from '../../../purchases/billing-parts.ts';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/settings/billing')({
  validateSearch: readBillingSearch,
  component: Page,
});

function Page() {
  return (
    <OnlyFor capability="viewBilling">
      <BillingPage />
    </OnlyFor>
  );
}
