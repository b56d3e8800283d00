import { createFileRoute } from '@tanstack/react-router';
import { type InvoiceChoice, invoiceChoices } from '../../../reports/invoice-choices.ts';
import { InvoicesReportPage } from '../../../reports/invoices-report-page.tsx';
import { type RangeSearch, readRangeSearch } from '../../../reports/range-search.ts';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/reports/invoices')({
  validateSearch: (
    search: Record<string, unknown>,
  ): RangeSearch & { category?: InvoiceChoice; page?: number } => {
    const page = Number(search.page);
    const category = invoiceChoices.find(({ value }) => value === search.category)?.value;
    return {
      ...readRangeSearch(search),
      ...(category === undefined ? {} : { category }),
      ...(Number.isSafeInteger(page) && page > 1 ? { page } : {}),
    };
  },
  component: Report,
});

function Report() {
  return (
    <OnlyFor capability="seeInvoices">
      <InvoicesReportPage />
    </OnlyFor>
  );
}
