import { createFileRoute } from '@tanstack/react-router';
import { readScheduledSearch } from '../../scheduled/scheduled-address.ts';
import { ScheduledPage } from '../../scheduled/scheduled-page.tsx';

export const Route = createFileRoute('/_app/inbox_/scheduled-conversations')({
  validateSearch: readScheduledSearch,
  component: ScheduledRoute,
});

function ScheduledRoute() {
  return <ScheduledPage search={Route.useSearch()} />;
}
