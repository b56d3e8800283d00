import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { formatPhone } from '../../../../contract/phone/format-phone.ts';
import type { CallingWindow } from '../../../../contract/time/calling-window.ts';
import { useCallerIds } from '../../../pieces/calls/call-queries.ts';
import { CallingWindowDialog } from '../../../pieces/calls/calling-dialogs.tsx';
import { daysWords, hoursWords } from '../../../pieces/calls/calling-words.ts';
import type { StepProps } from '../draft-state.ts';
import { useWizard } from '../wizard-context.ts';
import { Cell } from './cell.tsx';
import { windowOf, windowPatch } from './draft-window.ts';

/** Three cells under the messages: who calls, when, and how people stop it. */
export function CallFacts({ draft, save }: Pick<StepProps, 'draft' | 'save'>) {
  const { goTo } = useWizard();
  const [isOpen, setOpen] = useState(false);
  const caller = useCallerIds().all.find(
    ({ PhoneNumber }) => formatPhone(PhoneNumber) === formatPhone(draft.CallerID),
  );
  const window = windowOf(draft);
  return (
    <MuiCard
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(3, minmax(0, 1fr))' },
        '& > *': { px: 2, py: 1.75 },
        '& > * + *': {
          borderStyle: 'solid',
          borderColor: 'line.hair',
          borderWidth: { xs: '1px 0 0', sm: '0 0 0 1px' },
        },
      }}
    >
      <Cell name="Caller ID" value={formatPhone(draft.CallerID) || 'Not set'} onEdit={() => goTo(1)}>
        {caller?.Name || 'Shown on their phones'}
      </Cell>
      <Cell name="Calling window" value={hoursWords(window)} onEdit={() => setOpen(true)}>
        {daysWords(window.CallingWindowDays)}, your time
      </Cell>
      <Box>
        <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 1, color: 'text.secondary' }}>
          <Typography variant="body2">Press 9 to opt out</Typography>
          <Box
            component={CircleCheck}
            size={16}
            strokeWidth={1.75}
            aria-hidden
            sx={{ color: 'success.main' }}
          />
        </Box>
        <Box sx={{ fontWeight: 550 }}>Said after each message</Box>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          Never costs a credit
        </Typography>
      </Box>
      <CallingWindowDialog
        isOpen={isOpen}
        value={window}
        onSave={(next: CallingWindow) => save(windowPatch(next))}
        onClose={() => setOpen(false)}
      />
    </MuiCard>
  );
}
