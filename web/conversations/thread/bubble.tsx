import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { CircleAlert, Clock, ImageOff, UsersRound } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { isTextStatusCode, textStatuses } from '../../../contract/delivery/text-status.ts';
import type { MediaItem } from '../../../contract/media.ts';
import { BlockedNumberHelp } from '../../pieces/numbers/blocked-number-help.tsx';
import { blockedSentence } from '../../pieces/numbers/number-state.ts';
import { StatusMark } from '../../pieces/texts/status-mark.tsx';
import { useTimeZone } from '../../queries/current-user.ts';
import { formatAbsolute, formatTime } from '../../ui/format.ts';
import { visuallyHidden } from '../../ui/visually-hidden.ts';
import { mayBeSentAgain, type ThreadItem } from './group-messages.ts';
import { linkText } from './link-text.ts';
import { canBeTriedAgain, type OutboxEntry } from './outbox.ts';
import { PictureThumb } from './picture.tsx';
import { SendAgain } from './send-again.tsx';
import { smallAction } from './small-action.ts';

export interface BubbleProps {
  conversationId: number;
  item: Exclude<ThreadItem, { kind: 'note' }>;
  isInbound: boolean;
  isLastOfRun: boolean;
  /** This text is the search hit. */
  isFound: boolean;
  /** It failed and has been sent again since. */
  isSentAgain: boolean;
  /** "You", a coworker's name, or empty for texts the system sent. */
  speaker: string;
  onOpenPicture: (picture: MediaItem) => void;
  pendingActions: { tryAgain: (entry: OutboxEntry) => void; takeBack: (entry: OutboxEntry) => void };
}

/**
 * A text with its details: name, time and status below the last of a run, errors below each. Renders only when its own
 * text changes, so that a new reply doesn't render a page of bubbles.
 */
export const Bubble = memo(function Bubble(props: BubbleProps) {
  const { item, isInbound, isLastOfRun, isFound, speaker, onOpenPicture, pendingActions } = props;
  const text = item.kind === 'message' ? item.message.Message : item.entry.text;
  const pictures = item.kind === 'message' ? item.message.Media : item.entry.pictures;
  return (
    <Box
      component="li"
      data-item={item.key}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        alignItems: isInbound ? 'flex-start' : 'flex-end',
        gap: '4px',
        listStyle: 'none',
      }}
    >
      {/* Sighted users see the sender by the side; screen readers need words. */}
      <Box component="span" style={visuallyHidden}>
        {isInbound ? 'They wrote:' : `${speaker || 'Sent by Muster'}:`}
      </Box>
      {pictures.map((picture) => (
        <PictureThumb key={picture.mediaId} picture={picture} onOpen={() => onOpenPicture(picture)} />
      ))}
      {isInbound && item.kind === 'message' && item.message.Mms && pictures.length === 0 && (
        <MissingPicture />
      )}
      {text !== '' && (
        <BubbleText
          isInbound={isInbound}
          isFound={isFound}
          isFaint={
            item.kind === 'pending' && (item.entry.state === 'sending' || item.entry.state === 'waiting')
          }
        >
          {text}
        </BubbleText>
      )}
      {item.kind === 'pending' ? (
        <PendingLine entry={item.entry} isShown={isLastOfRun} actions={pendingActions} />
      ) : (
        <StateLine {...props} item={item} />
      )}
    </Box>
  );
});

/** Still being fetched, or no longer available from the carrier. */
function MissingPicture() {
  return (
    <Box
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 1,
        px: 1.5,
        minHeight: 36,
        borderRadius: '14px',
        border: '1px dashed',
        borderColor: 'line.strong',
        color: 'text.secondary',
        typography: 'body2',
      }}
    >
      <ImageOff size={16} strokeWidth={1.75} aria-hidden />
      They sent a picture, but it hasn’t arrived.
    </Box>
  );
}

interface BubbleTextProps {
  children: string;
  isInbound: boolean;
  isFound: boolean;
  isFaint: boolean;
}

function BubbleText({ children, isInbound, isFound, isFaint }: BubbleTextProps) {
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
        ...(isFound ? { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: '2px' } : {}),
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

type StateLineProps = Omit<BubbleProps, 'item'> & { item: Extract<ThreadItem, { kind: 'message' }> };

function StateLine({ conversationId, item, speaker, isInbound, isLastOfRun, isSentAgain }: StateLineProps) {
  const zone = useTimeZone();
  const { Status, StatusTimestamp } = item.message;
  const isBad = isTextStatusCode(Status) && textStatuses[Status].kind === 'bad';
  const canBeSentAgain = mayBeSentAgain(item.message);
  if (!isLastOfRun && !isBad && !canBeSentAgain) return null;
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
      {canBeSentAgain && (
        <SendAgain conversationId={conversationId} message={item.message} isSentAgain={isSentAgain} />
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
  if (entry.state === 'waiting') {
    return (
      <Line isInbound={false}>
        <Clock size={13} strokeWidth={2} aria-hidden />
        <span role="status">Not sent yet. Waiting for a connection.</span>
        <Button variant="text" size="small" sx={smallAction} onClick={() => actions.takeBack(entry)}>
          Edit
        </Button>
      </Line>
    );
  }
  const isOvertaken = entry.state === 'overtaken';
  const Glyph = isOvertaken ? UsersRound : CircleAlert;
  const reason = entry.reason || (isOvertaken ? 'Someone else has already replied.' : '');
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
        color: isOvertaken ? 'warning.main' : 'error.main',
      }}
    >
      <Box component="span" sx={{ textAlign: 'right', '& svg': { verticalAlign: '-2px', mr: '6px' } }}>
        <Glyph size={14} strokeWidth={2} aria-hidden />
        {`Not sent. ${reason}`.trim()}
      </Box>
      {reason === blockedSentence && <BlockedNumberHelp />}
      {canBeTriedAgain(entry, Date.now()) && (
        <Button
          variant="text"
          color="primary"
          size="small"
          sx={smallAction}
          onClick={() => actions.tryAgain(entry)}
        >
          {isOvertaken ? 'Send anyway' : 'Try again'}
        </Button>
      )}
      <Button variant="text" size="small" sx={smallAction} onClick={() => actions.takeBack(entry)}>
        Edit
      </Button>
    </Box>
  );
}
