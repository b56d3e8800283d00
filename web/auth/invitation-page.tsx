import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useEffect, useState } from 'react';
import { z } from 'zod';
import { acceptInvitation, getInvitation } from '../../contract/addresses/accounts.gen.ts';
import type { Reply } from '../../contract/call.ts';
import { newPassword } from '../../contract/forms/sign-in.ts';
import { callApi, shownMessage } from '../api.ts';
import { FormPassword } from '../ui/form-fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { useContractForm } from '../ui/use-contract-form.ts';
import { enter } from './return-path.ts';
import { SignInFrame } from './sign-in-frame.tsx';

type Invitation = Reply<typeof getInvitation>;

/** The page that the link in an invitation opens: the invited person chooses a password and is signed in. */
export function InvitationPage({ token }: { token: string }) {
  const { data, error } = useInvitation(token);
  if (error) {
    return (
      <SignInFrame title="Invitation" sentence="This link didn’t work.">
        <Stack spacing={2.5}>
          <Notice kind="warning">
            {shownMessage(error, 'There was an error getting your invitation. Please try again.')}
          </Notice>
          <RouterButton to="/login" size="large">
            Go to sign in
          </RouterButton>
        </Stack>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame
      title={data ? `Join ${data.CompanyName}` : 'Invitation'}
      sentence={
        data
          ? data.IsSsoLoginOnly
            ? `Welcome, ${data.FirstName}. ${data.InvitedBy} invited you. Your organization signs in with single sign-on.`
            : `Welcome, ${data.FirstName}. ${data.InvitedBy} invited you. Choose a password to sign in.`
          : 'Looking up your invitation …'
      }
    >
      {data?.IsSsoLoginOnly && (
        <RouterButton to="/login/sso" size="large" variant="contained" color="primary">
          Sign in with single sign-on
        </RouterButton>
      )}
      {data && !data.IsSsoLoginOnly && <PasswordForm token={token} invitation={data} />}
    </SignInFrame>
  );
}

/** Plain state: pages before sign-in have no query client. */
function useInvitation(token: string): { data?: Invitation; error?: unknown } {
  const [found, setFound] = useState<{ data?: Invitation; error?: unknown }>({});
  useEffect(() => {
    const leaving = new AbortController();
    const params = { Token: token };
    callApi(getInvitation, { params }, { signal: leaving.signal, missing: 'refuse' }).then(
      (data) => setFound({ data }),
      (error: unknown) => {
        if (!leaving.signal.aborted) setFound({ error });
      },
    );
    return () => leaving.abort();
  }, [token]);
  return found;
}

const rules = z
  .object({ Password: newPassword, Again: z.string() })
  .refine(({ Password, Again }) => Password === Again, {
    path: ['Again'],
    message: 'Passwords should match.',
  });

function PasswordForm({ token, invitation }: { token: string; invitation: Invitation }) {
  const form = useContractForm({
    rules,
    values: { Password: '', Again: '' },
    failed: 'There was an error accepting your invitation. Please try again.',
    save: async ({ Password }) => {
      const params = { Token: token };
      const entered = await callApi(acceptInvitation, { params, body: { Password } }, { missing: 'refuse' });
      if (entered.MustSetUpSecondFactor) globalThis.location.replace('/second-factor');
      else enter();
    },
  });
  return (
    <Stack
      component="form"
      noValidate
      spacing={2.5}
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      {form.problem && <Notice kind="error">{form.problem}</Notice>}
      <Notice>
        Your username is <strong>{invitation.UserName}</strong>.
      </Notice>
      {/* Tells password managers which user this password belongs to. */}
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={invitation.UserName}
        readOnly
        hidden
      />
      <FormPassword
        control={form.control}
        name="Password"
        label="Password"
        isLarge
        autoFocus
        autoComplete="new-password"
        help="At least 8 characters with a letter and a number; no spaces, slashes, or quotation marks."
      />
      <FormPassword
        control={form.control}
        name="Again"
        label="Confirm password"
        isLarge
        autoComplete="new-password"
      />
      <Button type="submit" size="large" variant="contained" color="primary" disabled={form.isSubmitting}>
        Accept and sign in
      </Button>
    </Stack>
  );
}
