import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useMutation, useQuery } from '@tanstack/react-query';
import { proveDomain } from '../../contract/addresses/sso.gen.ts';
import { callApi, shownMessage } from '../api.ts';
import { Notice } from '../ui/notice.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** Where the mail to a domain's postmaster leads: whoever runs the domain lets an organization use it, or doesn't. */
export function ProveDomainPage({ token }: { token: string }) {
  const ask = (Agree: boolean) =>
    callApi(proveDomain, { body: { Token: token, Agree } }, { missing: 'refuse' });
  const asked = useQuery({
    queryKey: ['prove-domain', token],
    queryFn: () => ask(false),
    retry: false,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const agree = useMutation({ mutationFn: () => ask(true) });
  const problem = agree.error ?? asked.error;
  const { Domain = '', CompanyName = '' } = asked.data ?? {};
  return (
    <SignInFrame
      title={agree.isSuccess ? 'Thank you' : 'Single sign-on'}
      sentence={
        agree.isSuccess
          ? `People with an email at ${Domain} can now sign in by the directory of ${CompanyName}.`
          : asked.data
            ? `${CompanyName} says that ${Domain} belongs to them, and wants people with an email there to sign in by their directory.`
            : problem
              ? ''
              : 'One moment…'
      }
    >
      <Stack spacing={2.5}>
        {problem && (
          <Notice kind="warning">{shownMessage(problem, 'There was an error reading this link.')}</Notice>
        )}
        {asked.data && !agree.isSuccess && (
          <>
            <Button
              size="large"
              variant="contained"
              color="primary"
              disabled={agree.isPending}
              onClick={() => agree.mutate()}
            >
              Yes, {Domain} belongs to {CompanyName}
            </Button>
            <Notice>If you don’t know them, close this page: nothing happens.</Notice>
          </>
        )}
      </Stack>
    </SignInFrame>
  );
}
