import Box from '@mui/material/Box';
import { sendingSpeeds } from '../../../contract/reference/sending-options.ts';
import { Choice } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';

/** Texts a minute, null as many as the carriers take. */
export type PerMinute = (typeof sendingSpeeds)[number]['perMinute'];

const speedChoices = sendingSpeeds.map(({ perMinute, label }) => ({ value: String(perMinute), label }));

interface SpeedFieldProps {
  value: number | null;
  onChange: (perMinute: PerMinute) => void;
}

export function SpeedField({ value, onChange }: SpeedFieldProps) {
  return (
    <Field
      label="Sending speed"
      help="Max is as fast as carriers allow. Choose a slower speed if everyone might call or click at once."
    >
      {({ id, 'aria-describedby': describedBy }) => (
        <Box sx={{ maxWidth: 260 }}>
          <Choice
            id={id}
            describedBy={describedBy}
            value={String(value)}
            choices={speedChoices}
            onChange={(text) =>
              onChange(sendingSpeeds.find(({ perMinute }) => String(perMinute) === text)?.perMinute ?? null)
            }
          />
        </Box>
      )}
    </Field>
  );
}
