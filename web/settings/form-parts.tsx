/** What the forms of the settings are made of. */

import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { counterLabel, exceedsLength } from '../../contract/text/text-length.ts';
import { formatClockTime, parseClockTime, sameTime } from '../../contract/time/clock-time.ts';
import { autoReplyStepMinutes, timeSteps } from '../../contract/time/time-steps.ts';
import { TextField } from '../ui/field.tsx';

interface RadioBoxesProps<Value extends string> {
  label: string;
  value: Value;
  choices: readonly { value: Value; title: string; sentence: string }[];
  onChange: (value: Value) => void;
}

/** Choices that need a sentence each. */
export function RadioBoxes<Value extends string>({
  label,
  value,
  choices,
  onChange,
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
        sx={{ gap: 1 }}
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

interface ChoiceProps {
  id?: string;
  /** Its name, where no label stands at it. */
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

const steps = timeSteps(autoReplyStepMinutes);

/** The half hours of a day, and the time that is set where it is none of them. */
function timeChoices(value: string): { value: string; label: string }[] {
  const set = parseClockTime(value);
  const isStep = set !== undefined && steps.includes(formatClockTime(set));
  return [...(set === undefined || isStep ? [] : [formatClockTime(set)]), ...steps].map((step) => ({
    value: step,
    label: step,
  }));
}

/** A time of day in half-hour steps. */
export function TimeChoice(props: Omit<ChoiceProps, 'choices'>) {
  const set = parseClockTime(props.value);
  return (
    <Choice {...props} value={set ? formatClockTime(set) : props.value} choices={timeChoices(props.value)} />
  );
}

/** Equal times are the whole day. */
export function isWholeDay(start: string, stop: string): boolean {
  const times = [parseClockTime(start), parseClockTime(stop)] as const;
  return times[0] !== undefined && times[1] !== undefined && sameTime(times[0], times[1]);
}

interface MessageFieldProps {
  label: string;
  value: string;
  most: number;
  help?: string;
  error?: string | undefined;
  onChange: (value: string) => void;
}

/** A text that will be sent, with the specification's counter under it. */
export function MessageField({ label, value, most, help, error, onChange }: MessageFieldProps) {
  return (
    <div>
      <TextField
        label={label}
        multiline
        minRows={3}
        maxRows={8}
        value={value}
        error={error}
        help={help}
        onChange={(event) => onChange(event.target.value)}
      />
      <Box
        sx={{
          mt: '4px',
          textAlign: 'right',
          typography: 'caption',
          fontVariantNumeric: 'tabular-nums',
          color: exceedsLength(value, most) ? 'error.main' : 'text.secondary',
        }}
      >
        {counterLabel(value, most)}
      </Box>
    </div>
  );
}
