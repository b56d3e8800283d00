import { createFileRoute } from '@tanstack/react-router';
import { PhoneHistoryPage } from '../../../reports/phone-history-page.tsx';

export const Route = createFileRoute('/_app/reports/phone-number-history')({
  validateSearch: ({ q }: Record<string, unknown>): { q?: string } =>
    (typeof q === 'string' || typeof q === 'number') && String(q).trim() !== ''
      ? { q: String(q).slice(0, 60) }
      : {},
  component: PhoneHistoryPage,
});
