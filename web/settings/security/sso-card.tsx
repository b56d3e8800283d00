import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { deleteSso, getSso, mailDomainProofs, updateSso } from '../../../contract/addresses/sso.gen.ts';
import type { Reply } from '../../../contract/call.ts';
import { ssoForm, withProtocol } from '../../../contract/forms/sso.ts';
import { saidBy } from '../../pieces/second-factors/said-by.ts';
import { callKey, useCall, useCallQuery } from '../../queries/calls.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Card } from '../../ui/card.tsx';
import { FormCard } from '../../ui/form-card.tsx';
import { FormChoice, FormPassword, FormRadios, FormSwitch, FormText } from '../../ui/form-fields.tsx';
import { formatDate } from '../../ui/format.ts';
import { locale } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { say } from '../../ui/say.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useContractForm } from '../../ui/use-contract-form.ts';

type Sso = Reply<typeof getSso>;

/** The form as people fill it in: several domains and groups in one field each, with commas or lines between them. */
const rules = withProtocol(
  z.object({
    IsEnabled: z.boolean(),
    Protocol: z.enum(['oidc', 'saml']),
    Issuer: ssoForm.shape.Issuer.unwrap(),
    ClientID: ssoForm.shape.ClientID.unwrap(),
    ClientSecret: z.string(),
    MetadataUrl: ssoForm.shape.MetadataUrl.unwrap(),
    Metadata: ssoForm.shape.Metadata.unwrap(),
    Domains: z
      .string()
      .transform((text) => text.split(/[\s,;]+/).filter((word) => word !== ''))
      .pipe(ssoForm.shape.Domains),
    CreatesUsers: z.boolean(),
    DefaultRole: z.enum(['user', 'admin']),
    GroupsClaim: ssoForm.shape.GroupsClaim.unwrap(),
    AdminGroups: z.string(),
  }),
);
type Values = z.input<typeof rules>;
type Output = z.output<typeof rules>;

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
          or Keycloak. It works with OpenID Connect and with SAML.
        </Typography>
        <Button onClick={() => setOpen(true)}>Set up</Button>
      </Box>
    </Card>
  );
}

function Settings({ sso, onRemoved }: { sso: Sso; onRemoved: () => void }) {
  const client = useQueryClient();
  const { Provider: saved, IsSsoLoginOnly } = sso;
  const refresh = () => client.invalidateQueries({ queryKey: callKey(getSso).slice(0, 1) });
  const update = useCall(updateSso);
  const form = useContractForm({
    rules,
    values: {
      IsEnabled: saved?.IsEnabled ?? true,
      Protocol: saved?.Protocol ?? 'oidc',
      Issuer: saved?.Protocol === 'oidc' ? saved.Issuer : '',
      ClientID: saved?.ClientID ?? '',
      ClientSecret: '',
      MetadataUrl: saved?.MetadataUrl ?? '',
      Metadata: '',
      Domains: saved?.Domains.join(', ') ?? '',
      CreatesUsers: saved?.CreatesUsers ?? true,
      DefaultRole: saved?.DefaultRole ?? 'user',
      GroupsClaim: saved?.GroupsClaim ?? 'groups',
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
      await update.mutateAsync({ body: { ...body, GroupRoles } });
      showSnackbar('Single sign-on saved.');
      await refresh();
    },
    failed: 'There was an error updating single sign-on.',
  });
  const { control } = form;
  const protocol = useWatch({ control, name: 'Protocol' });
  return (
    <FormCard
      title="Single sign-on"
      form={form}
      {...(saved ? { action: <Remove onRemoved={() => void refresh().then(onRemoved)} /> } : {})}
    >
      {IsSsoLoginOnly && (
        <Notice>Your organization signs in with single sign-on only. Passwords are refused.</Notice>
      )}
      <FormSwitch control={control} name="IsEnabled" label="Use single sign-on" />
      <FormRadios
        control={control}
        name="Protocol"
        label="Protocol"
        columns={2}
        choices={[
          {
            value: 'oidc',
            title: 'OpenID Connect',
            sentence: 'Google, Microsoft, Okta, Keycloak and others.',
          },
          {
            value: 'saml',
            title: 'SAML 2.0',
            sentence: 'Older directories, or if yours offers nothing else.',
          },
        ]}
      />
      {protocol === 'saml' ? (
        <SamlFields control={control} sso={sso} />
      ) : (
        <OpenIdFields control={control} sso={sso} />
      )}
      <FormText
        control={control}
        name="Domains"
        label="Email domains"
        help="Whose emails sign in this way, with commas between them."
      />
      {saved && saved.UnprovedDomains.length > 0 && <Unproved domains={saved.UnprovedDomains} />}
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
      <FormText
        control={control}
        name="GroupsClaim"
        label={protocol === 'saml' ? 'Attribute with the groups' : 'Claim with the groups'}
        help="What your directory calls the list of somebody’s groups."
        autoComplete="off"
      />
    </FormCard>
  );
}

interface FieldsProps {
  control: Control<Values, unknown, Output>;
  sso: Sso;
}

function OpenIdFields({ control, sso: { Provider: saved, CallbackUrl } }: FieldsProps) {
  return (
    <>
      <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        Register Muster with your directory and allow it to send people back to <Code>{CallbackUrl}</Code>.
      </Typography>
      <FormText control={control} name="Issuer" label="Issuer" placeholder="https://login.example.org" />
      <FormText control={control} name="ClientID" label="Client ID" autoComplete="off" />
      <FormPassword
        control={control}
        name="ClientSecret"
        label="Client secret"
        autoComplete="off"
        {...(saved?.Protocol === 'oidc' ? { help: 'Leave it empty to keep the one that is saved.' } : {})}
      />
    </>
  );
}

function SamlFields({ control, sso: { Provider: saved, Saml } }: FieldsProps) {
  const isSaved = saved?.Protocol === 'saml';
  return (
    <>
      <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        Give your directory our metadata, <Code>{Saml.MetadataUrl}</Code>. If it can’t read that, enter it as
        our entity ID and have the answers posted to <Code>{Saml.AcsUrl}</Code> (ACS): signed with SHA-256,
        not encrypted, with the person’s email, first and last name.
      </Typography>
      {isSaved && (
        <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          Your directory is <Code>{saved.Issuer}</Code>.
          {saved.Certificates.length > 0 &&
            ` Its certificate is good until ${saved.Certificates.map(({ ValidTo }) => formatDate(ValidTo, Date.now(), 'UTC')).join(say(' and '))}.`}
        </Typography>
      )}
      <FormText
        control={control}
        name="MetadataUrl"
        label="Address of your directory’s metadata"
        placeholder="https://login.example.org/metadata"
        help="Muster reads it at every sign-in, so that a new certificate is known at once."
        autoComplete="off"
      />
      <FormText
        control={control}
        name="Metadata"
        label="Or the metadata itself"
        help={isSaved ? 'Leave both empty to keep what is saved.' : 'If it has no address: paste the XML.'}
        multiline
        minRows={3}
        maxRows={8}
        autoComplete="off"
      />
    </>
  );
}

/** Domains that somebody who runs them has yet to agree to. */
function Unproved({ domains }: { domains: string[] }) {
  const send = useCall(mailDomainProofs, {
    onSuccess: () => showSnackbar('Sent again.'),
    onError: (error) => showSnackbar(saidBy(error, 'There was an error sending the mail.')),
  });
  const names = new Intl.ListFormat(locale).format(domains);
  const boxes = new Intl.ListFormat(locale).format(domains.map((domain) => `postmaster@${domain}`));
  return (
    <Notice kind="warning">
      Nobody signs in with {names} yet. We mailed {boxes} and the admin there a link. Once somebody who runs
      the domain has agreed, it works.{' '}
      <Button size="small" disabled={send.isPending} onClick={() => send.mutate({})}>
        Send it again
      </Button>
    </Notice>
  );
}

function Code({ children }: { children: string }) {
  return (
    <Box component="span" sx={{ fontFamily: 'ui-monospace, monospace' }}>
      {children}
    </Box>
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
