import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import { type ClipboardEvent, type KeyboardEvent, useId, useRef } from 'react';
import { say } from '../../ui/say.ts';

interface AreaCodeFieldProps {
  /** Up to three digits; boxes that are still empty hold a space. */
  value: string;
  onChange: (value: string) => void;
  /** Enter, with three digits. */
  onSubmit: (areaCode: string) => void;
  error?: string | undefined;
  label?: string;
  isAutoFocused?: boolean;
}

const boxes = [0, 1, 2] as const;
const ordinals = [say('First'), say('Second'), say('Third')] as const;

/** Digits of the value by box; '' where one is empty. */
function digitsOf(value: string): string[] {
  return boxes.map((at) => (/\d/.test(value[at] ?? '') ? (value[at] ?? '') : ''));
}

function join(digits: readonly string[]): string {
  return digits
    .map((digit) => digit || ' ')
    .join('')
    .trimEnd();
}

/** True if all three boxes hold a digit. */
export function isWholeAreaCode(value: string): boolean {
  return /^\d{3}$/.test(value);
}

/**
 * Three boxes for one digit each. A digit moves on to the next box, Backspace in an empty box steps back, Enter submits,
 * and pasting spreads the digits over the boxes.
 */
export function AreaCodeField(props: AreaCodeFieldProps) {
  const { value, onChange, onSubmit, error, label = 'Area code', isAutoFocused = false } = props;
  const id = useId();
  const refs = useRef<(HTMLInputElement | null)[]>([]);
  const digits = digitsOf(value);
  const focus = (at: number) => {
    const input = refs.current[Math.max(0, Math.min(2, at))];
    input?.focus();
    input?.select();
  };
  /** Writes digits from a box on, and goes to the box after them. */
  const write = (at: number, text: string) => {
    const given = text.replace(/\D/g, '').slice(0, 3 - at);
    if (given === '') return;
    const next = [...digits];
    for (const [offset, digit] of [...given].entries()) next[at + offset] = digit;
    onChange(join(next));
    focus(at + given.length);
  };
  const clear = (at: number) => onChange(join(digits.map((digit, each) => (each === at ? '' : digit))));
  const onKeyDown = (at: number, event: KeyboardEvent) => {
    if (event.key === 'Enter' && isWholeAreaCode(value)) {
      event.preventDefault();
      onSubmit(value);
    } else if (event.key === 'Backspace') {
      event.preventDefault();
      if (digits[at] !== '') clear(at);
      else if (at > 0) {
        clear(at - 1);
        focus(at - 1);
      }
    } else if (event.key === 'Delete') {
      event.preventDefault();
      clear(at);
    } else if (/^\d$/.test(event.key) && event.key === digits[at]) {
      // The digit that is there already changes nothing, so the browser reports no input.
      event.preventDefault();
      focus(at + 1);
    } else if (event.key === 'ArrowLeft') {
      event.preventDefault();
      focus(at - 1);
    } else if (event.key === 'ArrowRight') {
      event.preventDefault();
      focus(at + 1);
    }
  };
  const onPaste = (at: number, event: ClipboardEvent) => {
    event.preventDefault();
    const text = event.clipboardData.getData('text').replace(/\D/g, '');
    // A whole number was copied: its area code is what is wanted.
    const areaCode = text.length >= 10 ? text.slice(-10, -7) : text;
    write(areaCode.length >= 3 ? 0 : at, areaCode);
  };
  return (
    <Box role="group" aria-labelledby={`${id}-label`} aria-describedby={error ? `${id}-error` : undefined}>
      <FormLabel id={`${id}-label`} component="p" error={error !== undefined} sx={{ mb: '6px' }}>
        {label}
      </FormLabel>
      <Box sx={{ display: 'flex', gap: '10px' }}>
        {boxes.map((at) => (
          <OutlinedInput
            key={at}
            value={digits[at]}
            error={error !== undefined}
            autoFocus={isAutoFocused && at === 0}
            onChange={(event) =>
              write(at, event.target.value.replace(digits[at] ?? '', '') || event.target.value)
            }
            onKeyDown={(event) => onKeyDown(at, event)}
            onPaste={(event) => onPaste(at, event)}
            onFocus={(event) => event.target.select()}
            inputRef={(input: HTMLInputElement | null) => {
              refs.current[at] = input;
            }}
            slotProps={{
              input: {
                'aria-label': `${ordinals[at]} digit`,
                'aria-invalid': error !== undefined,
                inputMode: 'numeric',
                autoComplete: 'off',
                style: { textAlign: 'center', fontSize: 26, fontWeight: 600, padding: 0 },
              },
            }}
            sx={{ width: 58, height: 66 }}
          />
        ))}
      </Box>
      {error && (
        <FormHelperText id={`${id}-error`} error>
          {error}
        </FormHelperText>
      )}
    </Box>
  );
}
