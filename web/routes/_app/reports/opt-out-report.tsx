import { createFileRoute } from '@tanstack/react-router';
import { readListSearch } from '../../../queries/list-search.ts';
import { OptOutReportPage } from '../../../reports/opt-out-report-page.tsx';

export const Route = createFileRoute('/_app/reports/opt-out-report')({
  validateSearch: readListSearch,
  component: OptOutReportPage,
});
