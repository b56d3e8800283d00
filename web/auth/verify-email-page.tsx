import Stack from '@mui/material/Stack';
import { useEffect, useState } from 'react';
import { verifyEmail } from '../../contract/addresses/onboarding.gen.ts';
import { callApi, shownMessage } from '../api.ts';
import { Notice } from '../ui/notice.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** React may run an effect twice; a link works once. */
const asked = new Map<string, Promise<string>>();

function verify(token: string): Promise<string> {
  let answer = asked.get(token);
  if (answer === undefined) {
    answer = callApi(verifyEmail, { body: { Token: token } }, { missing: 'refuse' }).then(
      ({ Email }) => Email,
    );
    asked.set(token, answer);
  }
  return answer;
}

/** The page that the link in the mail opens. */
export function VerifyEmailPage({ token }: { token: string }) {
  const [outcome, setOutcome] = useState<{ email?: string; problem?: string }>({});
  useEffect(() => {
    let isHere = true;
    verify(token).then(
      (email) => isHere && setOutcome({ email }),
      (error: unknown) =>
        isHere && setOutcome({ problem: shownMessage(error, 'There was an error verifying your email.') }),
    );
    return () => {
      isHere = false;
    };
  }, [token]);
  const { email, problem } = outcome;
  const isDone = email !== undefined;
  return (
    <SignInFrame
      title={isDone ? 'Your email is verified' : 'Verify your email'}
      sentence={isDone ? `Thank you. ${email} belongs to you.` : problem ? '' : 'One moment…'}
    >
      <Stack spacing={2.5}>
        {problem && <Notice kind="warning">{problem}</Notice>}
        {(isDone || problem) && (
          // Users who are signed in continue with onboarding from here; others are sent to sign-in.
          <RouterButton to="/landing" size="large" variant="contained" color="primary">
            Continue
          </RouterButton>
        )}
      </Stack>
    </SignInFrame>
  );
}
