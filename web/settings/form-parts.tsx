/** Building blocks of the settings forms. */

import Box from '@mui/material/Box';
import { counterLabel, exceedsLength } from '../../contract/text/text-length.ts';
import { formatClockTime, parseClockTime, sameTime } from '../../contract/time/clock-time.ts';
import { autoReplyStepMinutes, timeSteps } from '../../contract/time/time-steps.ts';
import { Choice, type ChoiceProps } from '../ui/choices.tsx';
import { TextField } from '../ui/field.tsx';

const steps = timeSteps(autoReplyStepMinutes);

/** Every half hour of a day, plus the current time if it is another. */
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

/** Equal times mean all day. */
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

/** A text that will be sent, with the spec's character count. */
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
