import { createFileRoute } from '@tanstack/react-router';
import { readBroadcastsSearch } from '../../../broadcasts/broadcast-address.ts';
import { BroadcastsPage } from '../../../broadcasts/list/broadcasts-page.tsx';

export const Route = createFileRoute('/_app/broadcasts/')({
  validateSearch: readBroadcastsSearch,
  component: BroadcastsRoute,
});

function BroadcastsRoute() {
  return <BroadcastsPage search={Route.useSearch()} />;
}
