/** Building blocks of the settings forms. */

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { BookMarked } from 'lucide-react';
import { counterLabel, exceedsLength } from '../../contract/text/text-length.ts';
import { formatClockTime, parseClockTime, sameTime } from '../../contract/time/clock-time.ts';
import { type StepMinutes, timeStepMinutes, timeSteps } from '../../contract/time/time-steps.ts';
import { SavedTextsPicker } from '../pieces/templates/saved-texts-picker.tsx';
import { Choice, type ChoiceProps } from '../ui/choices.tsx';
import { clockWords } from '../ui/clock-words.ts';
import { TextField } from '../ui/field.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { useMenu } from '../ui/use-menu.ts';

/** Every step of a day, plus the current time if it is another. */
function timeChoices(value: string, stepMinutes: StepMinutes): { value: string; label: string }[] {
  const steps = timeSteps(stepMinutes);
  const set = parseClockTime(value);
  const isStep = set !== undefined && steps.includes(formatClockTime(set));
  return [...(set === undefined || isStep ? [] : [formatClockTime(set)]), ...steps].map((step) => ({
    value: step,
    label: clockWords(step),
  }));
}

interface TimeChoiceProps extends Omit<ChoiceProps, 'choices'> {
  stepMinutes?: StepMinutes;
}

/** A time of day, in steps of a quarter of an hour unless it says otherwise. */
export function TimeChoice({ stepMinutes = timeStepMinutes, ...props }: TimeChoiceProps) {
  const set = parseClockTime(props.value);
  const value = set ? formatClockTime(set) : props.value;
  return <Choice {...props} value={value} choices={timeChoices(props.value, stepMinutes)} />;
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

/** A text that will be sent, with the spec's character count and the texts that were saved before. */
export function MessageField({ label, value, most, help, error, onChange }: MessageFieldProps) {
  const library = useMenu('dialog');
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
      <Box sx={{ mt: '4px', display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 1 }}>
        <Button size="small" variant="text" startIcon={<BookMarked aria-hidden />} {...library.buttonProps}>
          Saved texts
        </Button>
        <Box
          sx={{
            typography: 'caption',
            fontVariantNumeric: 'tabular-nums',
            color: exceedsLength(value, most) ? 'error.main' : 'text.secondary',
          }}
        >
          {counterLabel(value, most)}
        </Box>
        <SavedTextsPicker
          anchor={library.anchorEl}
          onChoose={({ TemplateText, Media }) => {
            // Inserted after the typed text, so that nothing is lost.
            onChange(value.trim() === '' ? TemplateText : `${value.trimEnd()} ${TemplateText}`);
            if (Media.length > 0) showSnackbar('Only the text is used: this message has no pictures.');
          }}
          onClose={library.close}
        />
      </Box>
    </div>
  );
}
