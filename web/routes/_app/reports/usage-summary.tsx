import { createFileRoute } from '@tanstack/react-router';
import { type RangeSearch, readRangeSearch } from '../../../reports/range-search.ts';
import { UsageSummaryPage } from '../../../reports/usage-summary-page.tsx';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/reports/usage-summary')({
  validateSearch: ({
    users,
    display,
    ...search
  }: Record<string, unknown>): RangeSearch & { users?: 'enabled' | 'disabled'; display?: 'messages' } => ({
    ...readRangeSearch(search),
    ...(users === 'enabled' || users === 'disabled' ? { users } : {}),
    ...(display === 'messages' ? { display } : {}),
  }),
  component: Report,
});

function Report() {
  return (
    <OnlyFor capability="seeUsageSummary">
      <UsageSummaryPage />
    </OnlyFor>
  );
}
