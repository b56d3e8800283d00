import { changePassword, resetSession } from '../../../contract/addresses/auth.gen.ts';
import { passwordChangeForm } from '../../../contract/forms/profile.ts';
import { callApi, exchangeSession } from '../../api.ts';
import { useUser } from '../../queries/current-user.ts';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { FormPassword } from '../../ui/form-fields.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useContractForm } from '../../ui/use-contract-form.ts';

interface ChangePasswordDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** The user's own new password. Other sessions end, and this browser gets a new one. */
export function ChangePasswordDialog({ isOpen, onClose }: ChangePasswordDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={440} isKeptOnClickBeside>
      <ChangePasswordForm onClose={onClose} />
    </FormDialog>
  );
}

function ChangePasswordForm({ onClose }: { onClose: () => void }) {
  const user = useUser();
  const { Email = '', Phone = '', UserName = '' } = user ?? {};
  const { control, problem, submit, isSubmitting } = useContractForm({
    rules: passwordChangeForm({ Email, Phone, UserName }, 'Password'),
    values: { ExistingPinCode: '', PinCode: '', ConfirmPinCode: '' },
    failed: 'There was an error updating your password.',
    save: async (values) => {
      const body = { ...values, ...(user && { UserID: user.UserID }) };
      const { AuthToken } = await callApi(changePassword, { body }, { missing: 'refuse' });
      const words = await exchangeSession(callApi(resetSession, { body: { AuthToken } })).then(
        () => 'Password changed. You’re signed out everywhere else.',
        // The password is changed, and this session still works.
        () => 'There was an error resetting the session.',
      );
      showSnackbar(words);
      onClose();
    },
  });
  return (
    <DialogForm
      title="Change password"
      intro="You’ll be signed out everywhere else."
      problem={problem}
      action="Change password"
      isDisabled={isSubmitting}
      onSubmit={submit}
      onClose={onClose}
    >
      {/* Tells password managers which user this password belongs to. */}
      <input type="text" name="username" autoComplete="username" value={UserName} readOnly hidden />
      <FormPassword
        control={control}
        name="ExistingPinCode"
        label="Existing password"
        autoComplete="current-password"
      />
      <FormPassword
        control={control}
        name="PinCode"
        label="New password"
        autoComplete="new-password"
        help="At least 8 characters with a letter and a number; no spaces, slashes, or quotation marks."
      />
      <FormPassword
        control={control}
        name="ConfirmPinCode"
        label="Confirm new password"
        autoComplete="new-password"
      />
    </DialogForm>
  );
}
