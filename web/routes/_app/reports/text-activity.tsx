import { createFileRoute } from '@tanstack/react-router';
import { readRangeSearch } from '../../../reports/range-search.ts';
import { TextActivityPage } from '../../../reports/text-activity-page.tsx';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/reports/text-activity')({
  validateSearch: (search: Record<string, unknown>) => {
    const number = Number(search.number);
    return { ...readRangeSearch(search), ...(Number.isSafeInteger(number) && number > 0 ? { number } : {}) };
  },
  component: Report,
});

function Report() {
  return (
    <OnlyFor capability="seeTextActivity">
      <TextActivityPage />
    </OnlyFor>
  );
}
