import Box from '@mui/material/Box';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { Choice } from '../ui/choices.tsx';
import { say } from '../ui/say.ts';

interface ReportNumber {
  TextNumberID: number;
  TextNumber: string;
  Name: string;
  IsReleased: boolean;
}

/** "Front office", or the phone without a name. */
export function numberName({ Name, TextNumber, IsReleased }: ReportNumber): string {
  const name = Name || formatPhone(TextNumber);
  return IsReleased ? `${name} (given up)` : name;
}

interface NumberChoiceProps {
  numbers: readonly ReportNumber[] | undefined;
  chosen: number | undefined;
  onChange: (number: number | undefined) => void;
}

/** One text number or all of them. Shown where there is a choice, and to leave a number that isn’t there any more. */
export function NumberChoice({ numbers = [], chosen, onChange }: NumberChoiceProps) {
  if (numbers.length < 2 && chosen === undefined) return null;
  const isMissing = chosen !== undefined && !numbers.some(({ TextNumberID }) => TextNumberID === chosen);
  return (
    <Box sx={{ width: 240 }}>
      <Choice
        label="Text number"
        value={String(chosen ?? '')}
        choices={[
          { value: '', label: 'All text numbers' },
          ...numbers.map((one) => ({ value: String(one.TextNumberID), label: numberName(one) })),
          ...(isMissing ? [{ value: String(chosen), label: say('Unknown') }] : []),
        ]}
        onChange={(next) => onChange(next === '' ? undefined : Number(next))}
      />
    </Box>
  );
}
