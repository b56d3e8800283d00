import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { deleteSso, getSso, updateSso } from '../../../contract/addresses/sso.gen.ts';
import type { Reply } from '../../../contract/call.ts';
import { ssoForm } from '../../../contract/forms/sso.ts';
import { saidBy } from '../../pieces/second-factors/said-by.ts';
import { callKey, useCall, useCallQuery } from '../../queries/calls.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Card } from '../../ui/card.tsx';
import { FormCard } from '../../ui/form-card.tsx';
import { FormChoice, FormPassword, FormSwitch, FormText } from '../../ui/form-fields.tsx';
import { Notice } from '../../ui/notice.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useContractForm } from '../../ui/use-contract-form.ts';

type Sso = Reply<typeof getSso>;

/** The form as people fill it in: several domains and groups in one field each, with commas or lines between them. */
const rules = z.object({
  IsEnabled: z.boolean(),
  Issuer: ssoForm.shape.Issuer,
  ClientID: ssoForm.shape.ClientID,
  ClientSecret: z.string(),
  Domains: z
    .string()
    .transform((text) => text.split(/[\s,;]+/).filter((word) => word !== ''))
    .pipe(ssoForm.shape.Domains),
  CreatesUsers: z.boolean(),
  DefaultRole: z.enum(['user', 'admin']),
  AdminGroups: z.string(),
});

/** Single sign-on with the organization's own directory. */
export function SsoCard() {
  const { data } = useCallQuery(getSso, {});
  const [isOpen, setOpen] = useState(false);
  if (!data) return null;
  if (data.Provider !== null || isOpen) return <Settings sso={data} onRemoved={() => setOpen(false)} />;
  return (
    <Card title="Single sign-on">
      <Box sx={{ px: 2.5, py: 2, display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
        <Typography sx={{ flex: '1 1 280px', color: 'text.secondary' }}>
          Let people sign in with the accounts they have in your organization, such as Google, Microsoft, Okta
          or Keycloak.
        </Typography>
        <Button onClick={() => setOpen(true)}>Set up</Button>
      </Box>
    </Card>
  );
}

function Settings({ sso, onRemoved }: { sso: Sso; onRemoved: () => void }) {
  const client = useQueryClient();
  const { Provider: saved, CallbackUrl, IsSsoLoginOnly } = sso;
  const refresh = () => client.invalidateQueries({ queryKey: callKey(getSso).slice(0, 1) });
  const update = useCall(updateSso);
  const form = useContractForm({
    rules,
    values: {
      IsEnabled: saved?.IsEnabled ?? true,
      Issuer: saved?.Issuer ?? '',
      ClientID: saved?.ClientID ?? '',
      ClientSecret: '',
      Domains: saved?.Domains.join(', ') ?? '',
      CreatesUsers: saved?.CreatesUsers ?? true,
      DefaultRole: saved?.DefaultRole ?? 'user',
      AdminGroups: (saved?.GroupRoles ?? [])
        .filter(({ Role }) => Role === 'admin')
        .map(({ Group }) => Group)
        .join(', '),
    },
    save: async ({ AdminGroups, ...body }) => {
      const admins = AdminGroups.split(',')
        .map((group) => group.trim())
        .filter((group) => group !== '');
      const others = (saved?.GroupRoles ?? []).filter(({ Role }) => Role !== 'admin');
      const GroupRoles = [...admins.map((Group) => ({ Group, Role: 'admin' as const })), ...others];
      await update.mutateAsync({
        body: { ...body, GroupsClaim: saved?.GroupsClaim ?? 'groups', GroupRoles },
      });
      showSnackbar('Single sign-on saved.');
      await refresh();
    },
    failed: 'There was an error updating single sign-on.',
  });
  const { control } = form;
  return (
    <FormCard
      title="Single sign-on"
      form={form}
      {...(saved ? { action: <Remove onRemoved={() => void refresh().then(onRemoved)} /> } : {})}
    >
      {IsSsoLoginOnly && (
        <Notice>Your organization signs in with single sign-on only. Passwords are refused.</Notice>
      )}
      <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        Register Muster with your directory (OpenID Connect) and allow it to send people back to{' '}
        <Box component="span" sx={{ fontFamily: 'ui-monospace, monospace' }}>
          {CallbackUrl}
        </Box>
        .
      </Typography>
      <FormSwitch control={control} name="IsEnabled" label="Use single sign-on" />
      <FormText control={control} name="Issuer" label="Issuer" placeholder="https://login.example.org" />
      <FormText control={control} name="ClientID" label="Client ID" autoComplete="off" />
      <FormPassword
        control={control}
        name="ClientSecret"
        label="Client secret"
        autoComplete="off"
        {...(saved ? { help: 'Leave it empty to keep the one that is saved.' } : {})}
      />
      <FormText
        control={control}
        name="Domains"
        label="Email domains"
        help="Whose emails sign in this way, with commas between them."
      />
      <FormSwitch
        control={control}
        name="CreatesUsers"
        label="Add people at their first sign-in"
        help="Otherwise only users that you have added can sign in."
      />
      <FormChoice
        control={control}
        name="DefaultRole"
        label="Role of people who are added"
        choices={[
          { value: 'user', label: 'User' },
          { value: 'admin', label: 'Admin' },
        ]}
      />
      <FormText
        control={control}
        name="AdminGroups"
        label="Groups of admins (optional)"
        help="Members of these groups in your directory become admins, with commas between the groups."
      />
    </FormCard>
  );
}

function Remove({ onRemoved }: { onRemoved: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useCall(deleteSso, {
    onSuccess: () => {
      showSnackbar('Single sign-on removed.');
      onRemoved();
    },
    onError: (error) => showSnackbar(saidBy(error, 'There was an error removing single sign-on.')),
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        Remove
      </Button>
      {isAsking && (
        <AskDialog
          title="Remove single sign-on?"
          action="Remove"
          keep="Keep"
          isBusy={remove.isPending}
          onDo={() => remove.mutate({})}
          onClose={() => setAsking(false)}
        >
          People sign in with their username and password again. Those who never had one need a new password.
        </AskDialog>
      )}
    </>
  );
}
