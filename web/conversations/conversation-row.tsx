import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import { styled } from '@mui/material/styles';
import { createLink } from '@tanstack/react-router';
import { Check, Image } from 'lucide-react';
import { memo } from 'react';
import type { Conversation } from '../../contract/conversations.ts';
import { isTextStatusCode, textStatuses } from '../../contract/delivery/text-status.ts';
import { Face } from '../ui/face.tsx';
import { formatCount } from '../ui/format.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { StatusMark } from '../ui/status-mark.tsx';
import type { InboxSearch } from './inbox-address.ts';
import { knownName, nameOf } from './names.ts';

export const ROW_HEIGHT = 70;

interface ConversationRowProps {
  conversation: Conversation;
  search: InboxSearch;
  draft: string | undefined;
  isOpen: boolean;
  isTicked: boolean;
  /** Something is ticked: all boxes show, so that more can be. */
  isTicking: boolean;
  onToggle: (conversationId: number) => void;
}

/** "A conversation is unread when UnreadCount is above zero and it is not done." */
function isUnread({ UnreadCount, IsDone }: Pick<Conversation, 'UnreadCount' | 'IsDone'>): boolean {
  return UnreadCount > 0 && !IsDone;
}

const RowLink = createLink(
  styled('a')({
    display: 'flex',
    alignItems: 'center',
    gap: 12,
    height: '100%',
    padding: '0 16px',
    color: 'inherit',
    textDecoration: 'none',
    '&:focus-visible': { outlineOffset: -2, borderRadius: 4 },
  }),
);

/** A row of the list: the whole of it leads to the thread, the face is also its box. */
export const ConversationRow = memo(function ConversationRow(props: ConversationRowProps) {
  const { conversation, search, draft, isOpen, isTicked, isTicking, onToggle } = props;
  const { ConversationID, LastMessage, UnreadCount, IsDone } = conversation;
  const unread = isUnread(conversation);
  const name = nameOf(conversation);
  const titleId = `conversation-${ConversationID}`;
  return (
    <Box
      sx={{
        position: 'relative',
        height: ROW_HEIGHT,
        borderBottom: '1px solid',
        borderColor: 'line.hair',
        bgcolor: isOpen || isTicked ? 'surface.selected' : 'background.paper',
        '&:hover': { bgcolor: isOpen || isTicked ? 'surface.selected' : 'surface.sunken' },
        '&::before': {
          content: '""',
          position: 'absolute',
          inset: '0 auto 0 0',
          width: 3,
          bgcolor: isOpen ? 'primary.main' : 'transparent',
        },
      }}
    >
      <RowLink
        to="/inbox/$conversationId"
        params={{ conversationId: ConversationID }}
        search={search}
        data-conversation={ConversationID}
        aria-current={isOpen ? 'true' : undefined}
      >
        {/* The place of the face, which lies over the link as the row's box. */}
        <Box sx={{ width: 36, flex: 'none' }} />
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1 }}>
            <Box
              id={titleId}
              component="span"
              sx={{
                ...oneLine,
                flex: 1,
                typography: 'body1',
                fontWeight: unread ? 640 : 520,
                color: IsDone ? 'text.secondary' : 'text.primary',
              }}
            >
              {name}
            </Box>
            {LastMessage && (
              <Box
                component="span"
                sx={{
                  typography: 'caption',
                  fontVariantNumeric: 'tabular-nums',
                  fontWeight: unread ? 600 : 400,
                  color: unread ? 'primary.main' : 'text.secondary',
                }}
              >
                <RelativeTime at={LastMessage.CreateTimestamp} style="short" />
              </Box>
            )}
          </Box>
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, mt: '2px', minHeight: 20 }}>
            <Box
              component="span"
              sx={{
                ...oneLine,
                flex: 1,
                typography: 'body2',
                fontWeight: unread ? 550 : 400,
                color: unread ? 'text.primary' : 'text.secondary',
              }}
            >
              <Snippet conversation={conversation} draft={isOpen ? undefined : draft} />
            </Box>
            {unread && (
              <Box
                component="span"
                aria-label={`${formatCount(UnreadCount)} unread`}
                role="img"
                sx={{
                  flex: 'none',
                  minWidth: 18,
                  height: 18,
                  px: '5px',
                  borderRadius: 9,
                  display: 'grid',
                  placeItems: 'center',
                  fontSize: 11,
                  fontWeight: 640,
                  lineHeight: 1,
                  fontVariantNumeric: 'tabular-nums',
                  bgcolor: 'primary.main',
                  color: 'primary.contrastText',
                }}
              >
                {UnreadCount > 99 ? '99+' : UnreadCount}
              </Box>
            )}
          </Box>
        </Box>
      </RowLink>
      <Box
        sx={{
          position: 'absolute',
          left: 16,
          top: 17,
          width: 36,
          height: 36,
          '& .row-face': { opacity: isTicking ? 0 : 1 },
          '& .row-box': { opacity: isTicking ? 1 : 0 },
          '&:hover .row-face, &:has(:focus-visible) .row-face': { opacity: 0 },
          '&:hover .row-box, &:has(:focus-visible) .row-box': { opacity: 1 },
        }}
      >
        <Box className="row-face" sx={{ position: 'absolute', inset: 0 }}>
          <Face name={knownName(conversation)} isDone={IsDone} />
          {IsDone && <DoneMark />}
        </Box>
        <Checkbox
          className="row-box"
          checked={isTicked}
          onChange={() => onToggle(ConversationID)}
          slotProps={{ input: { 'aria-label': `Select ${name}` } }}
          sx={{ position: 'absolute', inset: 0, width: 36, height: 36, padding: '9px' }}
        />
      </Box>
    </Box>
  );
});

const oneLine = { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

function DoneMark() {
  return (
    <Box
      sx={{
        position: 'absolute',
        right: -2,
        bottom: -2,
        width: 15,
        height: 15,
        borderRadius: '50%',
        border: '2px solid',
        borderColor: 'background.paper',
        display: 'grid',
        placeItems: 'center',
        bgcolor: 'success.main',
        color: 'background.paper',
      }}
    >
      <Check size={9} strokeWidth={4} role="img" aria-label="Done" />
    </Box>
  );
}

/** The last words of a conversation on one line, before them the state of a text of ours. */
function Snippet({ conversation, draft }: { conversation: Conversation; draft: string | undefined }) {
  const { LastMessage } = conversation;
  if (draft) {
    return (
      <>
        <Box component="span" sx={{ color: 'warning.main', fontWeight: 550 }}>
          Draft:{' '}
        </Box>
        {draft}
      </>
    );
  }
  if (!LastMessage) return 'No messages yet';
  const { IsInbound, HasMedia, Status, Message } = LastMessage;
  const isBad = !IsInbound && isTextStatusCode(Status) && textStatuses[Status].kind === 'bad';
  const words = Message.trim() || (HasMedia ? 'Picture' : '');
  return (
    <>
      {!IsInbound && (
        <Box component="span" sx={{ mr: isBad ? '4px' : '6px', fontWeight: isBad ? 550 : 400 }}>
          <StatusMark status={Status} size={13} isGlyphOnly={!isBad} />
          {isBad && ' ·'}
        </Box>
      )}
      {HasMedia && (
        <Box component="span" sx={{ mr: '6px', display: 'inline-flex', verticalAlign: '-2px' }}>
          <Image size={13} strokeWidth={2} role="img" aria-label="With a picture" />
        </Box>
      )}
      {words}
    </>
  );
}
