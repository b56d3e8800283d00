import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import Typography from '@mui/material/Typography';
import { useController } from 'react-hook-form';
import { addWebhook, updateWebhook } from '../../../contract/addresses/webhooks.gen.ts';
import { webhookForm } from '../../../contract/forms/webhook.ts';
import { type WebhookType, webhookEvents, webhookTypes } from '../../../contract/webhook-events.ts';
import type { Webhook } from '../../../contract/webhooks.ts';
import { useCall } from '../../queries/calls.ts';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { FormText } from '../../ui/form-fields.tsx';
import { said } from '../../ui/said.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useContractForm } from '../../ui/use-contract-form.ts';

interface WebhookDialogProps {
  /** The webhook to change; undefined for a new one. */
  webhook: Webhook | undefined;
  /** With the secret of a new one, which its owner has to copy. */
  onSaved: (saved: { webhookId: number; secret?: string }) => void;
  onClose: () => void;
}

/** Adds or changes an endpoint: where events go, and which. */
export function WebhookDialog(props: WebhookDialogProps) {
  return (
    <FormDialog isOpen onClose={props.onClose} width={640} isFullOnPhone isKeptOnClickBeside>
      <WebhookFields {...props} />
    </FormDialog>
  );
}

function WebhookFields({ webhook, onSaved, onClose }: WebhookDialogProps) {
  const add = useCall(addWebhook);
  const update = useCall(updateWebhook);
  const form = useContractForm({
    rules: webhookForm,
    values: {
      Url: webhook?.Url ?? '',
      Description: webhook?.Description ?? '',
      EventTypes: (webhook?.EventTypes ?? []) as WebhookType[],
    },
    failed: 'There was an error saving the webhook.',
    save: async (body) => {
      if (webhook === undefined) {
        const made = await add.mutateAsync({ body });
        onSaved({ webhookId: made.WebhookID, secret: made.Secret });
      } else {
        const { WebhookID, IsEnabled } = webhook;
        await update.mutateAsync({ params: { WebhookID }, body: { ...body, IsEnabled } });
        showSnackbar('Webhook saved.');
        onSaved({ webhookId: WebhookID });
      }
    },
  });
  const { field, fieldState } = useController({ control: form.control, name: 'EventTypes' });
  return (
    <DialogForm
      title={webhook === undefined ? 'Add an endpoint' : 'Edit endpoint'}
      intro="Muster posts events to this address as they happen."
      problem={form.problem}
      action={webhook === undefined ? 'Add endpoint' : 'Save'}
      isDisabled={form.isSubmitting}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <FormText
        control={form.control}
        name="Url"
        label="Address"
        placeholder="https://example.org/muster"
        inputMode="url"
        autoComplete="off"
      />
      <FormText
        control={form.control}
        name="Description"
        label="Description"
        help="Optional."
        autoComplete="off"
      />
      <EventChoices chosen={field.value} error={fieldState.error?.message} onChange={field.onChange} />
    </DialogForm>
  );
}

interface EventChoicesProps {
  chosen: readonly WebhookType[];
  error: string | undefined;
  onChange: (chosen: WebhookType[]) => void;
}

const areas = [...Map.groupBy(webhookTypes, (type) => webhookEvents[type].area)];

function EventChoices({ chosen, error, onChange }: EventChoicesProps) {
  const toggle = (types: readonly WebhookType[], isOn: boolean) =>
    onChange(webhookTypes.filter((type) => (types.includes(type) ? isOn : chosen.includes(type))));
  return (
    <Box component="fieldset" sx={{ border: 0, p: 0, m: 0, minWidth: 0 }}>
      <Typography component="legend" sx={{ fontWeight: 550, mb: 1, p: 0 }}>
        Events
      </Typography>
      {error !== undefined && (
        <FormHelperText error role="alert" sx={{ mb: 1 }}>
          {error}
        </FormHelperText>
      )}
      <Box sx={{ display: 'grid', gap: 2 }}>
        {areas.map(([area, types]) => {
          const many = types.filter((type) => chosen.includes(type)).length;
          return (
            <Box key={area}>
              <FormControlLabel
                control={
                  <Checkbox
                    size="small"
                    checked={many === types.length}
                    indeterminate={many > 0 && many < types.length}
                    onChange={(_, isOn) => toggle(types, isOn)}
                  />
                }
                label={<Box sx={{ fontWeight: 550 }}>{said(area)}</Box>}
              />
              <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, pl: 3 }}>
                {types.map((type) => (
                  <FormControlLabel
                    key={type}
                    control={
                      <Checkbox
                        size="small"
                        checked={chosen.includes(type)}
                        onChange={(_, isOn) => toggle([type], isOn)}
                      />
                    }
                    label={<Box sx={{ typography: 'body2' }}>{said(webhookEvents[type].about)}</Box>}
                  />
                ))}
              </Box>
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}
