import { createFileRoute } from '@tanstack/react-router';
import { InvoicePage } from '../../../invoices/invoice-page.tsx';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/settings/billing_/invoices/$invoiceId')({ component: Page });

function Page() {
  return (
    <OnlyFor capability="seeInvoices">
      <InvoicePage invoiceId={Number(Route.useParams().invoiceId)} />
    </OnlyFor>
  );
}
