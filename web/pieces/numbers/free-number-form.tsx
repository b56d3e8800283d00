import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listTextNumbers } from '../../../contract/addresses/numbers.gen.ts';
import { getUnregisteredNumber } from '../../../contract/addresses/registration.gen.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { useCall } from '../../queries/calls.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { AreaCodeField, isWholeAreaCode } from './area-code-field.tsx';
import { numberMessage } from './number-message.ts';

export const freeNumberTitle = 'Get a text number for free';

/** Gets the free number of a trial, in the area code that people like, or anywhere. */
function useFreeNumber(onDone?: () => void) {
  const client = useQueryClient();
  const [areaCode, setAreaCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const get = useCall(getUnregisteredNumber);
  const send = async () => {
    setProblem(undefined);
    try {
      const reply = await get.mutateAsync({ body: { AreaCode: isWholeAreaCode(areaCode) ? areaCode : '' } });
      showSnackbar(reply.Message || `${formatPhone(reply.phoneNumber)} is yours.`);
      await client.invalidateQueries({ queryKey: [listTextNumbers.path] });
      onDone?.();
    } catch (error) {
      setProblem(numberMessage(error));
    }
  };
  return {
    isPending: get.isPending,
    send: () => void send(),
    fields: (
      <>
        <Typography>
          Your trial includes one number. You can text the phones that you have verified.
        </Typography>
        <AreaCodeField value={areaCode} onChange={setAreaCode} onSubmit={() => void send()} error={problem} />
      </>
    ),
  };
}

/** As part of a page. */
export function FreeNumberForm() {
  const number = useFreeNumber();
  return (
    <>
      {number.fields}
      <div>
        <Button variant="contained" color="primary" disabled={number.isPending} onClick={number.send}>
          Get my number
        </Button>
      </div>
    </>
  );
}

/** Over whatever somebody wanted a number for. */
export function FreeNumberDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={440}>
      <DialogParts onClose={onClose} />
    </FormDialog>
  );
}

function DialogParts({ onClose }: { onClose: () => void }) {
  const number = useFreeNumber(onClose);
  return (
    <>
      <DialogTitle>{freeNumberTitle}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>{number.fields}</DialogContent>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="contained" color="primary" disabled={number.isPending} onClick={number.send}>
          Get my number
        </Button>
      </DialogActions>
    </>
  );
}
