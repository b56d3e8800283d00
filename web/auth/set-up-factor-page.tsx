import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { KeyRound, Smartphone } from 'lucide-react';
import { useEffect, useState } from 'react';
import { listSecondFactors } from '../../contract/addresses/factors.gen.ts';
import { callApi } from '../api.ts';
import { Confirmation } from '../pieces/second-factors/confirmation.tsx';
import { makePasskey } from '../pieces/second-factors/make-passkey.ts';
import { RecoveryCodes } from '../pieces/second-factors/recovery-codes.tsx';
import { saidBy } from '../pieces/second-factors/said-by.ts';
import { TotpSetup } from '../pieces/second-factors/totp-setup.tsx';
import { Notice } from '../ui/notice.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { enter } from './return-path.ts';
import { SignInFrame } from './sign-in-frame.tsx';

/**
 * For users without a second factor in an organization that asks for one: nothing else opens until they have
 * one.
 */
export function SetUpFactorPage() {
  const [way, setWay] = useState<'totp'>();
  const [codes, setCodes] = useState<string[]>();
  const [canUsePasskeys, setCanUsePasskeys] = useState(false);
  const [problem, setProblem] = useState('');

  useEffect(() => {
    callApi(listSecondFactors, {}, { missing: 'refuse' }).then(
      (factors) => setCanUsePasskeys(factors.CanUsePasskeys),
      () => {
        // The choice below says what is wrong.
      },
    );
  }, []);
  const done = (made: string[] | null) => {
    if (made === null) enter();
    else setCodes(made);
  };
  const passkey = () => {
    setProblem('');
    makePasskey().then(done, (error) =>
      setProblem(saidBy(error, 'The passkey wasn’t added. Try again, or use an app.')),
    );
  };
  if (codes) {
    return (
      <SignInFrame title="Save your recovery codes" sentence="The second step is on.">
        <Stack spacing={2.5}>
          <RecoveryCodes codes={codes} />
          <Button size="large" variant="contained" color="primary" onClick={enter}>
            Continue to Muster
          </Button>
        </Stack>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame
      title="Set up a second step"
      sentence="Your organization asks everybody for a second step at sign-in. It keeps others out even if they know your password."
    >
      <Confirmation />
      <Stack spacing={2.5}>
        {problem !== '' && <Notice kind="error">{problem}</Notice>}
        {way === 'totp' ? (
          <TotpSetup onDone={done} />
        ) : (
          <>
            <Button
              size="large"
              variant="contained"
              color="primary"
              startIcon={<Smartphone aria-hidden size={18} />}
              onClick={() => setWay('totp')}
            >
              Use an authenticator app
            </Button>
            {canUsePasskeys && (
              <Button size="large" startIcon={<KeyRound aria-hidden size={18} />} onClick={passkey}>
                Use a passkey
              </Button>
            )}
          </>
        )}
        <RouterButton to="/logout" variant="text" size="small" preload={false}>
          Sign out
        </RouterButton>
      </Stack>
    </SignInFrame>
  );
}
