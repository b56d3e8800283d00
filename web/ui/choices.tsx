import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { ChevronDown } from 'lucide-react';
import { useId } from 'react';

interface RadioBoxesProps<Value extends string> {
  label: string;
  value: Value;
  choices: readonly { value: Value; title: string; sentence: string }[];
  onChange: (value: Value) => void;
  /** Number of choices that fit side by side, where there is room. */
  columns?: number;
}

/** Radio choices with a sentence each. */
export function RadioBoxes<Value extends string>({
  label,
  value,
  choices,
  onChange,
  columns = 1,
}: RadioBoxesProps<Value>) {
  const id = useId();
  return (
    <div>
      <FormLabel id={id} component="p" sx={{ mb: '8px' }}>
        {label}
      </FormLabel>
      <RadioGroup
        aria-labelledby={id}
        value={value}
        onChange={(_, next) => onChange(next as Value)}
        sx={
          columns === 1
            ? { gap: 1 }
            : {
                display: 'grid',
                gap: 1,
                gridTemplateColumns: { xs: '1fr', sm: `repeat(${columns}, minmax(0, 1fr))` },
              }
        }
      >
        {choices.map(({ value: each, title, sentence }) => (
          <FormControlLabel
            key={each}
            value={each}
            control={<Radio sx={{ alignSelf: 'flex-start', mt: '-2px', flex: 'none' }} />}
            label={
              <>
                <Box component="span" sx={{ display: 'block', fontWeight: 550 }}>
                  {title}
                </Box>
                <Box component="span" sx={{ typography: 'body2', color: 'text.secondary' }}>
                  {sentence}
                </Box>
              </>
            }
            sx={{
              m: 0,
              alignItems: 'flex-start',
              px: '12px',
              py: '10px',
              borderRadius: '10px',
              border: '1px solid',
              borderColor: each === value ? 'primary.main' : 'line.strong',
              boxShadow: (theme) =>
                each === value ? `inset 0 0 0 1px ${theme.vars.palette.primary.main}` : 'none',
            }}
          />
        ))}
      </RadioGroup>
    </div>
  );
}

export interface ChoiceProps {
  id?: string;
  /** The accessible name, if there is no label. */
  label?: string;
  value: string;
  choices: readonly { value: string; label: string }[];
  isInvalid?: boolean;
  describedBy?: string | undefined;
  onChange: (value: string) => void;
}

export function Choice({ id, label, value, choices, isInvalid, describedBy, onChange }: ChoiceProps) {
  return (
    <NativeSelect
      fullWidth
      input={<OutlinedInput error={isInvalid === true} />}
      IconComponent={ChevronDown}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      inputProps={{
        id,
        'aria-label': label,
        'aria-describedby': describedBy,
        'aria-invalid': isInvalid === true,
      }}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </NativeSelect>
  );
}
