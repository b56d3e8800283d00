import Stack from '@mui/material/Stack';
import { useEffect, useRef, useState } from 'react';
import { finishSso } from '../../contract/addresses/sso.gen.ts';
import { callApi, shownMessage } from '../api.ts';
import { Notice } from '../ui/notice.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { enter } from './return-path.ts';
import { SignInFrame } from './sign-in-frame.tsx';

/** The page to which an organization's directory redirects people. */
export function SsoCallbackPage() {
  const [problem, setProblem] = useState('');
  // It works once: a second render must not spend it again.
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    const Query = globalThis.location.search.slice(1);
    const finish =
      Query === '' ? Promise.reject(new Error('nothing came back')) : callApi(finishSso, { body: { Query } });
    finish.then(enter, (error) =>
      setProblem(shownMessage(error, 'This sign-in is over. Start again from the sign-in page.')),
    );
  }, []);
  return (
    <SignInFrame title="Signing in" sentence={problem === '' ? 'One moment.' : 'You aren’t signed in.'}>
      {problem !== '' && (
        <Stack spacing={2.5}>
          <Notice kind="error">{problem}</Notice>
          <RouterButton to="/login" size="large" variant="contained" color="primary">
            Go to sign in
          </RouterButton>
        </Stack>
      )}
    </SignInFrame>
  );
}
