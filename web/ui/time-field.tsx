import Autocomplete from '@mui/material/Autocomplete';
import OutlinedInput from '@mui/material/OutlinedInput';
import { timeStepMinutes, timeSteps } from '../../contract/time/time-steps.ts';
import { Field } from './field.tsx';

const steps = timeSteps(timeStepMinutes);

interface TimeFieldProps {
  label: string;
  value: string;
  error: string | undefined;
  help?: string;
  isDisabled?: boolean;
  onChange: (time: string) => void;
}

/** A time of day: typed, or chosen from quarter hours. */
export function TimeField({ label, value, error, help, isDisabled = false, onChange }: TimeFieldProps) {
  return (
    <Field label={label} error={error} help={help}>
      {({ id, ...aria }) => (
        <Autocomplete
          freeSolo
          id={id}
          disabled={isDisabled}
          options={steps}
          // All of them: whoever opens the list wants another time than the one in the field.
          filterOptions={(all) => all}
          inputValue={value}
          onInputChange={(_, text, reason) => {
            if (reason !== 'reset' || text !== '') onChange(text);
          }}
          renderInput={({ slotProps: { input, htmlInput } }) => (
            <OutlinedInput
              {...input}
              fullWidth
              error={error !== undefined}
              placeholder="5:00 PM"
              slotProps={{ input: { ...htmlInput, ...aria, autoComplete: 'off' } }}
            />
          )}
        />
      )}
    </Field>
  );
}
