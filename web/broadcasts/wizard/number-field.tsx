import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { composeMessages } from '../../../contract/forms/compose-text.ts';
import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import { shownMessage } from '../../api.ts';
import { textNumberLine } from '../../pieces/numbers/text-number-names.ts';
import { TextNumberAdviceNotice, useTextNumberAdvice } from '../../pieces/numbers/texting-advice.tsx';
import { Field } from '../../ui/field.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { isUsable, useTextNumbers } from './text-numbers.ts';

interface NumberFieldProps {
  value: number | null;
  error: string | undefined;
  onChange: (textNumberId: number) => void;
}

/** The number it goes out from. Those that can't be used are listed too, so that nobody looks for them. */
export function NumberField({ value, error, onChange }: NumberFieldProps) {
  const { all, isPending, error: loadError, reload } = useTextNumbers();
  const advice = useTextNumberAdvice(isPending || loadError ? undefined : all, 'broadcasts');
  if (loadError)
    return <RetryNotice onRetry={reload}>{shownMessage(loadError, errorCatalog.textNumbers)}</RetryNotice>;
  if (advice) return <TextNumberAdviceNotice advice={advice} isAsked={error !== undefined} />;
  const chosen = all.find(({ TextNumberID }) => TextNumberID === value);
  return (
    <Field label="Text number" help="Replies come to this number." error={error}>
      {({ id, ...aria }) => (
        <Select
          id={id}
          displayEmpty
          value={chosen?.TextNumberID ?? ''}
          error={error !== undefined}
          onChange={({ target }) => onChange(Number(target.value))}
          SelectDisplayProps={{ ...aria, 'aria-label': 'Text number' }}
          renderValue={() => (chosen ? textNumberLine(chosen) : composeMessages.noTextNumber)}
        >
          {all.map((number) => (
            <MenuItem key={number.TextNumberID} value={number.TextNumberID} disabled={!isUsable(number)}>
              <Box sx={{ minWidth: 0 }}>
                {textNumberLine(number)}
                {!isUsable(number) && (
                  <Box component="span" sx={{ display: 'block', typography: 'caption' }}>
                    {number.IsBlocked ? 'Blocked' : 'Can’t send broadcasts'}
                  </Box>
                )}
              </Box>
            </MenuItem>
          ))}
        </Select>
      )}
    </Field>
  );
}
