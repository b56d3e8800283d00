import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  addTransferNumber,
  listTransferNumbers,
  updateTransferNumber,
} from '../../../contract/addresses/calling.gen.ts';
import type { TransferNumber } from '../../../contract/calling.ts';
import { transferForm } from '../../../contract/forms/transfer.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { fieldMessages } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { useAccount } from '../../queries/current-user.ts';
import { TextField } from '../../ui/field.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { FormText } from '../../ui/form-fields.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useContractForm } from '../../ui/use-contract-form.ts';
import { refusalMessage } from './refusal-message.ts';

interface TransferNumberDialogProps {
  isOpen: boolean;
  /** One that still has to be approved; without it a number is added. */
  number?: TransferNumber | undefined;
  onClose: () => void;
  onAdded?: (number: TransferNumber) => void;
}

/** Adds a number that people who press 0 are connected to, and approves it with the code that a call reads out. */
export function TransferNumberDialog({ isOpen, onClose, ...rest }: TransferNumberDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={460}>
      <TransferNumberSteps onClose={onClose} {...rest} />
    </FormDialog>
  );
}

function TransferNumberSteps({ number, onClose, onAdded }: Omit<TransferNumberDialogProps, 'isOpen'>) {
  const client = useQueryClient();
  const [pending, setPending] = useState(number);
  const isKept = (kept: TransferNumber) => {
    void client.invalidateQueries({ queryKey: [listTransferNumbers.path] });
    if (kept.Status === 'Pending') return setPending(kept);
    showSnackbar(`${formatPhone(kept.PhoneNumber)} can take transferred calls.`);
    onAdded?.(kept);
    onClose();
  };
  return pending ? (
    <ApproveForm number={pending} onKept={isKept} onClose={onClose} />
  ) : (
    <AddForm onKept={isKept} onClose={onClose} />
  );
}

interface FormProps {
  onKept: (number: TransferNumber) => void;
  onClose: () => void;
}

const failed = 'There was an error updating your transfer number.';

function AddForm({ onKept, onClose }: FormProps) {
  const add = useCall(addTransferNumber);
  const countryId = useAccount()?.CountryID ?? 1;
  const { control, submit, problem, isSubmitting } = useContractForm({
    rules: transferForm({ countryId }).pick({ TransferNumber: true }),
    values: { TransferNumber: '' },
    save: async ({ TransferNumber }) =>
      onKept(await add.mutateAsync({ body: { PhoneNumber: TransferNumber } })),
    failed,
    serverNames: { PhoneNumber: 'TransferNumber' },
  });
  return (
    <DialogForm
      title="Add a transfer number"
      intro="People who press 0 during a call are connected to this number. If it isn’t one of your own numbers, we call it and read out a code."
      problem={problem}
      action="Add"
      isDisabled={isSubmitting}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormText
        autoFocus
        control={control}
        name="TransferNumber"
        label="Transfer number"
        type="tel"
        autoComplete="off"
        placeholder="(423) 555-0100"
      />
    </DialogForm>
  );
}

function ApproveForm({ number, onKept, onClose }: FormProps & { number: TransferNumber }) {
  const update = useCall(updateTransferNumber);
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const params = { TransferNumberID: number.ID };
  const attempt = async (body: { Code: string } | { CallAgain: true }) => {
    setError(undefined);
    try {
      const kept = await update.mutateAsync({ params, body });
      if ('CallAgain' in body) showSnackbar(`We’re calling ${formatPhone(number.PhoneNumber)} again.`);
      else onKept(kept);
    } catch (refused) {
      setError(fieldMessages(refused).Code ?? refusalMessage(refused, failed));
    }
  };
  return (
    <DialogForm
      title="Enter the code"
      intro={`We’re calling ${formatPhone(number.PhoneNumber)} and reading out a code. Enter it here to approve the number.`}
      action="Approve"
      isDisabled={update.isPending}
      onSubmit={() => {
        if (code.trim() === '') setError('Enter the code');
        else void attempt({ Code: code });
      }}
      onClose={onClose}
    >
      <TextField
        autoFocus
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        error={error}
        onChange={(event) => {
          setCode(event.target.value);
          setError(undefined);
        }}
      />
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        Nobody answered?{' '}
        <Button
          size="small"
          variant="text"
          disabled={update.isPending}
          onClick={() => void attempt({ CallAgain: true })}
        >
          Call again
        </Button>
      </Typography>
    </DialogForm>
  );
}
