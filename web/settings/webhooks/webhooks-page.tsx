import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { listWebhooks } from '../../../contract/addresses/webhooks.gen.ts';
import type { Webhook } from '../../../contract/webhooks.ts';
import { shownMessage } from '../../api.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { Card } from '../../ui/card.tsx';
import { Choice } from '../../ui/choices.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countOf } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { say } from '../../ui/say.ts';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { deliveredWords } from './delivered-words.ts';
import { Deliveries } from './deliveries.tsx';
import { SecretDialog, WebhookActions } from './webhook-actions.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

export interface WebhooksSearch {
  webhook?: number | undefined;
  delivery?: number | undefined;
}

interface WebhooksPageProps {
  search: WebhooksSearch;
  onChange: (search: WebhooksSearch) => void;
}

/** The endpoints that events are posted to, and what arrived. */
export function WebhooksPage({ search, onChange }: WebhooksPageProps) {
  const { data, error, refetch } = useCallQuery(listWebhooks, {});
  const [edited, setEdited] = useState<'new' | Webhook>();
  const [secret, setSecret] = useState<string>();
  const items = data?.Items ?? [];
  const shown = items.find(({ WebhookID }) => WebhookID === search.webhook) ?? items[0];
  return (
    <>
      <PageHead
        title="Webhooks"
        crumb={say('Settings')}
        sentence="Muster posts what happens to your other systems."
        actions={
          <Button
            variant="contained"
            color="primary"
            startIcon={<Plus aria-hidden />}
            onClick={() => setEdited('new')}
          >
            Add an endpoint
          </Button>
        }
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4 }}>
        {error && (
          <RetryNotice onRetry={() => void refetch()}>
            {shownMessage(error, 'There was an error getting the webhooks.')}
          </RetryNotice>
        )}
        {!data && !error && (
          <Card>
            <SkeletonRows rows={6} rowHeight={44} label="Loading the webhooks" />
          </Card>
        )}
        {data && shown === undefined && (
          <Card>
            <EmptyState icon={WebhookIcon} title="No endpoints yet">
              Add an address of your own system. Muster posts texts, opt-outs, broadcasts and more to it as
              they happen.
            </EmptyState>
          </Card>
        )}
        {shown !== undefined && (
          <Card>
            <EndpointHead
              webhook={shown}
              items={items}
              onChoose={(webhook) => onChange({ webhook })}
              onEdit={() => setEdited(shown)}
              onTested={(delivery) => onChange({ webhook: shown.WebhookID, delivery })}
              onSecret={setSecret}
              onDeleted={() => onChange({})}
            />
            <StateNotice webhook={shown} />
            <Deliveries
              key={shown.WebhookID}
              webhook={shown}
              chosen={search.delivery}
              onChoose={(delivery) => onChange({ webhook: shown.WebhookID, delivery })}
            />
          </Card>
        )}
      </Box>
      {edited !== undefined && (
        <WebhookDialog
          webhook={edited === 'new' ? undefined : edited}
          onSaved={({ webhookId, secret: made }) => {
            setEdited(undefined);
            setSecret(made);
            onChange({ webhook: webhookId });
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
      {secret !== undefined && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

interface EndpointHeadProps {
  webhook: Webhook;
  items: readonly Webhook[];
  onChoose: (webhookId: number) => void;
  onEdit: () => void;
  onTested: (deliveryId: number) => void;
  onSecret: (secret: string) => void;
  onDeleted: () => void;
}

function EndpointHead({ webhook, items, onChoose, ...actions }: EndpointHeadProps) {
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 2,
        px: 2.5,
        py: 1.5,
        borderBottom: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      <Box sx={{ flex: '1 1 320px', minWidth: 0 }}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
          <Typography
            component="h2"
            sx={{ fontFamily: 'monospace', fontWeight: 550, overflowWrap: 'anywhere', minWidth: 0 }}
          >
            {webhook.Url}
          </Typography>
          <Chip
            size="small"
            color={webhook.IsEnabled ? 'success' : 'default'}
            label={webhook.IsEnabled ? 'On' : 'Off'}
          />
        </Box>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {summaryOf(webhook)}
        </Typography>
      </Box>
      {items.length > 1 && (
        <Box sx={{ flex: '0 1 220px' }}>
          <Choice
            label="Endpoint"
            value={String(webhook.WebhookID)}
            choices={items.map(({ WebhookID, Url, Description }) => ({
              value: String(WebhookID),
              label: Description || Url.replace(/^https?:\/\//, ''),
            }))}
            onChange={(value) => onChoose(Number(value))}
          />
        </Box>
      )}
      <WebhookActions webhook={webhook} {...actions} />
    </Box>
  );
}

function summaryOf(webhook: Webhook): string {
  const { Description, EventTypes, SecretEnd, MadeBy } = webhook;
  return [
    ...(Description === '' ? [] : [Description]),
    ...(MadeBy === 'zapier' ? ['Added by Zapier'] : []),
    countOf(EventTypes.length, 'event type', 'event types'),
    deliveredWords(webhook),
    `secret whsec_••••${SecretEnd}`,
  ].join(' · ');
}

function StateNotice({ webhook }: { webhook: Webhook }) {
  if (webhook.OffReason === 'failing')
    return (
      <Notice kind="error" title="Switched off">
        Nothing arrived here for a week. Once the endpoint works again, turn the webhook on and replay what
        failed. Events that happen while it is off aren’t posted later.
      </Notice>
    );
  if (webhook.OffReason === 'gone')
    return (
      <Notice kind="error" title="Switched off">
        The endpoint answered that it is gone for good (410). Change its address, or delete the webhook.
      </Notice>
    );
  if (webhook.OffReason === 'key')
    return (
      <Notice kind="warning" title="Switched off">
        The API key that added this webhook no longer works, or API access is switched off. Delete the webhook
        if you don’t need it any more.
      </Notice>
    );
  if (webhook.OffReason === 'hand')
    return <Notice kind="info">This webhook is off. Events in the meantime aren’t posted later.</Notice>;
  if (webhook.FailingSince !== null)
    return (
      <Notice kind="warning" title="Failing">
        The latest deliveries didn’t arrive. Muster tries each again for three days, and switches the webhook
        off after a week without any.
      </Notice>
    );
  return null;
}
