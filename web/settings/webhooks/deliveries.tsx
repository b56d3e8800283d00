import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import { Check, CircleX, Clock, Inbox } from 'lucide-react';
import { useRef, useState } from 'react';
import { listWebhookDeliveries } from '../../../contract/addresses/webhooks.gen.ts';
import { mostDeliveriesCounted } from '../../../contract/forms/webhook.ts';
import type { Webhook, WebhookDelivery } from '../../../contract/webhooks.ts';
import { shownMessage } from '../../api.ts';
import { useCallPages } from '../../queries/calls.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { say } from '../../ui/say.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { visuallyHidden } from '../../ui/visually-hidden.ts';
import { DeliveryView } from './delivery-view.tsx';

type View = 'all' | 'failed' | 'waiting';

interface DeliveriesProps {
  webhook: Webhook;
  chosen: number | undefined;
  onChoose: (deliveryId: number) => void;
}

/** The deliveries to an endpoint, newest first, beside the open one. */
export function Deliveries({ webhook, chosen, onChoose }: DeliveriesProps) {
  const [view, setView] = useState<View>('all');
  const detail = useRef<HTMLDivElement>(null);
  const list = useCallPages(listWebhookDeliveries, {
    params: { WebhookID: webhook.WebhookID },
    query: view === 'all' ? {} : { state: view },
  });
  // Any first page has the counts of all three. While another view loads, the previous ones are shown.
  const latest = list.data?.pages[0]?.Counts;
  const [counts, setCounts] = useState(latest);
  if (latest !== undefined && latest !== counts) setCounts(latest);
  const items = list.data?.pages.flatMap(({ Items }) => Items) ?? [];
  const shown = chosen ?? items[0]?.DeliveryID;
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', md: 'minmax(320px, 2fr) 3fr' } }}>
      <Box sx={{ minWidth: 0, borderRight: { md: '1px solid' }, borderColor: { md: 'line.hair' } }}>
        <Box sx={{ p: 1.5 }}>
          <Segmented
            label="Deliveries"
            value={view}
            parts={[
              { value: 'all', words: <Counted words={say('All', 'deliveries')} count={counts?.All} /> },
              { value: 'failed', words: <Counted words={say('Failed')} count={counts?.Failed} /> },
              { value: 'waiting', words: <Counted words={say('Waiting')} count={counts?.Waiting} /> },
            ]}
            onChange={setView}
          />
        </Box>
        {list.isPending && <SkeletonRows rows={6} rowHeight={41} label="Loading the deliveries" />}
        {list.isError && (
          <Box sx={{ p: 2 }}>
            <RetryNotice onRetry={() => void list.refetch()}>
              {shownMessage(list.error, 'There was an error getting the deliveries.')}
            </RetryNotice>
          </Box>
        )}
        {list.data && items.length === 0 && (
          <EmptyState icon={Inbox} title={view === 'all' ? 'Nothing posted yet' : 'None'}>
            {view === 'all'
              ? 'Events appear here as they happen. Send a test to see one now.'
              : 'There is no such delivery.'}
          </EmptyState>
        )}
        <Box component="ul" sx={{ listStyle: 'none', p: 0, m: 0 }}>
          {items.map((delivery) => (
            <DeliveryRow
              key={delivery.DeliveryID}
              delivery={delivery}
              isShown={delivery.DeliveryID === shown}
              onChoose={(id) => {
                onChoose(id);
                // Below the list on a phone.
                requestAnimationFrame(() => detail.current?.scrollIntoView({ block: 'nearest' }));
              }}
            />
          ))}
        </Box>
        {list.hasNextPage && (
          <Box sx={{ display: 'grid', placeItems: 'center', p: 1.5 }}>
            <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              Show more
            </Button>
          </Box>
        )}
      </Box>
      <Box ref={detail} sx={{ minWidth: 0 }}>
        {shown !== undefined && <DeliveryView key={shown} webhook={webhook} deliveryId={shown} />}
      </Box>
    </Box>
  );
}

function Counted({ words, count }: { words: string; count: number | undefined }) {
  return (
    <span>
      {words}{' '}
      {count !== undefined && (
        <Box
          component="span"
          sx={{ ml: 0.25, fontVariantNumeric: 'tabular-nums', fontWeight: 400, color: 'text.secondary' }}
        >
          {formatCount(count)}
          {count >= mostDeliveriesCounted && '+'}
        </Box>
      )}
    </span>
  );
}

const looks = {
  delivered: { icon: Check, color: 'success.main', words: 'Delivered' },
  failed: { icon: CircleX, color: 'error.main', words: 'Not delivered' },
  waiting: { icon: Clock, color: 'warning.main', words: 'Waiting' },
} as const;

interface DeliveryRowProps {
  delivery: WebhookDelivery;
  isShown: boolean;
  onChoose: (deliveryId: number) => void;
}

function DeliveryRow({ delivery, isShown, onChoose }: DeliveryRowProps) {
  const { icon: Icon, color, words } = looks[delivery.State];
  const isBad = delivery.LastStatus !== null && delivery.LastStatus >= 300;
  return (
    <li>
      <ButtonBase
        onClick={() => onChoose(delivery.DeliveryID)}
        {...(isShown ? { 'aria-current': true } : {})}
        sx={{
          width: '100%',
          minHeight: 41,
          px: 2,
          display: 'grid',
          gridTemplateColumns: '20px minmax(0, 1fr) 36px 60px 36px',
          gap: 1,
          alignItems: 'center',
          textAlign: 'left',
          borderTop: '1px solid',
          borderColor: 'line.hair',
          bgcolor: isShown ? 'surface.press' : 'transparent',
          '&:hover': { bgcolor: 'surface.hover' },
        }}
      >
        <Box component="span" sx={{ color, display: 'grid' }}>
          <Icon size={15} aria-hidden />
          <Box component="span" style={visuallyHidden}>
            {words}
          </Box>
        </Box>
        <Box
          component="span"
          sx={{ fontFamily: 'monospace', fontSize: 13, overflow: 'hidden', textOverflow: 'ellipsis' }}
        >
          {delivery.EventType}
        </Box>
        <Box
          component="span"
          sx={{ fontVariantNumeric: 'tabular-nums', color: isBad ? 'error.main' : 'text.secondary' }}
        >
          {delivery.LastStatus ?? '–'}
        </Box>
        <Box component="span" sx={{ typography: 'body2', color: 'text.secondary' }}>
          {delivery.Tries > 1
            ? countOf(delivery.Tries, 'try', 'tries')
            : delivery.LastDuration === null
              ? ''
              : `${delivery.LastDuration} ms`}
        </Box>
        <Box
          component="span"
          sx={{ typography: 'body2', color: 'text.secondary', whiteSpace: 'nowrap', textAlign: 'right' }}
        >
          <RelativeTime at={delivery.CreateTimestamp} style="short" />
        </Box>
      </ButtonBase>
    </li>
  );
}
