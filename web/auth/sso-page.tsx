import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { startSso } from '../../contract/addresses/sso.gen.ts';
import { pageCodes } from '../../contract/page-codes.ts';
import { ApiError, callApi, fieldMessages, shownMessage } from '../api.ts';
import { TextField } from '../ui/field.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { rememberRetryAfter, retryAfterSeconds } from './sign-in-attempt.ts';
import { SignInFrame } from './sign-in-frame.tsx';

/** Asks for the email: its domain says whose directory signs the person in. */
export function SsoPage() {
  const navigate = useNavigate();
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState('');
  const [isSending, setSending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    try {
      const { Url } = await callApi(startSso, { body: { Email: email } }, { missing: 'refuse' });
      globalThis.location.assign(Url);
    } catch (error) {
      setSending(false);
      if (error instanceof ApiError && error.body.ErrorCode === pageCodes.tooManyAttempts) {
        rememberRetryAfter(retryAfterSeconds(error.body.ExtendedData));
        void navigate({ to: '/login/too-many-attempts' });
      } else {
        const generic = 'There was an error signing you in. Please try again.';
        setProblem(fieldMessages(error).Email ?? shownMessage(error, generic));
      }
    }
  };
  return (
    <SignInFrame
      title="Single sign-on"
      sentence="Enter your work email. You’ll sign in where your organization signs in, and come back here."
    >
      <Box
        component="form"
        noValidate
        onSubmit={(event) => void submit(event)}
        sx={{ display: 'grid', gap: 2.5 }}
      >
        <TextField
          isLarge
          autoFocus
          label="Email"
          name="Email"
          type="email"
          autoComplete="email"
          value={email}
          error={problem === '' ? undefined : problem}
          onChange={(event) => {
            setEmail(event.target.value);
            setProblem('');
          }}
        />
        <Button type="submit" size="large" variant="contained" color="primary" disabled={isSending}>
          Continue
        </Button>
        <RouterButton to="/login" variant="text" size="small" sx={{ justifySelf: 'start' }}>
          Use your password
        </RouterButton>
      </Box>
    </SignInFrame>
  );
}
