import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { FolderInput } from 'lucide-react';
import { useState } from 'react';
import type { GroupedReply, NamedGroup, ReplyGroup } from '../../../contract/reply-groups.ts';
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
import { PAGE_SIZE, useGroupReplies, useMoveReplies } from './group-queries.ts';
import { MoveMenu } from './move-menu.tsx';

interface GroupPaneProps {
  broadcastId: number;
  group: ReplyGroup;
  /** All groups that replies can be moved to. */
  groups: readonly NamedGroup[];
  isOnePane: boolean;
}

/** One group: why its replies are together, the replies, and the answer to all of them. */
export function GroupPane({ broadcastId, group, groups, isOnePane }: GroupPaneProps) {
  const [page, setPage] = useState(1);
  const { data, isPending, isError, error, refetch } = useGroupReplies(broadcastId, group.GroupKey, page);
  const mayAnswer = useCan('createTextBroadcast');
  const [ticked, setTicked] = useState<readonly GroupedReply[]>([]);
  const { moveTo, isMoving } = useMoveReplies(broadcastId);
  const onMove = async (replies: readonly GroupedReply[], to: NamedGroup | null) => {
    if (await moveTo(replies, group, to)) setTicked([]);
  };
  const tick = (reply: GroupedReply, isOn: boolean) =>
    setTicked((before) =>
      isOn ? [...before, reply] : before.filter(({ TextReplyID }) => TextReplyID !== reply.TextReplyID),
    );
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
            // If the group is alone on the page, this is its heading.
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
      {ticked.length > 0 && (
        <Ticked
          ticked={ticked}
          group={group}
          groups={groups}
          isMoving={isMoving}
          onMove={(replies, to) => void onMove(replies, to)}
          onClear={() => setTicked([])}
        />
      )}
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
                isTicked={ticked.some(({ TextReplyID }) => TextReplyID === reply.TextReplyID)}
                isMoving={isMoving}
                onTick={tick}
                onMove={(replies, to) => void onMove(replies, to)}
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

interface Moves {
  group: ReplyGroup;
  groups: readonly NamedGroup[];
  isMoving: boolean;
  onMove: (replies: readonly GroupedReply[], to: NamedGroup | null) => void;
}

interface TickedProps extends Moves {
  ticked: readonly GroupedReply[];
  onClear: () => void;
}

/** The actions on the ticked replies, including those on other pages. */
function Ticked({ ticked, onClear, isMoving, ...moves }: TickedProps) {
  const menu = useMenu();
  return (
    <Box
      role="region"
      aria-label="Selected replies"
      sx={{
        flex: 'none',
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        px: { xs: 2, sm: 3 },
        py: 0.75,
        bgcolor: 'tint.accent',
        borderBottom: '1px solid',
        borderColor: 'tint.accentLine',
      }}
    >
      <Typography variant="body2" component="div" sx={{ flex: 1 }}>
        {countOf(ticked.length, 'reply', 'replies')} selected
      </Typography>
      <Button size="small" startIcon={<FolderInput aria-hidden />} disabled={isMoving} {...menu.buttonProps}>
        Move
      </Button>
      <Button size="small" variant="text" onClick={onClear}>
        Clear
      </Button>
      <MoveMenu menu={menu} replies={ticked} {...moves} />
    </Box>
  );
}

interface ReplyItemProps extends Moves {
  broadcastId: number;
  reply: GroupedReply;
  isTicked: boolean;
  onTick: (reply: GroupedReply, isOn: boolean) => void;
}

function ReplyItem({ broadcastId, reply, isTicked, isMoving, onTick, ...moves }: ReplyItemProps) {
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
      {mayMove && (
        <Checkbox
          checked={isTicked}
          disabled={isMoving}
          onChange={(_, isOn) => onTick(reply, isOn)}
          slotProps={{ input: { 'aria-label': `Select the reply of ${name}` } }}
          // Beside the middle of the picture, its box where the texts above begin.
          sx={{ mt: '6px', ml: '-3px' }}
        />
      )}
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
      {mayMove && <MoveButton reply={reply} name={name} isMoving={isMoving} {...moves} />}
    </Box>
  );
}

function MoveButton({ reply, name, isMoving, ...moves }: Moves & { reply: GroupedReply; name: string }) {
  const menu = useMenu();
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
      <MoveMenu menu={menu} replies={[reply]} {...moves} />
    </>
  );
}
