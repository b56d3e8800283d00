import { createFileRoute } from '@tanstack/react-router';
import { DripsPage } from '../../../broadcasts/drips/drips-page.tsx';
import { readListSearch } from '../../../queries/list-search.ts';

export const Route = createFileRoute('/_app/drip-campaigns/')({
  validateSearch: readListSearch,
  component: DripsPage,
});
