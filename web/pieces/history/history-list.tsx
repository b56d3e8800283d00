import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import {
  ArrowDownLeft,
  ArrowUpRight,
  Ban,
  FileUp,
  History,
  type LucideIcon,
  Pencil,
  Phone,
  ShieldCheck,
  ShieldQuestionMark,
  UserPlus,
} from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import type { HistoryItem } from '../../../contract/contacts.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { shownMessage } from '../../api.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatAbsolute, formatDay, formatTime } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { visuallyHidden } from '../../ui/visually-hidden.ts';
import { CallMark } from '../calls/call-mark.tsx';
import { StatusMark } from '../texts/status-mark.tsx';
import { historyDays, historyDetail, historyHeadline, historyKey } from './history-days.ts';

interface HistoryListProps {
  pages: {
    data: { pages: readonly { Items: readonly HistoryItem[] }[] } | undefined;
    error: Error | null;
    isPending: boolean;
    isError: boolean;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    refetch: () => unknown;
    fetchNextPage: () => unknown;
  };
  /** Shown when the server doesn't say why it failed. */
  failed: string;
  hasSeveralPhones: boolean;
}

/** The history by day, latest first; older pages load on scrolling. */
export function HistoryList({ pages, failed, hasSeveralPhones }: HistoryListProps) {
  const zone = useTimeZone();
  const now = useNow();
  const days = useMemo(
    () => historyDays(pages.data?.pages.flatMap(({ Items }) => Items) ?? [], zone),
    [pages.data, zone],
  );
  return (
    <>
      {pages.isPending && (
        <SkeletonRows rows={6} rowHeight={64} face={30} isTwoLine label="Loading history" />
      )}
      {pages.isError && !pages.data && (
        <Box sx={{ p: 2.5 }}>
          <RetryNotice onRetry={() => void pages.refetch()}>{shownMessage(pages.error, failed)}</RetryNotice>
        </Box>
      )}
      {pages.data && days.length === 0 && (
        <EmptyState icon={History} title="Nothing has happened yet">
          Texts, calls, opt-ins and opt-outs are listed here.
        </EmptyState>
      )}
      <Box sx={{ px: 2.5, pb: days.length > 0 ? 2 : 0 }}>
        {days.map(({ date, items }) => (
          <Box key={date} component="section" aria-label={formatDay(items[0]?.Timestamp ?? date, now, zone)}>
            <Divider sx={{ my: 1.5, typography: 'caption', fontWeight: 500, color: 'ink.three' }}>
              {formatDay(items[0]?.Timestamp ?? date, now, zone)}
            </Divider>
            <Box component="ul" sx={{ listStyle: 'none', p: 0, display: 'grid', gap: 2 }}>
              {items.map((item, index) => (
                <Item
                  key={historyKey(item)}
                  item={item}
                  // Once a day for each conversation: ten texts don't need ten links.
                  isLinked={
                    items.findIndex(({ ConversationID }) => ConversationID === item.ConversationID) === index
                  }
                  hasSeveralPhones={hasSeveralPhones}
                  zone={zone}
                />
              ))}
            </Box>
          </Box>
        ))}
        {pages.hasNextPage && (
          <Older isFetching={pages.isFetchingNextPage} onFetch={() => void pages.fetchNextPage()} />
        )}
      </Box>
    </>
  );
}

function Older({ isFetching, onFetch }: { isFetching: boolean; onFetch: () => void }) {
  const element = useRef<HTMLDivElement>(null);
  const fetch = useRef(onFetch);
  fetch.current = onFetch;
  useEffect(() => {
    if (!element.current || isFetching) return;
    const watch = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) fetch.current();
    });
    watch.observe(element.current);
    return () => watch.disconnect();
  }, [isFetching]);
  return (
    <Box ref={element} sx={{ display: 'grid', placeItems: 'center', pt: 2 }}>
      <Button size="small" variant="text" disabled={isFetching} onClick={onFetch}>
        {isFetching ? 'Loading' : 'Show older'}
      </Button>
    </Box>
  );
}

function look(item: HistoryItem): { icon: LucideIcon; back: string; ink: string } {
  const quiet = { back: 'tint.neutral', ink: 'ink.two' };
  if (item.Kind === 'text') {
    return item.IsInbound
      ? { icon: ArrowDownLeft, ...quiet }
      : { icon: ArrowUpRight, back: 'tint.accent', ink: 'primary.main' };
  }
  if (item.Kind === 'call') return { icon: Phone, back: 'tint.accent', ink: 'primary.main' };
  if (item.Kind === 'consent') {
    if (item.ConsentState === 'in') return { icon: ShieldCheck, back: 'tint.success', ink: 'success.main' };
    if (item.ConsentState === 'out') return { icon: Ban, back: 'tint.error', ink: 'error.main' };
    return { icon: ShieldQuestionMark, ...quiet };
  }
  if (item.Kind === 'edited') return { icon: Pencil, ...quiet };
  return { icon: item.Kind === 'imported' ? FileUp : UserPlus, ...quiet };
}

interface ItemProps {
  item: HistoryItem;
  isLinked: boolean;
  hasSeveralPhones: boolean;
  zone: string;
}

function Item({ item, isLinked, hasSeveralPhones, zone }: ItemProps) {
  const { icon: Icon, back, ink } = look(item);
  const detail = historyDetail(item);
  const isOfPhone = item.Kind === 'text' || item.Kind === 'call' || item.Kind === 'consent';
  const hasPhone = hasSeveralPhones && isOfPhone && item.PhoneNumber !== '';
  return (
    <Box component="li" sx={{ display: 'flex', gap: 1.5 }}>
      <Box
        aria-hidden
        sx={{
          flex: 'none',
          width: 30,
          height: 30,
          borderRadius: '50%',
          display: 'grid',
          placeItems: 'center',
          bgcolor: back,
          color: ink,
        }}
      >
        <Icon size={15} strokeWidth={2} />
      </Box>
      <Box sx={{ flex: 1, minWidth: 0, pt: '5px' }}>
        <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1 }}>
          <Typography sx={{ flex: 1, minWidth: 0, fontWeight: 520, overflowWrap: 'anywhere' }}>
            {historyHeadline(item)}
            {hasPhone && (
              <Box component="span" sx={{ fontWeight: 400, color: 'text.secondary' }}>
                {' '}
                · {formatPhone(item.PhoneNumber)}
              </Box>
            )}
          </Typography>
          <Tooltip describeChild title={formatAbsolute(item.Timestamp, zone)}>
            <Box
              component="time"
              dateTime={item.Timestamp}
              sx={{
                flex: 'none',
                typography: 'caption',
                color: 'text.secondary',
                fontVariantNumeric: 'tabular-nums',
              }}
            >
              {formatTime(item.Timestamp, zone)}
            </Box>
          </Tooltip>
        </Box>
        {detail !== '' && (
          <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {detail}
          </Typography>
        )}
        {item.Kind === 'call' && (
          <Box sx={{ mt: '4px', typography: 'caption', color: 'text.secondary' }}>
            <CallMark result={item.Status} at={item.Timestamp} />
          </Box>
        )}
        {item.Kind === 'text' && <TextBody item={item} isLinked={isLinked} />}
      </Box>
    </Box>
  );
}

function TextBody({ item, isLinked }: Pick<ItemProps, 'item' | 'isLinked'>) {
  return (
    <>
      <Typography sx={{ mt: '2px', color: 'text.primary', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {item.Message === '' ? 'A picture' : item.Message}
      </Typography>
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          columnGap: 1.5,
          mt: '4px',
          typography: 'caption',
          color: 'text.secondary',
        }}
      >
        {!item.IsInbound && <StatusMark status={item.Status} size={13} />}
        {isLinked && item.ConversationID !== null && (
          <RouterLink
            variant="caption"
            to="/inbox/$conversationId"
            params={{ conversationId: item.ConversationID }}
          >
            Open conversation
            <span style={visuallyHidden}> of {formatPhone(item.PhoneNumber)}</span>
          </RouterLink>
        )}
      </Box>
    </>
  );
}
