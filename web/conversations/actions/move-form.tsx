import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useState } from 'react';
import type { TextNumber } from '../../../contract/numbers.ts';
import { textNumberLine } from '../../pieces/numbers/text-number-names.ts';
import { DialogForm } from '../../ui/form-dialog.tsx';
import { countOf } from '../../ui/format.ts';

export interface MoveFormProps {
  /** undefined when the total is unknown. */
  count: number | undefined;
  /** Their current text number, when they all share one. */
  fromId: number | undefined;
  numbers: readonly TextNumber[];
  isBusy: boolean;
  /** Resolves to whether the move succeeded. */
  onMove: (textNumberId: number) => Promise<boolean>;
  onClose: () => void;
}

/** Asks which text number to move conversations to. */
export function MoveForm({ count, fromId, numbers, isBusy, onMove, onClose }: MoveFormProps) {
  const targets = numbers.filter(({ TextNumberID, CanText }) => CanText && TextNumberID !== fromId);
  const [chosen, setChosen] = useState(targets[0]?.TextNumberID);
  const what = count === undefined ? 'all conversations' : countOf(count, 'conversation', 'conversations');
  return (
    <DialogForm
      title={`Move ${what}`}
      intro={
        targets.length === 0
          ? 'You have no other text number that can send texts.'
          : 'Your next texts come from the number you choose. You can still read earlier texts. This can’t be undone.'
      }
      action="Move"
      isDisabled={isBusy || chosen === undefined}
      onSubmit={() => {
        if (chosen === undefined) return;
        void onMove(chosen).then((isDone) => {
          if (isDone) onClose();
        });
      }}
      onClose={onClose}
    >
      <RadioGroup
        aria-label="Text number"
        value={chosen ?? ''}
        onChange={(_, value) => setChosen(Number(value))}
        sx={{ gap: 1 }}
      >
        {targets.map((number) => (
          <Box
            key={number.TextNumberID}
            sx={{
              border: '1px solid',
              borderColor: number.TextNumberID === chosen ? 'primary.main' : 'line.strong',
              borderRadius: '10px',
            }}
          >
            <FormControlLabel
              value={number.TextNumberID}
              control={<Radio />}
              label={textNumberLine(number)}
              sx={{ m: 0, px: '6px', py: '4px', width: '100%' }}
            />
          </Box>
        ))}
      </RadioGroup>
    </DialogForm>
  );
}
