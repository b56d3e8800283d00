import { createFileRoute } from '@tanstack/react-router';
import { DeliveryPage } from '../../../reports/delivery-page.tsx';
import { readRangeSearch } from '../../../reports/range-search.ts';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/reports/delivery')({
  validateSearch: (search: Record<string, unknown>) => {
    const number = Number(search.number);
    return { ...readRangeSearch(search), ...(Number.isSafeInteger(number) && number > 0 ? { number } : {}) };
  },
  component: Report,
});

function Report() {
  return (
    <OnlyFor capability="seeDelivery">
      <DeliveryPage />
    </OnlyFor>
  );
}
