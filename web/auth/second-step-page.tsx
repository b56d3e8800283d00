import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useNavigate } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { finishSignIn } from '../../contract/addresses/factors.gen.ts';
import type { CallInput } from '../../contract/call.ts';
import { pageCodes } from '../../contract/page-codes.ts';
import type { FactorAsked } from '../../contract/second-factors.ts';
import { ApiError, callApi, shownMessage } from '../api.ts';
import { TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { enter } from './return-path.ts';
import { askedFactor, rememberAsked, rememberRetryAfter, retryAfterSeconds } from './sign-in-attempt.ts';
import { SignInFrame } from './sign-in-frame.tsx';

/** The second step of sign-in: a code of the app, a recovery code, or a passkey. */
export function SecondStepPage() {
  const asked = askedFactor();
  if (!asked) {
    return (
      <SignInFrame title="One more step" sentence="This page comes after your username and password.">
        <RouterButton to="/login" size="large">
          Go to sign in
        </RouterButton>
      </SignInFrame>
    );
  }
  return <SecondStep asked={asked} />;
}

type Given = Pick<CallInput<typeof finishSignIn>['body'], 'Code' | 'Passkey'>;

function SecondStep({ asked }: { asked: FactorAsked }) {
  const navigate = useNavigate();
  const hasApp = asked.Methods.includes('totp');
  const hasPasskey = asked.Methods.includes('passkey');
  const [isRecovery, setRecovery] = useState(!hasApp && !hasPasskey);
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState('');
  const [isSending, setSending] = useState(false);
  const hasField = hasApp || isRecovery;

  const finish = async (give: () => Promise<Given>) => {
    if (isSending) return;
    setProblem('');
    setSending(true);
    try {
      await callApi(finishSignIn, { body: { Token: asked.Token, ...(await give()) } });
      rememberAsked(undefined);
      enter();
    } catch (error) {
      setSending(false);
      if (error instanceof ApiError && error.body.ErrorCode === pageCodes.tooManyAttempts) {
        rememberRetryAfter(retryAfterSeconds(error.body.ExtendedData));
        void navigate({ to: '/login/too-many-attempts' });
      } else if (error instanceof ApiError) {
        setProblem(shownMessage(error, 'There was an error signing you in. Please try again.'));
      } else setProblem('Your passkey wasn’t used. Try again, or choose another way.');
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() === '') setProblem(isRecovery ? 'Enter a recovery code' : 'Enter the code');
    else void finish(async () => ({ Code: code }));
  };
  const withPasskey = () =>
    finish(async () => {
      const { startAuthentication } = await import('@simplewebauthn/browser');
      return { Passkey: (await startAuthentication({ optionsJSON: asked.Passkey as never })) as never };
    });

  return (
    <SignInFrame title="One more step" sentence={sentenceFor({ isRecovery, hasApp })}>
      <Stack spacing={2.5}>
        {problem !== '' && !hasField && <Notice kind="error">{problem}</Notice>}
        {hasPasskey && !isRecovery && (
          <Button
            size="large"
            variant={hasApp ? 'outlined' : 'contained'}
            color={hasApp ? 'inherit' : 'primary'}
            disabled={isSending}
            startIcon={<KeyRound aria-hidden size={18} />}
            onClick={() => void withPasskey()}
          >
            Use your passkey
          </Button>
        )}
        {hasField && (
          <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 2.5 }}>
            <TextField
              key={isRecovery ? 'recovery' : 'code'}
              isLarge
              autoFocus
              label={isRecovery ? 'Recovery code' : 'Code from your app'}
              name="Code"
              autoComplete="one-time-code"
              autoCapitalize="off"
              spellCheck={false}
              slotProps={{ input: isRecovery ? {} : { inputMode: 'numeric' } }}
              value={code}
              error={problem === '' ? undefined : problem}
              onChange={(event) => {
                setCode(event.target.value);
                setProblem('');
              }}
            />
            <Button type="submit" size="large" variant="contained" color="primary" disabled={isSending}>
              {isSending ? 'Signing in…' : 'Sign in'}
            </Button>
          </Box>
        )}
        <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', gap: 1 }}>
          {asked.Methods.includes('recovery') && (
            <Button
              variant="text"
              size="small"
              onClick={() => {
                setRecovery(!isRecovery);
                setCode('');
                setProblem('');
              }}
            >
              {isRecovery ? 'Use another way' : 'Use a recovery code'}
            </Button>
          )}
          <RouterButton to="/login" variant="text" size="small">
            Back to sign in
          </RouterButton>
        </Box>
      </Stack>
    </SignInFrame>
  );
}

function sentenceFor({ isRecovery, hasApp }: { isRecovery: boolean; hasApp: boolean }): string {
  if (isRecovery) return 'Enter one of the recovery codes that you saved. Each works once.';
  return hasApp
    ? 'Enter the six digits that your authenticator app shows.'
    : 'Show that it’s you with your passkey.';
}
