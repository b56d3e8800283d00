import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Link from '@mui/material/Link';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { useId, useState } from 'react';
import { callingRefusals } from '../../../../contract/calling.ts';
import { voiceHints } from '../../../../contract/forms/broadcast.ts';
import { transferLinesField } from '../../../../contract/forms/transfer.ts';
import { formatPhone } from '../../../../contract/phone/format-phone.ts';
import { useTransferNumbers } from '../../../pieces/calls/call-queries.ts';
import { TransferNumberDialog } from '../../../pieces/calls/transfer-number-dialog.tsx';
import { useCan } from '../../../queries/current-user.ts';
import { Field, TextField } from '../../../ui/field.tsx';
import { RouterButton } from '../../../ui/router-button.tsx';
import { SwitchRow } from '../../../ui/switch-row.tsx';
import type { StepProps } from '../draft-state.ts';

interface TransferFieldsProps extends Pick<StepProps, 'draft' | 'save'> {
  errors: Record<string, string>;
  isTried: boolean;
}

/** The number that people who press 0 are connected to, and how many at a time. */
export function TransferFields({ draft, save, errors, isTried }: TransferFieldsProps) {
  const { all, isPending } = useTransferNumbers();
  const approved = all.filter(({ Status }) => Status === 'Approved');
  const [isRefused, setRefused] = useState(false);
  const toggle = (IsTransfer: boolean) => {
    if (IsTransfer && !isPending && approved.length === 0) return setRefused(true);
    const usual = approved.find(({ IsDefault }) => IsDefault) ?? approved[0];
    if (IsTransfer && draft.TransferNumber === null && usual)
      save({ IsTransfer, TransferNumber: { ID: usual.ID } }, { IsTransfer, TransferNumber: usual });
    else save({ IsTransfer });
  };
  return (
    <>
      <SwitchRow
        label="Transfer and connect"
        help="People who press 0 are connected to a person. If all lines are busy, they hear so and can wait."
        isOn={draft.IsTransfer}
        onChange={toggle}
      />
      {draft.IsTransfer && (
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 220px' } }}>
          <NumberChoice draft={draft} save={save} error={isTried ? errors.TransferNumber : undefined} />
          <LinesField draft={draft} save={save} error={isTried ? errors.TransferLines : undefined} />
        </Box>
      )}
      <NotEnabledDialog isOpen={isRefused} onClose={() => setRefused(false)} />
    </>
  );
}

type PartProps = Pick<StepProps, 'draft' | 'save'> & { error: string | undefined };

function NumberChoice({ draft, save, error }: PartProps) {
  const { all } = useTransferNumbers();
  const canSet = useCan('editVoiceSettings');
  const [isAdding, setAdding] = useState(false);
  const known = all.some(({ ID }) => ID === draft.TransferNumber?.ID);
  return (
    <>
      <Field
        label="Transfer number"
        error={error}
        help={voiceHints.transfer}
        aside={
          canSet && (
            <Link
              component="button"
              type="button"
              variant="body2"
              onClick={() => setAdding(true)}
              // High enough for a finger, and no higher than the label beside it.
              sx={{ minHeight: 24, my: '-2px' }}
            >
              Add a number
            </Link>
          )
        }
      >
        {({ id, ...aria }) => (
          <Select
            id={id}
            displayEmpty
            value={known ? (draft.TransferNumber?.ID ?? '') : ''}
            error={error !== undefined}
            SelectDisplayProps={{ ...aria, 'aria-label': 'Transfer number' }}
            renderValue={(chosen) => {
              const number = all.find(({ ID }) => ID === chosen);
              return number ? formatPhone(number.PhoneNumber) : 'Select a number';
            }}
            onChange={({ target }) => {
              const chosen = all.find(({ ID }) => ID === Number(target.value));
              if (chosen) save({ TransferNumber: { ID: chosen.ID } }, { TransferNumber: chosen });
            }}
          >
            {all.map(({ ID, PhoneNumber, Status, IsDefault }) => (
              <MenuItem key={ID} value={ID} disabled={Status !== 'Approved'}>
                <Box>
                  {formatPhone(PhoneNumber)}
                  {(Status !== 'Approved' || IsDefault) && (
                    <Box component="span" sx={{ display: 'block', typography: 'caption' }}>
                      {Status === 'Approved' ? 'Default' : 'Not approved yet'}
                    </Box>
                  )}
                </Box>
              </MenuItem>
            ))}
          </Select>
        )}
      </Field>
      <TransferNumberDialog
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        onAdded={(added) => save({ TransferNumber: { ID: added.ID } }, { TransferNumber: added })}
      />
    </>
  );
}

/** As typed: an invalid number of lines is reported and not saved. */
function LinesField({ draft, save, error }: PartProps) {
  const [text, setText] = useState(draft.TransferLines === null ? '' : String(draft.TransferLines));
  const checked = transferLinesField.safeParse(text);
  const typed = text === '' || checked.success ? undefined : checked.error.issues[0]?.message;
  return (
    <TextField
      label="Available lines"
      inputMode="numeric"
      help="How many people can be connected at a time."
      value={text}
      error={typed ?? error}
      onChange={({ target }) => {
        setText(target.value);
        const next = transferLinesField.safeParse(target.value);
        save({ TransferLines: next.success ? next.data : null });
      }}
    />
  );
}

/** "Transfer must be enabled first in voice settings." */
function NotEnabledDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const wordsId = useId();
  const canSet = useCan('editVoiceSettings');
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      maxWidth={false}
      aria-describedby={wordsId}
      slotProps={{ paper: { sx: { width: 440 } } }}
    >
      <DialogTitle>Transfer isn’t enabled</DialogTitle>
      <DialogContent id={wordsId} sx={{ color: 'text.secondary' }}>
        {callingRefusals.transferNotEnabled}{' '}
        {canSet
          ? 'Add a transfer number there and approve it.'
          : 'Ask an account owner or admin to add a transfer number.'}
      </DialogContent>
      <DialogActions>
        <Button variant="text" onClick={onClose}>
          Close
        </Button>
        {canSet && (
          <RouterButton to="/settings/voice" variant="contained" color="primary">
            Open voice settings
          </RouterButton>
        )}
      </DialogActions>
    </Dialog>
  );
}
