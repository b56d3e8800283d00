import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { Hash } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { listContacts, specialGroups } from '../../contract/contacts.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { useCallQuery } from '../queries/calls.ts';
import { Face } from '../ui/face.tsx';
import { Field } from '../ui/field.tsx';
import { type Recipient, recipientLabel, recipientsOf, typedRecipient } from './recipient.ts';

interface RecipientFieldProps {
  value: Recipient | null;
  typed: string;
  error: string | undefined;
  countryId: number;
  onChange: (value: Recipient | null) => void;
  onType: (typed: string) => void;
}

/** Waits for a pause in typing before the contacts are searched. */
const SEARCH_DELAY_MS = 180;

/** To: anybody of the contacts by name or number, or any number. */
export function RecipientField({ value, typed, error, countryId, onChange, onType }: RecipientFieldProps) {
  const q = useLater(value ? '' : typed.trim());
  const contacts = useCallQuery(
    listContacts,
    { params: { ListID: specialGroups.everyone }, query: { q, pagesize: 10 } },
    { keepPrevious: true },
  );
  const number = typedRecipient(typed, countryId);
  const options = useMemo(() => {
    const found = recipientsOf(contacts.data?.Items ?? []);
    const isFound = number && found.some(({ phone }) => formatPhone(phone) === formatPhone(number.phone));
    return number && !isFound ? [number, ...found] : found;
  }, [contacts.data, number]);
  return (
    <Field label="To" error={error}>
      {({ id, ...aria }) => (
        <Autocomplete
          id={id}
          freeSolo
          autoHighlight
          options={options}
          value={value}
          inputValue={typed}
          filterOptions={(all) => all}
          getOptionLabel={(option) => (typeof option === 'string' ? option : recipientLabel(option))}
          getOptionKey={(option) =>
            typeof option === 'string' ? option : `${option.PersonID ?? ''} ${option.phone}`
          }
          isOptionEqualToValue={(option, chosen) =>
            typeof chosen !== 'string' && option.phone === chosen.phone && option.PersonID === chosen.PersonID
          }
          onInputChange={(_, text, reason) => {
            if (reason === 'input') {
              if (value) onChange(null);
              onType(text);
            } else if (reason === 'clear' || text !== '') onType(text);
            // Otherwise MUI empties the box because what was chosen is gone: somebody is typing over it.
          }}
          onChange={(_, chosen) =>
            onChange(typeof chosen === 'string' ? (typedRecipient(chosen, countryId) ?? null) : chosen)
          }
          onBlur={() => {
            if (!value && number) onChange(number);
          }}
          renderInput={({ slotProps: { input, htmlInput } }) => (
            <OutlinedInput
              {...input}
              fullWidth
              error={error !== undefined}
              autoFocus
              placeholder="Name or phone number"
              slotProps={{ input: { ...htmlInput, ...aria, autoComplete: 'off' } }}
            />
          )}
          renderOption={({ key, ...props }, option) => (
            <Box component="li" key={key} {...props} sx={{ gap: 1.25, minHeight: 48 }}>
              {option.name === '' ? <NumberMark /> : <Face name={option.name} size={30} />}
              <Box sx={{ minWidth: 0, flex: 1 }}>
                <Typography noWrap sx={{ fontWeight: 520 }}>
                  {option.name === '' ? `Text ${formatPhone(option.phone)}` : option.name}
                </Typography>
                {option.name !== '' && (
                  <Typography
                    variant="caption"
                    component="div"
                    sx={{ color: option.hasOptedOut ? 'error.main' : 'text.secondary' }}
                  >
                    {formatPhone(option.phone)}
                    {option.hasOptedOut && ' · Opted out'}
                  </Typography>
                )}
              </Box>
            </Box>
          )}
        />
      )}
    </Field>
  );
}

function NumberMark() {
  return (
    <Box
      aria-hidden
      sx={{
        width: 30,
        height: 30,
        borderRadius: '50%',
        display: 'grid',
        placeItems: 'center',
        bgcolor: 'tint.accent',
        color: 'primary.main',
      }}
    >
      <Hash size={14} strokeWidth={2} />
    </Box>
  );
}

function useLater(value: string): string {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return later;
}
