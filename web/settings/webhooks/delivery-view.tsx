import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { getWebhookDelivery, replayWebhookDelivery } from '../../../contract/addresses/webhooks.gen.ts';
import type { Reply } from '../../../contract/call.ts';
import type { Webhook } from '../../../contract/webhooks.ts';
import { shownMessage } from '../../api.ts';
import { useCall, useCallQuery } from '../../queries/calls.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { countOf, formatAbsolute } from '../../ui/format.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';

type Delivery = Reply<typeof getWebhookDelivery>;
type Attempt = Delivery['Attempts'][number];

/** One delivery: what was posted, each try, and what was answered. */
export function DeliveryView({ webhook, deliveryId }: { webhook: Webhook; deliveryId: number }) {
  const params = { WebhookID: webhook.WebhookID, DeliveryID: deliveryId };
  const { data, error, refetch } = useCallQuery(getWebhookDelivery, { params });
  if (error)
    return (
      <Box sx={{ p: 2.5 }}>
        <RetryNotice onRetry={() => void refetch()}>
          {shownMessage(error, 'There was an error getting the delivery.')}
        </RetryNotice>
      </Box>
    );
  if (!data) return <SkeletonRows rows={5} rowHeight={44} label="Loading the delivery" />;
  return <WholeDelivery webhook={webhook} delivery={data} />;
}

function WholeDelivery({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const zone = useTimeZone();
  const [chosen, setChosen] = useState<number>();
  const replay = useCall(replayWebhookDelivery, {
    onSuccess: () => showSnackbar('Replaying 1 delivery.'),
    onError: (error) => showSnackbar(shownMessage(error, 'There was an error replaying.')),
  });
  const attempt = delivery.Attempts.find(({ Attempt }) => Attempt === chosen) ?? delivery.Attempts[0];
  const { WebhookID } = webhook;
  return (
    <Box sx={{ minWidth: 0 }}>
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'flex-start', px: 2.5, py: 1.5 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography
            component="h3"
            sx={{ fontFamily: 'monospace', fontWeight: 550, overflowWrap: 'anywhere' }}
          >
            {delivery.EventType}
          </Typography>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {sentenceOf(delivery, zone)}
          </Typography>
        </Box>
        <Button
          startIcon={<RotateCcw aria-hidden />}
          disabled={replay.isPending || !webhook.IsEnabled}
          onClick={() => replay.mutate({ params: { WebhookID, DeliveryID: delivery.DeliveryID } })}
        >
          Replay
        </Button>
      </Box>
      {delivery.Attempts.length > 0 && attempt !== undefined && (
        <Tabs
          value={attempt.Attempt}
          onChange={(_, next: number) => setChosen(next)}
          variant="scrollable"
          aria-label="Tries"
          sx={{ px: 1.5, borderTop: '1px solid', borderBottom: '1px solid', borderColor: 'line.hair' }}
        >
          {delivery.Attempts.map(({ Attempt }) => (
            <Tab key={Attempt} value={Attempt} label={`Try ${Attempt}`} />
          ))}
        </Tabs>
      )}
      <Box sx={{ display: 'grid', gap: 1, p: 2.5, minWidth: 0 }}>
        <Head title="Request" aside={attempt === undefined ? '' : formatAbsolute(attempt.Timestamp, zone)} />
        <Code>{requestOf(webhook, delivery, attempt)}</Code>
        {attempt !== undefined && (
          <>
            <Head
              title="Response"
              aside={`${attempt.Status ?? 'No answer'} · ${attempt.Duration} ms`}
              isBad={!isSuccess(attempt.Status)}
            />
            <Code>{responseOf(attempt)}</Code>
          </>
        )}
      </Box>
    </Box>
  );
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

function sentenceOf({ State, Tries, NextTryTimestamp }: Delivery, zone: string): string {
  const tried = Tries === 0 ? 'Not tried yet.' : `Tried ${countOf(Tries, 'time', 'times')}.`;
  if (State === 'delivered') return `Delivered. ${tried}`;
  if (State === 'failed') return `Not delivered. ${tried} Replay it once the endpoint works.`;
  return NextTryTimestamp === null ? tried : `${tried} Next try ${formatAbsolute(NextTryTimestamp, zone)}.`;
}

function requestOf(webhook: Webhook, { MessageID, Body }: Delivery, attempt: Attempt | undefined): string {
  const url = URL.parse(webhook.Url);
  return [
    `POST ${url?.pathname ?? ''}${url?.search ?? ''}`,
    `webhook-id: ${MessageID}`,
    ...(attempt === undefined
      ? []
      : [`webhook-timestamp: ${attempt.SignedAt}`, `webhook-signature: ${attempt.Signature}`]),
    '',
    indented(Body),
  ].join('\n');
}

function responseOf({ ContentType, Reply, Error: why }: Attempt): string {
  const lines = [...(ContentType === '' ? [] : [`content-type: ${ContentType}`, '']), Reply, why];
  return lines.filter((line, index) => line !== '' || index === 1).join('\n') || '(empty)';
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function Head({ title, aside, isBad = false }: { title: string; aside: string; isBad?: boolean }) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 2, mt: 1 }}>
      <Typography component="h4" sx={{ flex: 1, fontWeight: 550 }}>
        {title}
      </Typography>
      <Typography variant="body2" sx={{ color: isBad ? 'error.main' : 'text.secondary' }}>
        {aside}
      </Typography>
    </Box>
  );
}

function Code({ children }: { children: string }) {
  return (
    <Box
      component="pre"
      // A scrolling region has to be reachable by keyboard.
      tabIndex={0}
      sx={{
        m: 0,
        p: 1.5,
        maxHeight: 420,
        overflow: 'auto',
        fontSize: 12.5,
        lineHeight: '19px',
        whiteSpace: 'pre-wrap',
        overflowWrap: 'anywhere',
        bgcolor: 'surface.sunken',
        border: '1px solid',
        borderColor: 'line.hair',
        borderRadius: '8px',
      }}
    >
      {children}
    </Box>
  );
}
