import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import { useState } from 'react';
import type { CallingWindow } from '../../../../contract/time/calling-window.ts';
import { MessageLengthField, RetriesField, ThrottleField } from '../../../pieces/calls/call-choices.tsx';
import { CallingDaysDialog, CallingWindowDialog } from '../../../pieces/calls/calling-dialogs.tsx';
import { closingWords, daysWords, hoursWords } from '../../../pieces/calls/calling-words.ts';
import type { StepProps } from '../draft-state.ts';
import { CallerField } from './caller-field.tsx';
import { Cell } from './cell.tsx';
import { windowOf, windowPatch } from './draft-window.ts';
import { TransferFields } from './transfer-fields.tsx';

interface CallsCardProps extends Pick<StepProps, 'draft' | 'save'> {
  errors: Record<string, string>;
  isTried: boolean;
}

/** Settings of calls only: caller ID, hours, calls at a time, retries, and transfers. */
export function CallsCard({ draft, save, errors, isTried }: CallsCardProps) {
  return (
    <>
      <MuiCard sx={{ p: 2.5, display: 'grid', gap: 2.5 }}>
        <CallerField
          value={draft.CallerID}
          // Wrong input is reported at once, missing input only when somebody continues.
          error={isTried || draft.CallerID !== '' ? errors.CallerID : undefined}
          onChange={(CallerID) => save({ CallerID })}
        />
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
          <WindowCells draft={draft} save={save} />
        </Box>
        <Box
          sx={{
            display: 'grid',
            gap: 2,
            gridTemplateColumns: { xs: '1fr', sm: 'repeat(3, minmax(0, 1fr))' },
          }}
        >
          <ThrottleField value={draft.CallThrottle} onChange={(CallThrottle) => save({ CallThrottle })} />
          <RetriesField value={draft.Retries} onChange={(Retries) => save({ Retries })} />
          <MessageLengthField
            value={draft.MaxMessageLength}
            onChange={(MaxMessageLength) => save({ MaxMessageLength })}
          />
        </Box>
      </MuiCard>
      <MuiCard sx={{ p: 2.5, display: 'grid', gap: 2.5 }}>
        <TransferFields draft={draft} save={save} errors={errors} isTried={isTried} />
      </MuiCard>
    </>
  );
}

/** Calling days and calling window, each with the dialog that changes it. */
function WindowCells({ draft, save }: Pick<StepProps, 'draft' | 'save'>) {
  const [open, setOpen] = useState<'days' | 'window'>();
  const window = windowOf(draft);
  const dialog = {
    value: window,
    onSave: (next: CallingWindow) => save(windowPatch(next)),
    onClose: () => setOpen(undefined),
  };
  return (
    <>
      <Cell name="Calling days" value={daysWords(window.CallingWindowDays)} onEdit={() => setOpen('days')}>
        {closingWords(window)}
      </Cell>
      <Cell name="Calling window" value={hoursWords(window)} onEdit={() => setOpen('window')}>
        On your clock, and outside each recipient’s quiet hours
      </Cell>
      <CallingDaysDialog isOpen={open === 'days'} {...dialog} />
      <CallingWindowDialog isOpen={open === 'window'} {...dialog} />
    </>
  );
}
