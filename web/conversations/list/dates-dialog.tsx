import Box from '@mui/material/Box';
import { useState } from 'react';
import { TextField } from '../../ui/field.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { say } from '../../ui/say.ts';

interface DatesDialogProps {
  isOpen: boolean;
  from: string | undefined;
  to: string | undefined;
  onChoose: (from: string | undefined, to: string | undefined) => void;
  onClose: () => void;
}

/** Filters by the date of the last text. */
export function DatesDialog({ isOpen, onClose, ...rest }: DatesDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={420}>
      <DatesForm onClose={onClose} {...rest} />
    </FormDialog>
  );
}

function DatesForm({ from, to, onChoose, onClose }: Omit<DatesDialogProps, 'isOpen'>) {
  const [first, setFirst] = useState(from ?? '');
  const [last, setLast] = useState(to ?? '');
  const isBackwards = first !== '' && last !== '' && first > last;
  return (
    <DialogForm
      title="Between two dates"
      intro="Conversations whose last text falls between these dates. Leave a date empty for no limit."
      action="Show"
      isDisabled={isBackwards}
      onSubmit={() => {
        onClose();
        onChoose(first || undefined, last || undefined);
      }}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 2 }}>
        <TextField
          autoFocus
          type="date"
          label={say('From', 'date')}
          value={first}
          onChange={(event) => setFirst(event.target.value)}
          slotProps={{ input: { max: '9999-12-31' } }}
        />
        <TextField
          type="date"
          label={say('To', 'date')}
          value={last}
          error={isBackwards ? 'This is before the start date' : undefined}
          onChange={(event) => setLast(event.target.value)}
          slotProps={{ input: { max: '9999-12-31' } }}
        />
      </Box>
    </DialogForm>
  );
}
