import { createFileRoute } from '@tanstack/react-router';
import { OptInReportPage } from '../../../reports/opt-in-report-page.tsx';
import { readRangeSearch } from '../../../reports/range-search.ts';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/reports/promotional-opt-in')({
  validateSearch: (search: Record<string, unknown>) => readRangeSearch(search),
  component: Report,
});

function Report() {
  return (
    <OnlyFor capability="seePromotionalOptIn">
      <OptInReportPage />
    </OnlyFor>
  );
}
