import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import { ArrowDown } from 'lucide-react';
import { useMemo } from 'react';
import { useTimeZone, useUser } from '../queries/current-user.ts';
import { formatDay } from '../ui/format.ts';
import { useNow } from '../ui/now.ts';
import { Bubble, type BubbleProps, hiddenFromSight } from './bubble.tsx';
import { groupByDay, type Run, type ThreadItem } from './group-messages.ts';
import { useThreadScroll } from './thread-scroll.ts';

interface MessageListProps {
  items: readonly ThreadItem[];
  hasOlder: boolean;
  isLoadingOlder: boolean;
  onLoadOlder: () => void;
  olderFailed: boolean;
  onOpenPicture: BubbleProps['onOpenPicture'];
  pendingActions: BubbleProps['pendingActions'];
}

/** The texts of a conversation by day and run, the newest at the bottom. */
export function MessageList(props: MessageListProps) {
  const { items, hasOlder, isLoadingOlder, onLoadOlder, olderFailed, onOpenPicture, pendingActions } = props;
  const zone = useTimeZone();
  const now = useNow();
  const userId = useUser()?.UserID ?? 0;
  const days = useMemo(() => groupByDay(items, zone, userId), [items, zone, userId]);
  const { scrollerRef, contentRef, onScroll, newCount, scrollDown } = useThreadScroll({
    items,
    onNearTop: hasOlder && !isLoadingOlder && !olderFailed ? onLoadOlder : undefined,
  });
  return (
    <Box sx={{ position: 'relative', flex: 1, minHeight: 0, display: 'flex' }}>
      <Box
        ref={scrollerRef}
        onScroll={onScroll}
        // Scrolled with the keyboard too: nothing inside may be focusable.
        tabIndex={0}
        role="region"
        aria-label="Messages"
        sx={{
          flex: 1,
          minWidth: 0,
          overflowY: 'auto',
          overscrollBehavior: 'contain',
          // Kept in place by thread-scroll.ts; two at once would jump.
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
          <Box sx={{ minHeight: hasOlder ? 40 : 0, display: 'grid', placeItems: 'center' }}>
            {isLoadingOlder && <CircularProgress size={18} aria-label="Loading older messages" />}
            {hasOlder && !isLoadingOlder && (
              <Button variant="text" size="small" onClick={onLoadOlder}>
                {olderFailed ? 'Older messages could not be loaded. Try again' : 'Load older messages'}
              </Button>
            )}
          </Box>
          {days.map((day) => (
            <Box key={day.date} component="section" aria-labelledby={`day-${day.date}`}>
              <DayLine id={`day-${day.date}`}>{formatDay(firstAt(day.runs), now, zone)}</DayLine>
              <Box component="ol" sx={{ m: 0, p: 0, display: 'flex', flexDirection: 'column', gap: '10px' }}>
                {day.runs.map((run) => (
                  <RunBubbles
                    key={run.key}
                    run={run}
                    userId={userId}
                    onOpenPicture={onOpenPicture}
                    pendingActions={pendingActions}
                  />
                ))}
              </Box>
            </Box>
          ))}
        </Box>
      </Box>
      {newCount > 0 && (
        <Button
          size="small"
          startIcon={<ArrowDown aria-hidden />}
          onClick={scrollDown}
          sx={{
            position: 'absolute',
            bottom: 12,
            left: '50%',
            transform: 'translateX(-50%)',
            boxShadow: 2,
            borderRadius: 15,
          }}
        >
          New messages
        </Button>
      )}
      <Box role="status" sx={hiddenFromSight}>
        {newCount > 0 ? 'New messages have arrived below.' : ''}
      </Box>
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

function RunBubbles(
  props: { run: Run; userId: number } & Pick<BubbleProps, 'onOpenPicture' | 'pendingActions'>,
) {
  const { run, userId, onOpenPicture, pendingActions } = props;
  return (
    <Box component="li" sx={{ listStyle: 'none' }}>
      <Box component="ol" sx={{ m: 0, p: 0, display: 'flex', flexDirection: 'column', gap: '4px' }}>
        {run.items.map((item, index) => (
          <Bubble
            key={item.key}
            item={item}
            isInbound={run.isInbound}
            isLastOfRun={index === run.items.length - 1}
            speaker={speakerName(item, userId)}
            onOpenPicture={onOpenPicture}
            pendingActions={pendingActions}
          />
        ))}
      </Box>
    </Box>
  );
}

function speakerName(item: ThreadItem, userId: number): string {
  if (item.kind === 'pending') return 'You';
  const { SentBy } = item.message;
  if (!SentBy) return '';
  return SentBy.UserID === userId ? 'You' : SentBy.Name;
}
