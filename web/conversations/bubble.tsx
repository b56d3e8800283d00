import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { CircleAlert, Clock } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { isTextStatusCode, textStatuses } from '../../contract/delivery/text-status.ts';
import { useTimeZone } from '../queries/current-user.ts';
import { formatAbsolute, formatTime } from '../ui/format.ts';
import { StatusMark } from '../ui/status-mark.tsx';
import type { ThreadItem } from './group-messages.ts';
import { linkText } from './link-text.ts';
import type { OutboxEntry, Picture } from './outbox.ts';
import { PictureThumb } from './picture.tsx';

export interface BubbleProps {
  item: ThreadItem;
  isInbound: boolean;
  isLastOfRun: boolean;
  /** "You", a colleague's name, or nothing for texts that the system sent. */
  speaker: string;
  onOpenPicture: (picture: Picture) => void;
  pendingActions: { tryAgain: (entry: OutboxEntry) => void; takeBack: (entry: OutboxEntry) => void };
}

/**
 * A text and what stands under it: name, time and state under the last of a run, trouble under each.
 * Drawn again only when its own text has changed: a reply that arrives must not cost a page of bubbles.
 */
export const Bubble = memo(function Bubble({
  item,
  isInbound,
  isLastOfRun,
  speaker,
  onOpenPicture,
  pendingActions,
}: BubbleProps) {
  const text = item.kind === 'message' ? item.message.Message : item.entry.text;
  const pictures = item.kind === 'message' ? item.message.Media : item.entry.pictures;
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexDirection: 'column',
        alignItems: isInbound ? 'flex-start' : 'flex-end',
        gap: '4px',
        listStyle: 'none',
      }}
    >
      {/* Who speaks is seen by the side; those who don't see it are told. */}
      <Box component="span" sx={hiddenFromSight}>
        {isInbound ? 'They wrote:' : `${speaker || 'Automatic reply'}:`}
      </Box>
      {pictures.map((picture) => (
        <PictureThumb key={picture.mediaId} picture={picture} onOpen={() => onOpenPicture(picture)} />
      ))}
      {text !== '' && (
        <BubbleText isInbound={isInbound} isFaint={item.kind === 'pending' && item.entry.state === 'sending'}>
          {text}
        </BubbleText>
      )}
      {item.kind === 'pending' ? (
        <PendingLine entry={item.entry} isShown={isLastOfRun} actions={pendingActions} />
      ) : (
        <StateLine item={item} speaker={speaker} isInbound={isInbound} isLastOfRun={isLastOfRun} />
      )}
    </Box>
  );
}, isSameBubble);

function isSameBubble(before: BubbleProps, after: BubbleProps): boolean {
  if (before.item.kind !== 'message' || after.item.kind !== 'message') return false;
  return (
    before.item.message === after.item.message &&
    before.isInbound === after.isInbound &&
    before.isLastOfRun === after.isLastOfRun &&
    before.speaker === after.speaker &&
    before.onOpenPicture === after.onOpenPicture
  );
}

export const hiddenFromSight = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
} as const;

function BubbleText({
  children,
  isInbound,
  isFaint,
}: {
  children: string;
  isInbound: boolean;
  isFaint: boolean;
}) {
  return (
    <Box
      sx={{
        maxWidth: 'min(424px, 78cqw)',
        padding: '8px 13px 9px',
        borderRadius: isInbound ? '14px 14px 14px 4px' : '14px 14px 4px 14px',
        bgcolor: isInbound ? 'bubble.in' : 'bubble.out',
        color: isInbound ? 'bubble.inText' : 'bubble.outText',
        whiteSpace: 'pre-wrap',
        overflowWrap: 'anywhere',
        ...(isFaint ? { opacity: 0.7 } : {}),
      }}
    >
      {linkText(children).map((piece) =>
        piece.href ? (
          <Link
            key={piece.at}
            href={piece.href}
            target="_blank"
            rel="noopener noreferrer"
            underline="always"
            sx={{ color: 'inherit' }}
          >
            {piece.text}
          </Link>
        ) : (
          piece.text
        ),
      )}
    </Box>
  );
}

function Line({ children, isInbound }: { children: ReactNode; isInbound: boolean }) {
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: isInbound ? 'flex-start' : 'flex-end',
        columnGap: '7px',
        px: '2px',
        pt: '1px',
        typography: 'caption',
        color: 'text.secondary',
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      {children}
    </Box>
  );
}

function StateLine(props: {
  item: Extract<ThreadItem, { kind: 'message' }>;
  speaker: string;
  isInbound: boolean;
  isLastOfRun: boolean;
}) {
  const { item, speaker, isInbound, isLastOfRun } = props;
  const zone = useTimeZone();
  const { Status, StatusTimestamp } = item.message;
  const isBad = isTextStatusCode(Status) && textStatuses[Status].kind === 'bad';
  if (!isLastOfRun && !isBad) return null;
  return (
    <Line isInbound={isInbound}>
      {isLastOfRun && (
        <>
          {!isInbound && speaker !== '' && (
            <>
              <span>{speaker}</span>
              <span aria-hidden>·</span>
            </>
          )}
          <time dateTime={item.at} title={formatAbsolute(item.at, zone)}>
            {formatTime(item.at, zone)}
          </time>
        </>
      )}
      {!isInbound && (
        <>
          {isLastOfRun && <span aria-hidden>·</span>}
          <StatusMark status={Status} at={StatusTimestamp} size={14} />
        </>
      )}
    </Line>
  );
}

function PendingLine(props: {
  entry: OutboxEntry;
  isShown: boolean;
  actions: BubbleProps['pendingActions'];
}) {
  const { entry, isShown, actions } = props;
  if (entry.state === 'sending') {
    if (!isShown) return null;
    return (
      <Line isInbound={false}>
        <Clock size={13} strokeWidth={2} aria-hidden />
        Sending
      </Line>
    );
  }
  return (
    <Box
      role="alert"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'flex-end',
        columnGap: '6px',
        maxWidth: 'min(424px, 90cqw)',
        typography: 'caption',
        color: 'error.main',
      }}
    >
      <CircleAlert size={14} strokeWidth={2} aria-hidden />
      <span>Not sent.{entry.reason ? ` ${entry.reason}` : ''}</span>
      <Button
        variant="text"
        color="error"
        size="small"
        sx={smallAction}
        onClick={() => actions.tryAgain(entry)}
      >
        Try again
      </Button>
      <Button variant="text" size="small" sx={smallAction} onClick={() => actions.takeBack(entry)}>
        Edit
      </Button>
    </Box>
  );
}

const smallAction = { height: 24, px: '6px', fontSize: 12 };
