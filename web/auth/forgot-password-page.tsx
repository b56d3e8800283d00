import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { type FormEvent, useState } from 'react';
import { forgotPassword } from '../../contract/addresses/auth.gen.ts';
import { callApi, fieldMessages, shownMessage } from '../api.ts';
import { TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { RouterLink } from '../ui/router-link.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** Asks for the link by mail. The answer is the same for everybody. */
export function ForgotPasswordPage() {
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  const [problem, setProblem] = useState('');
  const [isSending, setSending] = useState(false);
  const [isSent, setSent] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setProblem('');
    setError(undefined);
    setSending(true);
    try {
      await callApi(forgotPassword, { body: { UserName: name } });
      setSent(true);
    } catch (failure) {
      const atField = fieldMessages(failure).UserName;
      if (atField) setError(atField);
      else setProblem(shownMessage(failure, 'There was an error sending your email. Please try again.'));
    } finally {
      setSending(false);
    }
  };
  return (
    <SignInFrame
      title="Forgot your password?"
      sentence="Enter your username or email, and we’ll send you a link to choose a new one."
    >
      <Stack component="form" noValidate spacing={2.5} onSubmit={submit}>
        {problem !== '' && <Notice kind="error">{problem}</Notice>}
        {isSent && (
          <Notice kind="success" title="Check your email">
            If there is a user with this name, a link is on its way. It works for one hour.
          </Notice>
        )}
        <TextField
          isLarge
          autoFocus
          label="Username or email"
          name="UserName"
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          value={name}
          error={error}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" size="large" variant="contained" color="primary" disabled={isSending}>
          {isSent ? 'Send again' : 'Send link'}
        </Button>
        <RouterLink to="/login" sx={{ alignSelf: 'center' }}>
          Back to sign in
        </RouterLink>
      </Stack>
    </SignInFrame>
  );
}
