import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import {
  deleteWebhook,
  replayWebhook,
  rotateWebhookSecret,
  showWebhookSecret,
  testWebhook,
  updateWebhook,
} from '../../../contract/addresses/webhooks.gen.ts';
import type { Reply } from '../../../contract/call.ts';
import { type WebhookType, webhookEvents } from '../../../contract/webhook-events.ts';
import type { Webhook } from '../../../contract/webhooks.ts';
import { shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { Example } from '../../reference/example.tsx';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { RadioBoxes } from '../../ui/choices.tsx';
import { countOf } from '../../ui/format.ts';
import { said } from '../../ui/said.ts';
import { say } from '../../ui/say.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useMenu } from '../../ui/use-menu.ts';

interface WebhookActionsProps {
  webhook: Webhook;
  onEdit: () => void;
  onTested: (deliveryId: number) => void;
  onSecret: (secret: string) => void;
  onDeleted: () => void;
}

const failed = (sentence: string) => ({
  onError: (error: Error) => showSnackbar(shownMessage(error, sentence)),
});
const hourMs = 3_600_000;

/** The actions on an endpoint. */
export function WebhookActions({ webhook, onEdit, onTested, onSecret, onDeleted }: WebhookActionsProps) {
  const params = { WebhookID: webhook.WebhookID };
  const { choose, buttonProps, menuProps } = useMenu();
  const [asked, setAsked] = useState<'delete' | 'rotate' | 'replay'>();
  const test = useCall(testWebhook, failed('There was an error sending the test.'));
  const show = useCall(showWebhookSecret, failed('There was an error getting the secret.'));
  const rotate = useCall(rotateWebhookSecret, failed('There was an error making a new secret.'));
  const remove = useCall(deleteWebhook, failed('There was an error deleting the webhook.'));
  const update = useCall(updateWebhook, failed('There was an error saving the webhook.'));
  const sendTest = () => {
    const EventType = (webhook.EventTypes[0] ?? 'message.received') as WebhookType;
    const onSuccess = ({ DeliveryID }: Reply<typeof testWebhook>) => {
      showSnackbar(`Sent a sample: ${said(webhookEvents[EventType].about).toLowerCase()}.`);
      onTested(DeliveryID);
    };
    test.mutate({ params, body: { EventType } }, { onSuccess });
  };
  const turn = (IsEnabled: boolean) =>
    update.mutate(
      {
        params,
        body: {
          ...{ Url: webhook.Url, Description: webhook.Description, IsEnabled },
          EventTypes: webhook.EventTypes as WebhookType[],
        },
      },
      { onSuccess: () => showSnackbar(IsEnabled ? 'The webhook is on.' : 'The webhook is off.') },
    );
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
      {webhook.IsEnabled ? (
        <Button disabled={test.isPending} onClick={sendTest}>
          Send a test
        </Button>
      ) : webhook.OffReason === 'key' ? null : (
        <Button variant="contained" disabled={update.isPending} onClick={() => turn(true)}>
          Turn on
        </Button>
      )}
      <Button onClick={onEdit}>Edit</Button>
      <IconButton aria-label="More actions" {...buttonProps}>
        <Ellipsis />
      </IconButton>
      <Menu {...menuProps}>
        <MenuItem
          onClick={choose(() => show.mutate({ params }, { onSuccess: ({ Secret }) => onSecret(Secret) }))}
        >
          Show secret
        </MenuItem>
        <MenuItem onClick={choose(() => setAsked('rotate'))}>New secret</MenuItem>
        <MenuItem disabled={!webhook.IsEnabled} onClick={choose(() => setAsked('replay'))}>
          Replay
        </MenuItem>
        {webhook.IsEnabled && <MenuItem onClick={choose(() => turn(false))}>Turn off</MenuItem>}
        <MenuItem sx={{ color: 'error.main' }} onClick={choose(() => setAsked('delete'))}>
          Delete
        </MenuItem>
      </Menu>
      {asked === 'rotate' && (
        <AskDialog
          title="Make a new secret?"
          action="Make a new secret"
          keep="Cancel"
          isHarmless
          isBusy={rotate.isPending}
          onDo={() =>
            rotate.mutate(
              { params },
              { onSuccess: ({ Secret }) => onSecret(Secret), onSettled: () => setAsked(undefined) },
            )
          }
          onClose={() => setAsked(undefined)}
        >
          For 24 hours both secrets sign each event, so you can change it in your system without losing
          anything.
        </AskDialog>
      )}
      {asked === 'delete' && (
        <AskDialog
          title="Delete this webhook?"
          action="Delete"
          keep="Keep it"
          isBusy={remove.isPending}
          onDo={() =>
            remove.mutate({ params }, { onSuccess: onDeleted, onSettled: () => setAsked(undefined) })
          }
          onClose={() => setAsked(undefined)}
        >
          No more events are posted to {webhook.Url}, and its deliveries are deleted.
        </AskDialog>
      )}
      {asked === 'replay' && <ReplayDialog webhook={webhook} onClose={() => setAsked(undefined)} />}
    </Box>
  );
}

const spans = [
  { value: '1', title: 'The last hour', sentence: 'For a short outage.' },
  { value: '24', title: 'The last 24 hours', sentence: 'For a day on which nothing arrived.' },
  { value: '168', title: 'The last 7 days', sentence: 'For a longer outage.' },
  { value: '720', title: 'Everything that is kept', sentence: 'The last 30 days.' },
] as const;
type Span = (typeof spans)[number]['value'];

function ReplayDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [span, setSpan] = useState<Span>('24');
  const [what, setWhat] = useState<'failed' | 'all'>('failed');
  const replay = useCall(replayWebhook, failed('There was an error replaying.'));
  const run = () => {
    const now = Date.now();
    const From = new Date(now - Number(span) * hourMs).toISOString();
    const To = new Date(now + 60_000).toISOString();
    const body = { From, To, OnlyFailed: what === 'failed' };
    replay.mutate(
      { params: { WebhookID: webhook.WebhookID }, body },
      {
        onSuccess: ({ Count }) => {
          showSnackbar(
            Count === 0
              ? 'Nothing to replay in that time.'
              : `Replaying ${countOf(Count, 'delivery', 'deliveries')}.`,
          );
          onClose();
        },
      },
    );
  };
  return (
    <Dialog open onClose={onClose} maxWidth={false} slotProps={{ paper: { sx: { width: 480 } } }}>
      <DialogTitle>Replay</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2.5 }}>
        <RadioBoxes label={say('From', 'time')} value={span} choices={spans} onChange={setSpan} />
        <RadioBoxes
          label="What"
          value={what}
          choices={[
            { value: 'failed', title: 'What failed', sentence: 'Deliveries that never arrived.' },
            {
              value: 'all',
              title: 'Everything',
              sentence: 'Also those that arrived. Each keeps its webhook-id, so your system can tell.',
            },
          ]}
          onChange={setWhat}
        />
      </DialogContent>
      <DialogActions>
        <Button variant="text" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="contained" color="primary" disabled={replay.isPending} onClick={run}>
          Replay
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** The secret, to be copied: with a button where the browser allows it. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} maxWidth={false} slotProps={{ paper: { sx: { width: 520 } } }}>
      <DialogTitle>Signing secret</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <Box sx={{ color: 'text.secondary' }}>
          Your system checks with it that events come from Muster. Keep it where you keep passwords.
        </Box>
        <Example label="Secret" text={secret} isWrapped />
      </DialogContent>
      <DialogActions>
        <Button variant="contained" color="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
