import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Divider from '@mui/material/Divider';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { FolderInput, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { GroupedReply, ReplyGroup } from '../../../contract/reply-groups.ts';
import { shownMessage } from '../../api.ts';
import { fullName, useCan } from '../../queries/current-user.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { countOf } from '../../ui/format.ts';
import { Pager } from '../../ui/pager.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { RouterButton } from '../../ui/router-button.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { say } from '../../ui/say.ts';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { useMenu } from '../../ui/use-menu.ts';
import { BackIcon, backLook } from '../reply-panes.tsx';
import { nameOfRecipient } from '../results/result-row.tsx';
import { AnswerForm } from './answer-form.tsx';
import { PAGE_SIZE, useGroupReplies, useMoveReply } from './group-queries.ts';

interface GroupPaneProps {
  broadcastId: number;
  group: ReplyGroup;
  groups: readonly ReplyGroup[];
  isOnePane: boolean;
}

/** One group: why its replies are together, the replies, and the answer to all of them. */
export function GroupPane({ broadcastId, group, groups, isOnePane }: GroupPaneProps) {
  const [page, setPage] = useState(1);
  const { data, isPending, isError, error, refetch } = useGroupReplies(broadcastId, group.GroupKey, page);
  const mayAnswer = useCan('createTextBroadcast');
  return (
    <>
      <Box
        component="header"
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 1,
          minHeight: 60,
          px: { xs: 2, sm: 3 },
          py: 1,
          borderBottom: '1px solid',
          borderColor: 'line.hair',
        }}
      >
        {isOnePane && (
          <RouterButton
            to="/broadcast-details/$broadcastId/reply-groups"
            params={{ broadcastId }}
            search={{}}
            variant="text"
            aria-label="Back to groups"
            sx={backLook}
          >
            <BackIcon />
          </RouterButton>
        )}
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography
            variant="h2"
            // When the group is alone on the page, this is the page's heading.
            component={isOnePane ? 'h1' : 'h2'}
            sx={{ fontSize: 16, lineHeight: '24px', overflowWrap: 'anywhere' }}
          >
            {group.Name}
          </Typography>
          <Typography variant="body2" component="div" sx={{ color: 'text.secondary' }}>
            {group.Explanation} {countOf(group.Size, 'reply', 'replies')}.
          </Typography>
        </Box>
      </Box>
      <Box sx={{ flex: 1, minHeight: 120, overflowY: 'auto', overscrollBehavior: 'contain' }}>
        {isPending ? (
          <SkeletonRows rows={5} rowHeight={72} face={36} isTwoLine label="Loading replies" />
        ) : isError && !data ? (
          <Box sx={{ p: 2 }}>
            <RetryNotice onRetry={() => void refetch()}>
              {shownMessage(error, 'There was an error getting your text replies.')}
            </RetryNotice>
          </Box>
        ) : (
          <Box component="ul" aria-label="Replies" sx={{ listStyle: 'none', m: 0, p: 0 }}>
            {data?.Items.map((reply) => (
              <ReplyItem
                key={reply.TextReplyID}
                broadcastId={broadcastId}
                reply={reply}
                group={group}
                groups={groups}
              />
            ))}
          </Box>
        )}
        <Pager page={page} pageSize={PAGE_SIZE} size={data?.Size ?? 0} onPage={setPage} />
      </Box>
      {mayAnswer && <AnswerForm broadcastId={broadcastId} group={group} />}
    </>
  );
}

interface ReplyItemProps {
  broadcastId: number;
  reply: GroupedReply;
  group: ReplyGroup;
  groups: readonly ReplyGroup[];
}

function ReplyItem({ broadcastId, reply, group, groups }: ReplyItemProps) {
  const { ConversationID, Message, CreateTimestamp, AlsoIn, IsMoved, IsAnswered, IsOptedOut } = reply;
  const mayMove = useCan('manageBroadcasts');
  const name = nameOfRecipient(reply);
  const marks = [
    ...(IsAnswered ? [say('Answered')] : []),
    ...(IsMoved ? ['Moved here'] : []),
    ...AlsoIn.map((other) => `Also in: ${other}`),
  ];
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'flex-start',
        gap: 1.5,
        px: { xs: 2, sm: 3 },
        py: 1.5,
        borderBottom: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      <Avatar name={fullName(reply)} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1 }}>
          <Typography noWrap sx={{ fontWeight: 520, flex: 1 }}>
            {ConversationID === null ? (
              name
            ) : (
              <RouterLink
                to="/broadcast-details/$broadcastId/text-replies/$conversationId"
                params={{ broadcastId, conversationId: ConversationID }}
                sx={{ color: 'text.primary' }}
              >
                {name}
              </RouterLink>
            )}
          </Typography>
          <Typography variant="body2" component="span" sx={{ color: 'ink.three', flex: 'none' }}>
            <RelativeTime at={CreateTimestamp} style="short" />
          </Typography>
        </Box>
        <Typography sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {Message || 'Picture'}
        </Typography>
        {(marks.length > 0 || IsOptedOut) && (
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: '6px', mt: '6px' }}>
            {IsOptedOut && <Chip label="Opted out" sx={{ color: 'warning.main' }} />}
            {marks.map((mark) => (
              <Chip key={mark} label={mark} sx={{ maxWidth: '100%' }} />
            ))}
          </Box>
        )}
      </Box>
      {mayMove && (
        <MoveMenu broadcastId={broadcastId} reply={reply} group={group} groups={groups} name={name} />
      )}
    </Box>
  );
}

function MoveMenu({ broadcastId, reply, group, groups, name }: ReplyItemProps & { name: string }) {
  const menu = useMenu();
  const { moveTo, isMoving } = useMoveReply(broadcastId);
  const others = groups.filter(({ GroupKey }) => GroupKey !== group.GroupKey);
  return (
    <>
      <Tooltip title="Move to another group">
        <span>
          <IconButton
            aria-label={`Move the reply of ${name} to another group`}
            disabled={isMoving}
            {...menu.buttonProps}
          >
            <FolderInput size={18} strokeWidth={1.75} />
          </IconButton>
        </span>
      </Tooltip>
      <Menu {...menu.menuProps}>
        {others.map((to) => (
          <MenuItem key={to.GroupKey} onClick={menu.choose(() => void moveTo(reply, group, to))}>
            {to.Name}
          </MenuItem>
        ))}
        {reply.IsMoved && others.length > 0 && <Divider component="li" role="separator" />}
        {reply.IsMoved && (
          <MenuItem onClick={menu.choose(() => void moveTo(reply, group, null))}>
            <RotateCcw aria-hidden />
            Put it back
          </MenuItem>
        )}
        {others.length === 0 && !reply.IsMoved && <MenuItem disabled>There is no other group</MenuItem>}
      </Menu>
    </>
  );
}
