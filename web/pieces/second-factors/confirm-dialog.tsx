import Button from '@mui/material/Button';
import { KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { askConfirmation, confirmIdentity } from '../../../contract/addresses/factors.gen.ts';
import type { CallInput, Reply } from '../../../contract/call.ts';
import { ApiError, callApi } from '../../api.ts';
import { TextField } from '../../ui/field.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { saidBy } from './said-by.ts';

type Proof = CallInput<typeof confirmIdentity>['body'];

/** Before a sensitive change: the password, a code or a passkey. */
export function ConfirmDialog({ onEnd }: { onEnd: (isConfirmed: boolean) => void }) {
  return (
    <FormDialog isOpen onClose={() => onEnd(false)} width={440}>
      <Confirm onEnd={onEnd} />
    </FormDialog>
  );
}

function Confirm({ onEnd }: { onEnd: (isConfirmed: boolean) => void }) {
  const [options, setOptions] = useState<Reply<typeof askConfirmation>>();
  const [value, setValue] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isSending, setSending] = useState(false);

  useEffect(() => {
    callApi(askConfirmation, {}, { missing: 'refuse' }).then(setOptions, (error) =>
      setProblem(saidBy(error, 'There was an error getting your information.')),
    );
  }, []);

  const give = async (proof: () => Promise<Proof>) => {
    setProblem(undefined);
    setSending(true);
    try {
      await callApi(confirmIdentity, { body: await proof() });
      onEnd(true);
    } catch (error) {
      const failed = 'There was an error confirming that it’s you.';
      const isPasskey = !(error instanceof ApiError);
      setProblem(isPasskey ? 'Your passkey wasn’t used. Try again.' : saidBy(error, failed));
      setSending(false);
    }
  };
  const methods = options?.Methods ?? [];
  const withPassword = methods.includes('password');
  const withCode = !withPassword && methods.includes('totp');
  const submit = () => {
    if (value === '') setProblem(withPassword ? 'Enter a Password' : 'Enter the code');
    else void give(async () => (withPassword ? { Password: value } : { Code: value }));
  };
  const withPasskey = () =>
    give(async () => {
      const { startAuthentication } = await import('@simplewebauthn/browser');
      const Passkey = (await startAuthentication({ optionsJSON: options?.Passkey as never })) as never;
      return { Token: options?.Token, Passkey };
    });
  return (
    <DialogForm
      title="Confirm that it’s you"
      intro="This change is sensitive, so Muster asks again."
      action="Confirm"
      isDisabled={isSending || !(withPassword || withCode)}
      onSubmit={submit}
      onClose={() => onEnd(false)}
    >
      {options !== undefined && methods.length === 0 && (
        <Notice kind="warning">
          You signed in with your organization’s directory. Sign out and in again, then make the change.
        </Notice>
      )}
      {withPassword && (
        <PasswordField
          label="Password"
          autoComplete="current-password"
          autoFocus
          value={value}
          error={problem}
          onChange={(event) => setValue(event.target.value)}
        />
      )}
      {withCode && (
        <TextField
          label="Code from your app"
          autoComplete="one-time-code"
          autoFocus
          value={value}
          error={problem}
          onChange={(event) => setValue(event.target.value)}
        />
      )}
      {!withPassword && !withCode && problem && <Notice kind="error">{problem}</Notice>}
      {methods.includes('passkey') && (
        <Button
          disabled={isSending}
          startIcon={<KeyRound aria-hidden size={16} />}
          onClick={() => void withPasskey()}
        >
          Use your passkey
        </Button>
      )}
    </DialogForm>
  );
}
