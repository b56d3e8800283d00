import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useCallback, useEffect, useState } from 'react';
import { logout } from '../../contract/addresses/auth.gen.ts';
import { callApi } from '../api.ts';
import { Notice } from '../ui/notice.tsx';
import { forgetSignedIn } from './return-path.ts';
import { SignInFrame } from './sign-in-frame.tsx';

/** The longest wait for the server before leaving anyway. */
const patienceMs = 3_000;

/** Signs out and loads a fresh page, so that nothing of the user stays in memory. */
export function LogoutPage({ beforeLeaving }: { beforeLeaving: () => Promise<void> }) {
  const [hasFailed, setFailed] = useState(false);
  const leave = useCallback(() => {
    setFailed(false);
    const patience = new Promise((done) => setTimeout(done, patienceMs));
    Promise.race([beforeLeaving().catch(() => undefined), patience])
      .then(() => callApi(logout, {}))
      .then(
        () => {
          forgetSignedIn();
          globalThis.location.replace('/login?a=Logout');
        },
        () => setFailed(true),
      );
  }, [beforeLeaving]);
  useEffect(leave, [leave]);
  return (
    <SignInFrame title="Signing out" sentence={hasFailed ? 'You are still signed in.' : 'One moment.'}>
      {hasFailed && (
        <Stack spacing={2.5}>
          <Notice kind="error">There was an error signing you out.</Notice>
          <Button size="large" variant="contained" color="primary" onClick={leave}>
            Try again
          </Button>
        </Stack>
      )}
    </SignInFrame>
  );
}
