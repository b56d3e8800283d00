import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Link } from '@tanstack/react-router';
import { Layers, MessageCircleReply } from 'lucide-react';
import type { ReplyGroup } from '../../../contract/reply-groups.ts';
import { isNotFound, shownMessage } from '../../api.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { useBroadcast } from '../broadcast-queries.ts';
import { NotFoundDialog } from '../list/not-found-dialog.tsx';
import { ListHead, ListPane, listRowLook, OpenPane } from '../reply-panes.tsx';
import { GroupPane } from './group-pane.tsx';
import { useGroupAgain, useReplyGroups } from './group-queries.ts';

interface GroupsPageProps {
  broadcastId: number;
  /** The open group. Where there is room, the first one is open from the start. */
  groupKey: string | undefined;
}

/** People's replies, grouped by content, with one answer for each group. */
export function GroupsPage({ broadcastId, groupKey }: GroupsPageProps) {
  const { data: broadcast, error } = useBroadcast(broadcastId);
  const groups = useReplyGroups(broadcastId);
  const isOnePane = useMediaQuery((theme) => theme.breakpoints.down('tablet'), { noSsr: true });
  usePageTitle(broadcast ? `Reply groups · ${broadcast.BroadcastName}` : 'Reply groups');
  if (isNotFound(error) || isNotFound(groups.error)) return <NotFoundDialog />;
  const items = groups.data?.Items ?? [];
  const open = items.find(({ GroupKey }) => GroupKey === groupKey) ?? (isOnePane ? undefined : items[0]);
  const newPeople = broadcast && groups.data ? broadcast.RepliedTotal - groups.data.PeopleCount : 0;
  return (
    <Box sx={{ flex: 1, minHeight: 0, display: 'flex', bgcolor: 'background.paper' }}>
      {!(isOnePane && open) && (
        <ListPane label="Groups" isOnePane={isOnePane}>
          <ListHead broadcastId={broadcastId} title="Reply groups" name={broadcast?.BroadcastName ?? ''} />
          {newPeople > 0 && <NewReplies people={newPeople} />}
          {groups.isPending ? (
            <SkeletonRows rows={6} rowHeight={64} label="Grouping replies" />
          ) : groups.isError ? (
            <Box sx={{ p: 2 }}>
              <RetryNotice onRetry={() => void groups.refetch()}>
                {shownMessage(groups.error, 'There was an error getting your text replies.')}
              </RetryNotice>
            </Box>
          ) : items.length === 0 ? (
            <EmptyState icon={MessageCircleReply} title="No replies yet">
              Replies are grouped here once they arrive.
            </EmptyState>
          ) : (
            <GroupList broadcastId={broadcastId} groups={items} openKey={open?.GroupKey} />
          )}
          {groups.data && groups.data.GroupedCount < groups.data.Size && (
            <Typography variant="body2" sx={{ p: 2, color: 'text.secondary' }}>
              Only the latest {formatCount(groups.data.GroupedCount)} of {formatCount(groups.data.Size)}{' '}
              replies are grouped.
            </Typography>
          )}
        </ListPane>
      )}
      {(open || !isOnePane) && (
        <OpenPane label={open?.Name ?? 'Group'}>
          {open && (
            <GroupPane
              key={open.GroupKey}
              broadcastId={broadcastId}
              group={open}
              groups={[...items, ...(groups.data?.EmptyGroups ?? [])]}
              isOnePane={isOnePane}
            />
          )}
        </OpenPane>
      )}
    </Box>
  );
}

function NewReplies({ people }: { people: number }) {
  const groupAgain = useGroupAgain();
  return (
    <Box
      role="status"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        px: 2,
        py: 0.75,
        typography: 'body2',
        color: 'tint.accentInk',
        bgcolor: 'tint.accent',
        borderBlock: '1px solid',
        borderColor: 'tint.accentLine',
      }}
    >
      <Box sx={{ flex: 1 }}>{countOf(people, 'more person has', 'more people have')} replied.</Box>
      <Button size="small" startIcon={<Layers aria-hidden />} onClick={() => void groupAgain()}>
        Group again
      </Button>
    </Box>
  );
}

interface GroupListProps {
  broadcastId: number;
  groups: readonly ReplyGroup[];
  openKey: string | undefined;
}

function GroupList({ broadcastId, groups, openKey }: GroupListProps) {
  return (
    <Box
      component="ul"
      aria-label="Groups of replies"
      sx={{
        ...{ listStyle: 'none', m: 0, p: 0, flex: 1, minHeight: 0, overflowY: 'auto' },
        borderTop: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      {groups.map((group) => {
        const isOpen = group.GroupKey === openKey;
        return (
          <li key={group.GroupKey}>
            <Box
              component={Link}
              to={`/broadcast-details/${broadcastId}/reply-groups`}
              search={{ group: group.GroupKey } as never}
              aria-current={isOpen ? 'true' : undefined}
              sx={{ ...listRowLook(isOpen, 64), py: 1 }}
            >
              <Box sx={{ flex: 1, minWidth: 0 }}>
                <Typography sx={{ fontWeight: 520, overflowWrap: 'anywhere' }}>{group.Name}</Typography>
                <Typography variant="body2" component="div" sx={{ color: 'text.secondary' }}>
                  {waitingWords(group)}
                </Typography>
              </Box>
              <Typography component="span" sx={{ flex: 'none', fontVariantNumeric: 'tabular-nums' }}>
                {formatCount(group.Size)}
              </Typography>
            </Box>
          </li>
        );
      })}
    </Box>
  );
}

/** "3 people to answer", or that there is nobody. */
function waitingWords({ GroupKey, ToAnswer }: ReplyGroup): string {
  if (GroupKey === 'no-answer') return 'Thanks, ok and the like';
  return ToAnswer === 0 ? 'Nobody left to answer' : `${countOf(ToAnswer, 'person', 'people')} to answer`;
}
