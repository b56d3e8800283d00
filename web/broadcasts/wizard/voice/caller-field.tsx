import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useState } from 'react';
import { typedPhone } from '../../../../contract/phone/format-phone.ts';
import { normalizePhone, wirePhone } from '../../../../contract/phone/normalize-phone.ts';
import { useCallerIds } from '../../../pieces/calls/call-queries.ts';
import { useAccount, useCan } from '../../../queries/current-user.ts';
import { Field } from '../../../ui/field.tsx';
import { RouterLink } from '../../../ui/router-link.tsx';

interface CallerFieldProps {
  value: string;
  error: string | undefined;
  onChange: (callerId: string) => void;
}

/** The number that people see when it rings: one of the organization's, or a verified one. */
export function CallerField({ value, error, onChange }: CallerFieldProps) {
  const { verified } = useCallerIds();
  const canSet = useCan('editVoiceSettings');
  const countryId = useAccount()?.CountryID ?? 1;
  // As it is typed; the draft comes back normalized.
  const [text, setText] = useState(() => shownCaller(value, countryId));
  const options = verified.map(({ PhoneNumber }) => typedPhone(PhoneNumber, countryId));
  const callerOf = (option: string) =>
    verified.find(({ PhoneNumber }) => typedPhone(PhoneNumber, countryId) === option);
  const nameOf = (option: string) => callerOf(option)?.Name ?? '';
  return (
    <Field
      label="Caller ID"
      error={error}
      help={nameOf(text) || 'The number people see when you call. It must be yours or verified.'}
      aside={
        canSet && (
          <RouterLink to="/settings/voice" variant="body2">
            Add a number
          </RouterLink>
        )
      }
    >
      {({ id, ...aria }) => (
        <Autocomplete
          freeSolo
          id={id}
          options={options}
          filterOptions={(every) => every}
          inputValue={text}
          onInputChange={(_, next, reason) => {
            if (reason === 'reset' && next === '') return;
            setText(next);
            onChange(callerOf(next)?.PhoneNumber ?? next);
          }}
          renderOption={({ key, ...props }, option) => (
            <Box component="li" key={key} {...props}>
              <Box>
                {option}
                {nameOf(option) !== '' && (
                  <Box
                    component="span"
                    sx={{ display: 'block', typography: 'caption', color: 'text.secondary' }}
                  >
                    {nameOf(option)}
                  </Box>
                )}
              </Box>
            </Box>
          )}
          renderInput={({ slotProps: { input, htmlInput } }) => (
            <OutlinedInput
              {...input}
              fullWidth
              type="tel"
              error={error !== undefined}
              placeholder="(423) 555-0100"
              slotProps={{ input: { ...htmlInput, ...aria, autoComplete: 'off' } }}
            />
          )}
        />
      )}
    </Field>
  );
}

/** What can’t be read is shown as it was typed. */
function shownCaller(value: string, countryId: number): string {
  const phone = normalizePhone(value, countryId);
  return phone === undefined ? value : typedPhone(wirePhone(phone, countryId), countryId);
}
