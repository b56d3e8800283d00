import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useEffect, useState } from 'react';
import { proveDomain } from '../../contract/addresses/sso.gen.ts';
import type { Reply } from '../../contract/call.ts';
import { callApi, shownMessage } from '../api.ts';
import { Notice } from '../ui/notice.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

type Claim = Reply<typeof proveDomain>;

/**
 * The page that the mail to a domain's postmaster links to: whoever runs the domain allows an organization to
 * use it, or refuses.
 */
export function ProveDomainPage({ token }: { token: string }) {
  const [claim, setClaim] = useState<Claim>();
  const [step, setStep] = useState<'asked' | 'sending' | 'agreed'>('asked');
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let isHere = true;
    ask(token, false).then(
      (answer) => isHere && setClaim(answer),
      (error: unknown) => isHere && setProblem(said(error)),
    );
    return () => {
      isHere = false;
    };
  }, [token]);
  async function agree() {
    setStep('sending');
    setProblem('');
    try {
      await ask(token, true);
      setStep('agreed');
    } catch (error) {
      setProblem(said(error));
      setStep('asked');
    }
  }
  return (
    <SignInFrame
      title={step === 'agreed' ? 'Thank you' : 'Single sign-on'}
      sentence={sentenceOf(claim, { isAgreed: step === 'agreed', isBroken: problem !== '' })}
    >
      <Stack spacing={2.5}>
        {problem !== '' && <Notice kind="warning">{problem}</Notice>}
        {claim && step !== 'agreed' && (
          <>
            <Button
              size="large"
              variant="contained"
              color="primary"
              disabled={step === 'sending'}
              onClick={() => void agree()}
            >
              Yes, it belongs to them
            </Button>
            <Notice>If you don’t know them, close this page: nothing happens.</Notice>
          </>
        )}
      </Stack>
    </SignInFrame>
  );
}

function said(error: unknown): string {
  return shownMessage(error, 'There was an error reading this link.');
}

function ask(Token: string, Agree: boolean): Promise<Claim> {
  return callApi(proveDomain, { body: { Token, Agree } }, { missing: 'refuse' });
}

function sentenceOf(
  claim: Claim | undefined,
  { isAgreed, isBroken }: { isAgreed: boolean; isBroken: boolean },
): string {
  if (claim === undefined) return isBroken ? '' : 'One moment…';
  const { Domain, CompanyName } = claim;
  return isAgreed
    ? `People with an email at ${Domain} can now sign in with the directory of ${CompanyName}.`
    : `${CompanyName} says that ${Domain} belongs to them, and wants people with an email there to sign in with their directory.`;
}
