import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  deleteTransferNumber,
  listTransferNumbers,
  updateTransferNumber,
} from '../../../contract/addresses/calling.gen.ts';
import type { TransferNumber } from '../../../contract/calling.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { useTransferNumbers } from '../../pieces/calls/call-queries.ts';
import { refusalMessage } from '../../pieces/calls/refusal-message.ts';
import { TransferNumberDialog } from '../../pieces/calls/transfer-number-dialog.tsx';
import { useCall } from '../../queries/calls.ts';
import { Card } from '../../ui/card.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';

/** The numbers that people who press 0 are connected to. Without an approved one, transfer is off. */
export function TransferNumbersCard({ canSet }: { canSet: boolean }) {
  const { all, error, reload } = useTransferNumbers();
  const [open, setOpen] = useState<TransferNumber | 'new'>();
  return (
    <Card
      title="Transfer numbers"
      action={
        canSet && (
          <Button size="small" startIcon={<Plus aria-hidden />} onClick={() => setOpen('new')}>
            Add a transfer number
          </Button>
        )
      }
    >
      {error && (
        <Box sx={{ p: 2.5 }}>
          <RetryNotice onRetry={reload}>There was an error getting your transfer numbers.</RetryNotice>
        </Box>
      )}
      <Box component="ul" aria-label="Transfer numbers" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {all.map((number) => (
          <TransferRow key={number.ID} number={number} canSet={canSet} onApprove={setOpen} />
        ))}
      </Box>
      {all.length === 0 && !error && (
        <Typography sx={{ px: 2.5, py: 2, color: 'text.secondary' }}>
          Add the number of your office or help line. People who press 0 during a call are connected to it.
        </Typography>
      )}
      <TransferNumberDialog
        isOpen={open !== undefined}
        number={open === 'new' ? undefined : open}
        onClose={() => setOpen(undefined)}
      />
    </Card>
  );
}

interface TransferRowProps {
  number: TransferNumber;
  canSet: boolean;
  onApprove: (number: TransferNumber) => void;
}

function TransferRow({ number, canSet, onApprove }: TransferRowProps) {
  const client = useQueryClient();
  const update = useCall(updateTransferNumber);
  const remove = useCall(deleteTransferNumber);
  const { ID, PhoneNumber, Status, IsDefault } = number;
  const phone = formatPhone(PhoneNumber);
  const params = { TransferNumberID: ID };
  const isBusy = update.isPending || remove.isPending;
  const attempt = async (act: () => Promise<unknown>, done: string) => {
    try {
      await act();
      showSnackbar(done);
    } catch (error) {
      showSnackbar(refusalMessage(error, 'There was an error updating your transfer number.'));
    } finally {
      await client.invalidateQueries({ queryKey: [listTransferNumbers.path] });
    }
  };
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 1,
        minHeight: 52,
        px: 2.5,
        py: 1,
        '& + &': { borderTop: '1px solid', borderColor: 'line.hair' },
      }}
    >
      <Box sx={{ flex: '1 1 140px', fontWeight: 520 }}>{phone}</Box>
      {IsDefault && <Chip label="Default" />}
      <Chip
        label={Status === 'Approved' ? 'Approved' : 'Not approved yet'}
        sx={{ color: Status === 'Approved' ? 'success.main' : 'warning.main' }}
      />
      {canSet && Status === 'Pending' && (
        <Button size="small" aria-label={`Enter the code for ${phone}`} onClick={() => onApprove(number)}>
          Enter the code
        </Button>
      )}
      {canSet && Status === 'Approved' && !IsDefault && (
        <Button
          size="small"
          variant="text"
          aria-label={`Make ${phone} the default`}
          disabled={isBusy}
          onClick={() =>
            void attempt(
              () => update.mutateAsync({ params, body: { IsDefault: true } }),
              `${phone} is the default transfer number.`,
            )
          }
        >
          Make default
        </Button>
      )}
      {canSet && (
        <IconButton
          aria-label={`Delete ${phone}`}
          disabled={isBusy}
          onClick={() => void attempt(() => remove.mutateAsync({ params }), `${phone} was deleted.`)}
        >
          <Trash2 />
        </IconButton>
      )}
    </Box>
  );
}
