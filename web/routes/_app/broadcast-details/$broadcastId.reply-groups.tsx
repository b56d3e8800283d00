import { createFileRoute } from '@tanstack/react-router';
import { broadcastParams, readGroupsSearch } from '../../../broadcasts/broadcast-address.ts';
import { GroupsPage } from '../../../broadcasts/groups/groups-page.tsx';
import { NotFoundPage } from '../../../shell/not-found-page.tsx';

export const Route = createFileRoute('/_app/broadcast-details/$broadcastId/reply-groups')({
  params: broadcastParams,
  validateSearch: readGroupsSearch,
  component: GroupsRoute,
});

function GroupsRoute() {
  const { broadcastId } = Route.useParams();
  const { group } = Route.useSearch();
  if (Number.isNaN(broadcastId)) return <NotFoundPage />;
  return <GroupsPage key={broadcastId} broadcastId={broadcastId} groupKey={group} />;
}
