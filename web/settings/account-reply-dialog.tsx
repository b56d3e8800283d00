import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '../../contract/accounts.ts';
import { getAccount, updateAccount } from '../../contract/addresses/accounts.gen.ts';
import { fieldErrors } from '../../contract/fields/form.ts';
import { accountAutoReplyForm } from '../../contract/forms/auto-reply.ts';
import { limits } from '../../contract/reference/limits.ts';
import { useCall } from '../queries/calls.ts';
import { DialogForm, FormDialog } from '../ui/form-dialog.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { SwitchRow } from '../ui/switch-row.tsx';
import { useFormErrors } from '../ui/use-form-errors.ts';
import { updateError } from './auto-reply-dialog.tsx';
import { MessageField } from './form-parts.tsx';

interface AccountReplyDialogProps {
  isOpen: boolean;
  account: Account;
  onClose: () => void;
}

/** The organization's auto reply, for all numbers without their own. */
export function AccountReplyDialog({ isOpen, account, onClose }: AccountReplyDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={560} isFullOnPhone isKeptOnClickBeside>
      <AccountReplyForm account={account} onClose={onClose} />
    </FormDialog>
  );
}

function AccountReplyForm({ account, onClose }: Omit<AccountReplyDialogProps, 'isOpen'>) {
  const client = useQueryClient();
  const update = useCall(updateAccount);
  const [isOn, setOn] = useState(account.IsAutoReplyOn);
  const [message, setMessage] = useState(account.AutoReplyMessage);
  const { errors, submit } = useFormErrors();
  const body = { IsAutoReplyOn: isOn, AutoReplyMessage: message };
  const save = async () => {
    await update.mutateAsync({ body });
    await client.invalidateQueries({ queryKey: [getAccount.path] });
    showSnackbar('Auto reply saved.');
    onClose();
  };
  return (
    <DialogForm
      title="Organization auto reply"
      intro="For all text numbers without their own auto reply. Each person gets it at most once every 12 hours."
      problem={errors.form}
      action="Save"
      isDisabled={update.isPending}
      onSubmit={() => {
        const problems = fieldErrors(accountAutoReplyForm({ isOn }), body);
        void submit({ problems, save, failed: updateError });
      }}
      onClose={onClose}
    >
      <SwitchRow label="Auto reply" isOn={isOn} onChange={setOn} />
      <MessageField
        label="Message"
        most={limits.autoReplyMessage}
        value={message}
        error={errors.AutoReplyMessage}
        onChange={setMessage}
      />
    </DialogForm>
  );
}
