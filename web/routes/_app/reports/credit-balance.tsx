import { createFileRoute } from '@tanstack/react-router';
import { CreditBalancePage } from '../../../reports/credit-balance-page.tsx';
import { readRangeSearch } from '../../../reports/range-search.ts';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/reports/credit-balance')({
  validateSearch: (search: Record<string, unknown>) => readRangeSearch(search),
  component: Report,
});

function Report() {
  return (
    <OnlyFor capability="seeCreditBalance">
      <CreditBalancePage />
    </OnlyFor>
  );
}
