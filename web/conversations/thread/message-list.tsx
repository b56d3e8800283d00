import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import { ArrowDown, Bell, Bot, type LucideIcon, Megaphone } from 'lucide-react';
import { memo, useMemo } from 'react';
import { useTimeZone, useUser } from '../../queries/current-user.ts';
import { formatDay } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { RouterLink } from '../../ui/router-link.tsx';
import { say } from '../../ui/say.ts';
import { visuallyHidden } from '../../ui/visually-hidden.ts';
import { Bubble, type BubbleProps } from './bubble.tsx';
import { groupByDay, type Run, sentAgain, type ThreadItem } from './group-messages.ts';
import { NoteItem } from './note-item.tsx';
import { useThreadScroll } from './thread-scroll.ts';

/** Loads more of the thread in one direction. */
export interface More {
  has: boolean;
  isLoading: boolean;
  hasFailed: boolean;
  load: () => void;
}

type Shared = Pick<BubbleProps, 'conversationId' | 'onOpenPicture' | 'pendingActions'>;

interface MessageListProps extends Shared {
  items: readonly ThreadItem[];
  older: More;
  later: More;
  /** The text to open at, such as a search hit. */
  foundId: number | undefined;
  /** Jumps to the latest texts, from around an old one. */
  onShowLatest: () => void;
}

/** The texts of a conversation by day and run, newest at the bottom. */
export const MessageList = memo(function MessageList({
  items,
  older,
  later,
  foundId,
  onShowLatest,
  ...shared
}: MessageListProps) {
  const zone = useTimeZone();
  const now = useNow();
  const userId = useUser()?.UserID ?? 0;
  const days = useMemo(() => groupByDay(items, zone, userId), [items, zone, userId]);
  const again = useMemo(
    () => sentAgain(items.flatMap((item) => (item.kind === 'message' ? [item.message] : []))),
    [items],
  );
  const { scrollerRef, contentRef, onScroll, newCount, scrollDown } = useThreadScroll({
    items,
    foundKey: foundId === undefined ? undefined : `m${foundId}`,
    hasLater: later.has,
    onNearTop: askFor(older),
    onNearBottom: askFor(later),
  });
  return (
    <Box sx={{ position: 'relative', flex: 1, minHeight: 0, display: 'flex' }}>
      <Box
        ref={scrollerRef}
        onScroll={onScroll}
        // Focusable, so that it scrolls by keyboard even with nothing focusable inside.
        tabIndex={0}
        role="region"
        aria-label="Messages"
        sx={{
          flex: 1,
          minWidth: 0,
          overflowY: 'auto',
          overscrollBehavior: 'contain',
          // thread-scroll.ts keeps the position. With the browser's anchoring too, it would jump.
          overflowAnchor: 'none',
          containerType: 'inline-size',
          '&:focus-visible': { outlineOffset: -2 },
        }}
      >
        <Box
          ref={contentRef}
          sx={{
            minHeight: '100%',
            display: 'flex',
            flexDirection: 'column',
            justifyContent: 'flex-end',
            px: { xs: '14px', tablet: 3 },
            py: 2,
          }}
        >
          <MoreLine more={older} which="older" />
          {days.map((day) => (
            <Box key={day.date} component="section" aria-labelledby={`day-${day.date}`}>
              <DayLine id={`day-${day.date}`}>{formatDay(firstAt(day.runs), now, zone)}</DayLine>
              <Box component="ol" sx={{ m: 0, p: 0, display: 'flex', flexDirection: 'column', gap: '10px' }}>
                {day.runs.map((run) => (
                  <RunItems
                    key={run.key}
                    run={run}
                    userId={userId}
                    foundId={foundId}
                    again={again}
                    {...shared}
                  />
                ))}
              </Box>
            </Box>
          ))}
          <MoreLine more={later} which="later" />
        </Box>
      </Box>
      {(newCount > 0 || later.has) && (
        <Button
          size="small"
          startIcon={<ArrowDown aria-hidden />}
          onClick={later.has ? onShowLatest : scrollDown}
          sx={{
            position: 'absolute',
            bottom: 12,
            left: '50%',
            transform: 'translateX(-50%)',
            boxShadow: 2,
            borderRadius: 15,
          }}
        >
          {later.has ? 'Latest messages' : 'New messages'}
        </Button>
      )}
      <Box role="status" style={visuallyHidden}>
        {newCount > 0 ? 'New messages have arrived below.' : ''}
      </Box>
    </Box>
  );
});

function askFor({ has, isLoading, hasFailed, load }: More): (() => void) | undefined {
  return has && !isLoading && !hasFailed ? load : undefined;
}

const moreWords = {
  older: {
    load: 'Load older messages',
    loading: 'Loading older messages',
    failed: 'Couldn’t load older messages. Try again',
  },
  later: {
    load: 'Load later messages',
    loading: 'Loading later messages',
    failed: 'Couldn’t load later messages. Try again',
  },
} as const;

function MoreLine({ more, which }: { more: More; which: 'older' | 'later' }) {
  const { has, isLoading, hasFailed, load } = more;
  const words = moreWords[which];
  return (
    <Box sx={{ minHeight: has ? 40 : 0, display: 'grid', placeItems: 'center' }}>
      {isLoading && <CircularProgress size={18} aria-label={words.loading} />}
      {has && !isLoading && (
        <Button variant="text" size="small" onClick={load}>
          {hasFailed ? words.failed : words.load}
        </Button>
      )}
    </Box>
  );
}

function firstAt(runs: readonly Run[]): string {
  return runs[0]?.items[0]?.at ?? '';
}

function DayLine({ id, children }: { id: string; children: string }) {
  return (
    <Box
      id={id}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: '12px',
        py: 2,
        typography: 'caption',
        fontWeight: 500,
        color: 'ink.three',
        '&::before, &::after': { content: '""', flex: 1, height: '1px', bgcolor: 'line.hair' },
      }}
    >
      {children}
    </Box>
  );
}

interface RunItemsProps extends Shared {
  run: Run;
  userId: number;
  foundId: number | undefined;
  again: ReadonlySet<number>;
}

/** Renders only when one of its texts changes. */
const RunItems = memo(function RunItems({ run, userId, foundId, again, ...shared }: RunItemsProps) {
  const [first] = run.items;
  if (first?.kind === 'note') return <NoteItem conversationId={shared.conversationId} note={first.note} />;
  return (
    <Box component="li" sx={{ listStyle: 'none' }}>
      {run.source && <SourceLine source={run.source} broadcast={run.broadcast} />}
      <Box component="ol" sx={{ m: 0, p: 0, display: 'flex', flexDirection: 'column', gap: '4px' }}>
        {run.items.map((item, index) =>
          item.kind === 'note' ? null : (
            <Bubble
              key={item.key}
              item={item}
              isInbound={run.isInbound}
              isLastOfRun={index === run.items.length - 1}
              isFound={item.kind === 'message' && item.message.TextMessageID === foundId}
              isSentAgain={item.kind === 'message' && again.has(item.message.TextMessageID)}
              speaker={speakerName(item, userId)}
              {...shared}
            />
          ),
        )}
      </Box>
    </Box>
  );
}, isSameRun);

function isSameRun(before: RunItemsProps, after: RunItemsProps): boolean {
  const { run: was, again: wasAgain, ...others } = before;
  const { run, again } = after;
  const names = Object.keys(others) as (keyof typeof others)[];
  return (
    names.every((name) => others[name] === after[name]) &&
    was.items.length === run.items.length &&
    run.items.every((item, index) => {
      const isAgain = item.kind === 'message' && again.has(item.message.TextMessageID);
      const hasBeen = item.kind === 'message' && wasAgain.has(item.message.TextMessageID);
      return item === was.items[index] && isAgain === hasBeen;
    })
  );
}

const sources: Record<NonNullable<Run['source']>, { label: string; icon: LucideIcon }> = {
  broadcast: { label: 'Broadcast', icon: Megaphone },
  automatic: { label: 'Automatic reply', icon: Bot },
  notification: { label: 'Notification', icon: Bell },
};

/** A heading above texts that no user wrote to this person alone. */
function SourceLine({
  source,
  broadcast,
}: {
  source: NonNullable<Run['source']>;
  broadcast: Run['broadcast'];
}) {
  const { label, icon: Glyph } = sources[source];
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        justifyContent: 'flex-end',
        gap: '6px',
        mb: '4px',
        px: '2px',
        typography: 'caption',
        color: 'text.secondary',
      }}
    >
      <Glyph size={13} strokeWidth={2} aria-hidden />
      {label}
      {broadcast && (
        <>
          <span aria-hidden>·</span>
          <RouterLink
            to="/broadcast-details/$broadcastId"
            params={{ broadcastId: broadcast.BroadcastID }}
            search={{}}
            variant="caption"
            noWrap
            sx={{ color: 'inherit', minWidth: 0 }}
          >
            {broadcast.BroadcastName}
          </RouterLink>
        </>
      )}
    </Box>
  );
}

function speakerName(item: ThreadItem, userId: number): string {
  if (item.kind === 'pending') return say('You');
  if (item.kind === 'note') return item.note.User.Name;
  const { SentBy } = item.message;
  if (!SentBy) return '';
  return SentBy.UserID === userId ? say('You') : SentBy.Name;
}
