import { createFileRoute } from '@tanstack/react-router';
import { PaymentPage } from '../../../purchases/upgrade/payment-page.tsx';
import { readUpgradeSearch } from '../../../purchases/upgrade/upgrade-search.ts';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/upgrade/payment_/v2')({
  validateSearch: readUpgradeSearch,
  component: Page,
});

function Page() {
  return (
    <OnlyFor capability="viewBilling">
      <PaymentPage {...Route.useSearch()} />
    </OnlyFor>
  );
}
