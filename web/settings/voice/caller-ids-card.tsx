import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';
import { addCallerId, deleteCallerId, listCallerIds } from '../../../contract/addresses/calling.gen.ts';
import type { CallerID } from '../../../contract/calling.ts';
import { maxLength, required } from '../../../contract/fields/basic-rules.ts';
import { trimmedField } from '../../../contract/fields/form.ts';
import { callerId } from '../../../contract/fields/phone-rules.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { limits } from '../../../contract/reference/limits.ts';
import { shownMessage } from '../../api.ts';
import { useCallerIds } from '../../pieces/calls/call-queries.ts';
import { useCall } from '../../queries/calls.ts';
import { useAccount } from '../../queries/current-user.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Card } from '../../ui/card.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { FormText } from '../../ui/form-fields.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { say } from '../../ui/say.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useContractForm } from '../../ui/use-contract-form.ts';

/** The numbers that people see when they are called. */
export function CallerIdsCard({ canSet }: { canSet: boolean }) {
  const { all, error, reload } = useCallerIds();
  const [isAdding, setAdding] = useState(false);
  const [asked, setAsked] = useState<CallerID>();
  return (
    <Card
      title="Caller IDs"
      action={
        canSet && (
          <Button size="small" startIcon={<Plus aria-hidden />} onClick={() => setAdding(true)}>
            Add a number
          </Button>
        )
      }
    >
      {error && (
        <Box sx={{ p: 2.5 }}>
          <RetryNotice onRetry={reload}>There was an error getting your caller IDs.</RetryNotice>
        </Box>
      )}
      <Box component="ul" aria-label="Caller IDs" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {all.map((caller) => (
          <CallerRow key={caller.PhoneNumber} caller={caller} canSet={canSet} onDelete={setAsked} />
        ))}
      </Box>
      {all.length === 0 && !error && (
        <Typography sx={{ px: 2.5, py: 2, color: 'text.secondary' }}>
          Your text numbers and numbers you verify are listed here.
        </Typography>
      )}
      <FormDialog isOpen={isAdding} onClose={() => setAdding(false)} width={460}>
        <AddForm onClose={() => setAdding(false)} />
      </FormDialog>
      {asked && <DeleteDialog caller={asked} onClose={() => setAsked(undefined)} />}
    </Card>
  );
}

interface CallerRowProps {
  caller: CallerID;
  canSet: boolean;
  onDelete: (caller: CallerID) => void;
}

function CallerRow({ caller, canSet, onDelete }: CallerRowProps) {
  const { PhoneNumber, Name, Status, IsDefault, Code, CallerIDID } = caller;
  const phone = formatPhone(PhoneNumber);
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        minHeight: 52,
        px: 2.5,
        py: 1,
        '& + &': { borderTop: '1px solid', borderColor: 'line.hair' },
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ fontWeight: 520 }}>{phone}</Box>
        <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {Status === 'Pending'
            ? `We’re calling this phone. Type ${Code} on its keypad.`
            : Name || 'Verified number'}
        </Typography>
      </Box>
      {IsDefault && <Chip label="Yours" />}
      {Status === 'Pending' && <Chip label="Not verified" sx={{ color: 'warning.main' }} />}
      {canSet && CallerIDID !== null && (
        <IconButton aria-label={`Delete ${phone}`} onClick={() => onDelete(caller)}>
          <Trash2 />
        </IconButton>
      )}
    </Box>
  );
}

function AddForm({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const add = useCall(addCallerId);
  const countryId = useAccount()?.CountryID ?? 1;
  const { control, submit, problem, isSubmitting } = useContractForm({
    rules: z.object({
      PhoneNumber: trimmedField(required('Caller ID'), callerId(countryId)),
      Name: trimmedField(maxLength(say('Name'), limits.textNumberName)),
    }),
    values: { PhoneNumber: '', Name: '' },
    save: async (body) => {
      const { PhoneNumber, Code, Status } = await add.mutateAsync({ body });
      await client.invalidateQueries({ queryKey: [listCallerIds.path] });
      onClose();
      showSnackbar(
        Status === 'Verified'
          ? `${formatPhone(PhoneNumber)} can be used as a caller ID.`
          : `We’re calling ${formatPhone(PhoneNumber)}. Type ${Code} on its keypad.`,
      );
    },
    failed: 'There was an error adding your caller ID.',
  });
  return (
    <DialogForm
      title="Add a caller ID"
      intro="We call the number and ask for a code, to check that it’s yours."
      problem={problem}
      action="Call it now"
      isDisabled={isSubmitting}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormText
        autoFocus
        control={control}
        name="PhoneNumber"
        label="Number"
        type="tel"
        autoComplete="off"
        placeholder="(423) 555-0100"
      />
      <FormText control={control} name="Name" label="Name" help="Such as “Main office”." autoComplete="off" />
    </DialogForm>
  );
}

function DeleteDialog({ caller, onClose }: { caller: CallerID; onClose: () => void }) {
  const client = useQueryClient();
  const remove = useCall(deleteCallerId);
  const press = async () => {
    try {
      await remove.mutateAsync({ params: { CallerIDID: caller.CallerIDID ?? 0 } });
      await client.invalidateQueries({ queryKey: [listCallerIds.path] });
      onClose();
    } catch (error) {
      showSnackbar(shownMessage(error, 'There was an error deleting your caller ID.'));
    }
  };
  return (
    <AskDialog
      title="Delete this caller ID?"
      action="Delete"
      keep="Keep it"
      isBusy={remove.isPending}
      onDo={() => void press()}
      onClose={onClose}
    >
      Calls can’t come from {formatPhone(caller.PhoneNumber)} any more. To use it again, it has to be verified
      again.
    </AskDialog>
  );
}
