import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import { useId } from 'react';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { textNumberName } from '../pieces/numbers/text-number-names.ts';

import { useAllNumbers } from './settings-queries.ts';

interface NumbersFieldProps {
  value: readonly number[];
  help?: string;
  error?: string | undefined;
  onChange: (ids: number[]) => void;
}

/** Chooses text numbers. */
export function NumbersField({ value, help, error, onChange }: NumbersFieldProps) {
  const id = useId();
  const numbers = useAllNumbers();
  const toggle = (numberId: number, isOn: boolean) =>
    onChange(isOn ? [...value, numberId] : value.filter((each) => each !== numberId));
  const note = error ?? help;
  return (
    <Box role="group" aria-labelledby={id} aria-describedby={note ? `${id}-note` : undefined}>
      <FormLabel id={id} component="p" error={error !== undefined} sx={{ mb: '6px' }}>
        Text numbers
      </FormLabel>
      <Box
        sx={{
          display: 'grid',
          gap: '2px',
          maxHeight: 216,
          overflowY: 'auto',
          px: '12px',
          py: '8px',
          border: '1px solid',
          borderColor: error === undefined ? 'line.strong' : 'error.main',
          borderRadius: '10px',
        }}
      >
        {numbers.map((number) => (
          <FormControlLabel
            key={number.TextNumberID}
            control={
              <Checkbox
                checked={value.includes(number.TextNumberID)}
                onChange={(_, isOn) => toggle(number.TextNumberID, isOn)}
              />
            }
            label={
              <>
                {textNumberName(number)}
                {number.Name.trim() !== '' && (
                  <Box component="span" sx={{ typography: 'body2', color: 'text.secondary', ml: 1 }}>
                    {formatPhone(number.TextPhoneNumber)}
                  </Box>
                )}
              </>
            }
            sx={{ m: 0, minHeight: 30, gap: '6px' }}
          />
        ))}
      </Box>
      {note && (
        <FormHelperText id={`${id}-note`} error={error !== undefined}>
          {note}
        </FormHelperText>
      )}
    </Box>
  );
}
