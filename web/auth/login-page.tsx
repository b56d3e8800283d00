import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Link from '@mui/material/Link';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { getSetup, login } from '../../contract/addresses/auth.gen.ts';
import { pageCodes } from '../../contract/page-codes.ts';
import { ApiError, callApi, fieldMessages, shownMessage } from '../api.ts';
import { TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { otherLanguages, showLanguage } from '../ui/page-language.ts';
import { PasswordField } from '../ui/password-field.tsx';
import { RouterLink } from '../ui/router-link.tsx';
import { enter, wasSignedIn } from './return-path.ts';
import {
  readAsked,
  rememberAsked,
  rememberExpired,
  rememberRetryAfter,
  retryAfterSeconds,
} from './sign-in-attempt.ts';
import { SignInFrame } from './sign-in-frame.tsx';

/** The reason for this page, from the address: ?a=Logout, ?error=loginmanually. */
export interface LoginPageProps {
  isSignedOut: boolean;
  isSessionOver: boolean;
}

/** Plain state instead of a form library: this page must stay light, and two fields don't need one. */
export function LoginPage({ isSignedOut, isSessionOver }: LoginPageProps) {
  const navigate = useNavigate();
  const [values, setValues] = useState({ UserName: '', Password: '', KeepSignedIn: false });
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [refusal, setRefusal] = useState('');
  const [isSending, setSending] = useState(false);
  const [canSignUp, setCanSignUp] = useState(false);

  useEffect(() => {
    const leaving = new AbortController();
    callApi(getSetup, {}, { signal: leaving.signal, missing: 'refuse' }).then(
      ({ NeedsOrganization, CanSignUp }) => {
        setCanSignUp(CanSignUp);
        if (NeedsOrganization) void navigate({ to: '/setup', replace: true });
      },
      () => {
        // The form works without this. If the server is down, signing in says so.
      },
    );
    return () => leaving.abort();
  }, [navigate]);

  const set = (change: Partial<typeof values>) => {
    setValues((before) => ({ ...before, ...change }));
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !(name in change))));
  };

  const refused = (error: unknown) => {
    const factor = readAsked(error);
    if (factor) {
      rememberAsked(factor);
      void navigate({ to: '/login/second-step' });
      return;
    }
    const code = error instanceof ApiError ? error.body.ErrorCode : undefined;
    if (code === pageCodes.tooManyAttempts) {
      rememberRetryAfter(retryAfterSeconds((error as ApiError).body.ExtendedData));
      void navigate({ to: '/login/too-many-attempts' });
    } else if (code === pageCodes.passwordExpired) {
      rememberExpired({ UserName: values.UserName, Password: values.Password });
      void navigate({ to: '/expired-password' });
    } else {
      // The server reports missing fields; the notice shows only errors that belong to no field.
      const atFields = fieldMessages(error);
      setErrors(atFields);
      const first = Object.keys(atFields)[0];
      if (first) document.getElementsByName(first)[0]?.focus();
      else setRefusal(shownMessage(error, 'There was an error signing you in. Please try again.'));
    }
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    setRefusal('');
    setSending(true);
    try {
      const entered = await callApi(login, { body: values }, { missing: 'refuse' });
      if (entered.MustSetUpSecondFactor) globalThis.location.replace('/second-factor');
      else enter();
    } catch (error) {
      setSending(false);
      refused(error);
    }
  };

  return (
    <SignInFrame title="Sign in" sentence="Use the name your account owner gave you.">
      <Box
        component="form"
        noValidate
        onSubmit={submit}
        aria-busy={isSending}
        sx={{ display: 'grid', gap: 2.5 }}
      >
        {refusal !== '' && <Notice kind="error">{refusal}</Notice>}
        {refusal === '' && isSignedOut && <Notice kind="success">You are signed out.</Notice>}
        {refusal === '' && isSessionOver && wasSignedIn() && (
          <Notice kind="warning">Your session has ended. Please sign in again.</Notice>
        )}
        <TextField
          isLarge
          label="Username"
          name="UserName"
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          autoFocus
          value={values.UserName}
          error={errors.UserName}
          onChange={(event) => set({ UserName: event.target.value })}
        />
        <PasswordField
          isLarge
          label="Password"
          name="Password"
          aside={
            <RouterLink to="/forgot-password" variant="body2">
              Forgot it?
            </RouterLink>
          }
          autoComplete="current-password"
          value={values.Password}
          error={errors.Password}
          onChange={(event) => set({ Password: event.target.value })}
        />
        <FormControlLabel
          sx={{ ml: '-3px', justifySelf: 'start' }}
          control={
            <Checkbox checked={values.KeepSignedIn} onChange={(_, KeepSignedIn) => set({ KeepSignedIn })} />
          }
          label="Keep me signed in on this computer"
        />
        <Button type="submit" size="large" variant="contained" color="primary" disabled={isSending}>
          {isSending ? 'Signing in…' : 'Sign in'}
        </Button>
        <Box sx={{ textAlign: 'center' }}>
          <RouterLink to="/login/sso">Single sign-on</RouterLink>
        </Box>
        {canSignUp && (
          <Box sx={{ textAlign: 'center', color: 'text.secondary' }}>
            New here? <RouterLink to="/signup">Start a free trial</RouterLink>
          </Box>
        )}
        <Box sx={{ textAlign: 'center' }}>
          {otherLanguages().map(({ id, code, name }) => (
            <Link key={id} component="button" type="button" lang={code} onClick={() => showLanguage(id)}>
              {name}
            </Link>
          ))}
        </Box>
      </Box>
    </SignInFrame>
  );
}
