import Button from '@mui/material/Button';
import { getOnboarding, resendVerification } from '../../../contract/addresses/onboarding.gen.ts';
import { shownMessage } from '../../api.ts';
import { useCall, useCallQuery } from '../../queries/calls.ts';
import { Notice } from '../../ui/notice.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';

/** After a new email: where the link went that verifies it, or why it came back. */
export function UnverifiedEmail({ email }: { email: string }) {
  const problem = useCallQuery(getOnboarding, {}).data?.EmailProblem;
  const resend = useCall(resendVerification, {
    onSuccess: ({ Email }) => showSnackbar(`We sent another email to ${Email}. Older links no longer work.`),
    onError: (error) =>
      showSnackbar(shownMessage(error, 'There was an error sending your email. Please try again.')),
  });
  return (
    <Notice
      kind="warning"
      title="Verify your email"
      actions={
        <Button size="small" disabled={resend.isPending} onClick={() => resend.mutate({ body: {} })}>
          Send it again
        </Button>
      }
    >
      {problem ? (
        <>Your email came back: {problem} Check the address, or use another one.</>
      ) : (
        <>We sent an email to {email}. Open the link in it.</>
      )}
    </Notice>
  );
}
