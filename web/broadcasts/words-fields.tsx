import type { ClipboardEventHandler } from 'react';
import { counterLabel } from '../../contract/text/text-length.ts';
import { TextField } from '../ui/field.tsx';

interface Words {
  name: string;
  text: string;
}

interface WordsFieldsProps {
  value: Words;
  errors: Partial<Words>;
  /** How many characters the text may have. */
  limit: number;
  onChange: (by: Partial<Words>) => void;
  onPaste?: ClipboardEventHandler;
}

/** What a broadcast is called and what it says, where it is changed after Send. */
export function WordsFields({ value, errors, limit, onChange, onPaste }: WordsFieldsProps) {
  return (
    <>
      <TextField
        label="Broadcast name"
        value={value.name}
        error={errors.name}
        autoComplete="off"
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <TextField
        label="Text message"
        multiline
        minRows={4}
        maxRows={10}
        value={value.text}
        error={errors.text}
        help={counterLabel(value.text, limit)}
        onChange={(event) => onChange({ text: event.target.value })}
        onPaste={onPaste}
      />
    </>
  );
}
