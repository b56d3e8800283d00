import { createFileRoute } from '@tanstack/react-router';
import { InvoicesPage } from '../../../invoices/invoices-page.tsx';
import { readListSearch } from '../../../queries/list-search.ts';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/settings/billing_/invoices/')({
  validateSearch: readListSearch,
  component: Page,
});

function Page() {
  return (
    <OnlyFor capability="seeInvoices">
      <InvoicesPage />
    </OnlyFor>
  );
}
