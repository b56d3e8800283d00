import { createFileRoute } from '@tanstack/react-router';
import { readListSearch } from '../../../queries/list-search.ts';
import { OptOutReportPage } from '../../../reports/opt-out-report-page.tsx';
import { readRangeSearch } from '../../../reports/range-search.ts';

export const Route = createFileRoute('/_app/reports/opt-out-report')({
  validateSearch: (search: Record<string, unknown>) => ({
    ...readListSearch(search),
    ...readRangeSearch(search),
  }),
  component: OptOutReportPage,
});
