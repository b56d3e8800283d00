import {
  callThrottleLabel,
  callThrottles,
  messageLengths,
  retries,
} from '../../../contract/reference/sending-options.ts';
import { Choice } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';

interface NumberChoiceProps {
  value: number;
  error?: string | undefined;
  onChange: (value: number) => void;
}

/** Number of calls at the same time. */
export function ThrottleField({ value, error, onChange }: NumberChoiceProps) {
  return (
    <Field
      label="Calls at a time"
      help="Fewer keeps your own lines free for people who call back."
      error={error}
    >
      {({ id }) => (
        <Choice
          id={id}
          value={String(value)}
          choices={callThrottles.map((each) => ({ value: String(each), label: callThrottleLabel(each) }))}
          onChange={(next) => onChange(Number(next))}
        />
      )}
    </Field>
  );
}

/** Number of times that a phone is called again that was busy or that nobody answered. */
export function RetriesField({ value, error, onChange }: NumberChoiceProps) {
  return (
    <Field label="Retries" help="If busy or not answered, with 5 minutes between attempts." error={error}>
      {({ id }) => (
        <Choice
          id={id}
          value={String(value)}
          choices={retries.map((each) => ({ value: String(each.value), label: each.label }))}
          onChange={(next) => onChange(Number(next))}
        />
      )}
    </Field>
  );
}

/** The longest message, in seconds. */
export function MessageLengthField({ value, error, onChange }: NumberChoiceProps) {
  const lengths = messageLengths.includes(value) ? messageLengths : [value, ...messageLengths];
  return (
    <Field label="Message length" help="Longer messages use more credits." error={error}>
      {({ id }) => (
        <Choice
          id={id}
          value={String(value)}
          choices={lengths.map((each) => ({ value: String(each), label: `Up to ${each} seconds` }))}
          onChange={(next) => onChange(Number(next))}
        />
      )}
    </Field>
  );
}
