import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { composeMessages } from '../../contract/forms/compose-text.ts';
import { errorCatalogue } from '../../contract/reference/error-catalogue.ts';
import { type TextNumberAdvice, textNumberAdvice } from '../../contract/states/text-number-advice.ts';
import { shownMessage } from '../api.ts';
import { useAccount, useUser } from '../queries/current-user.ts';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { textNumberLine } from '../ui/text-number-names.ts';
import { isUsable, useTextNumbers } from './text-numbers.ts';

interface NumberFieldProps {
  value: number | null;
  error: string | undefined;
  onChange: (textNumberId: number) => void;
}

/** What those are told who have no number that broadcasts can go out from. */
const advice: Record<Exclude<TextNumberAdvice, 'ready'>, string> = {
  'ask the owner': 'Ask an account owner to give you a text number that can send broadcasts.',
  'contact support': 'Please contact us to get a text number that can send broadcasts.',
  'get a broadcast-ready text number':
    'None of your text numbers can send broadcasts. You need one that is ready for broadcasts.',
  'get a text number for free':
    'You need a text number before you can send. Your trial comes with one for free.',
  'set up texting': 'You need a text number before you can send. Set up texting first.',
};

/** The number it goes out from. Those that can't be used are listed too, so that nobody looks for them. */
export function NumberField({ value, error, onChange }: NumberFieldProps) {
  const user = useUser();
  const account = useAccount();
  const { all, isPending, error: loadError, reload } = useTextNumbers();
  if (loadError)
    return <RetryNotice onRetry={reload}>{shownMessage(loadError, errorCatalogue.textNumbers)}</RetryNotice>;
  const told = user && account && !isPending ? textNumberAdvice(user, account, all) : 'ready';
  if (told !== 'ready') return <Notice kind="warning">{advice[told]}</Notice>;
  const chosen = all.find(({ TextNumberID }) => TextNumberID === value);
  return (
    <Field label="Text number" help="Replies come back to it." error={error}>
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
