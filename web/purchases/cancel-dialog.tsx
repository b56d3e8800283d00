import { useState } from 'react';
import { cancelAccount } from '../../contract/addresses/purchases.gen.ts';
import { cancelReasons } from '../../contract/reference/choices.ts';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import { isMonthly } from '../../contract/states/account-status.ts';
import { shownMessage } from '../api.ts';
import { useCall } from '../queries/calls.ts';
import { useAccount } from '../queries/current-user.ts';
import { queryClient } from '../queries/query-client.ts';
import { Choice } from '../ui/choices.tsx';
import { Field, TextField } from '../ui/field.tsx';
import { DialogForm, FormDialog } from '../ui/form-dialog.tsx';
import { said } from '../ui/said.ts';
import { showSnackbar } from '../ui/snackbar.tsx';

/** Cancels the account, with one of the reasons. */
export function CancelDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={480}>
      <CancelForm onClose={onClose} />
    </FormDialog>
  );
}

type Reason = (typeof cancelReasons)[number];

function CancelForm({ onClose }: { onClose: () => void }) {
  const account = useAccount();
  const [reason, setReason] = useState<Reason | ''>('');
  const [comments, setComments] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isTried, setTried] = useState(false);
  const cancel = useCall(cancelAccount);
  return (
    <DialogForm
      title="Cancel account"
      intro={
        account && isMonthly(account)
          ? 'Your subscription runs to the end of the period that you have paid for.'
          : 'Nothing goes out anymore. Your credits stay and are there when you come back.'
      }
      action="Yes, cancel it"
      keep="Keep it"
      problem={problem}
      isDisabled={cancel.isPending}
      onSubmit={() => {
        setTried(true);
        if (reason === '') return;
        cancel.mutate(
          { body: { Reason: reason, Comments: comments } },
          {
            onSuccess: ({ SubscriptionEndDate }) => {
              showSnackbar(
                SubscriptionEndDate === null ? 'Your account is canceled.' : 'Your subscription is canceled.',
              );
              void queryClient.invalidateQueries();
              onClose();
            },
            onError: (error) => setProblem(shownMessage(error, errorCatalog.updateAccount)),
          },
        );
      }}
      onClose={onClose}
    >
      <Field label="Reason" error={isTried && reason === '' ? 'Please select an option.' : undefined}>
        {({ id, 'aria-describedby': describedBy, 'aria-invalid': isInvalid }) => (
          <Choice
            id={id}
            describedBy={describedBy}
            isInvalid={isInvalid}
            value={reason}
            choices={[
              { value: '', label: 'Choose a reason' },
              ...cancelReasons.map((each) => ({ value: each, label: said(each) })),
            ]}
            onChange={(value) => setReason(value as Reason | '')}
          />
        )}
      </Field>
      <TextField
        label="Anything else?"
        multiline
        minRows={3}
        value={comments}
        onChange={(event) => setComments(event.target.value)}
      />
    </DialogForm>
  );
}
