import { createFileRoute } from '@tanstack/react-router';
import { BillingHistoryPage } from '../../../reports/billing-history-page.tsx';
import { readRangeSearch } from '../../../reports/range-search.ts';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/reports/billing-history')({
  validateSearch: (search: Record<string, unknown>) => readRangeSearch(search),
  component: Report,
});

function Report() {
  return (
    <OnlyFor capability="seeBillingHistory">
      <BillingHistoryPage />
    </OnlyFor>
  );
}
