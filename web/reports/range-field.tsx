import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { CalendarDays, ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { daysBetween, localDay } from '../../contract/time/local-day.ts';
import { useTimeZone } from '../queries/current-user.ts';
import { TextField } from '../ui/field.tsx';
import { DialogForm, FormDialog } from '../ui/form-dialog.tsx';
import { useNow } from '../ui/now.ts';
import { say } from '../ui/say.ts';
import { useFormErrors } from '../ui/use-form-errors.ts';
import { useMenu } from '../ui/use-menu.ts';
import { type RangeSearch, rangeChoices } from './range-search.ts';
import { rangeWords } from './report-range.ts';

interface RangeFieldProps {
  /** None where the report covers all days until some are chosen. */
  range: { from: string; to: string } | undefined;
  onChange: (range: RangeSearch) => void;
}

const names: Record<(typeof rangeChoices)[number], string> = {
  7: 'Last 7 days',
  30: 'Last 30 days',
  90: 'Last 90 days',
  365: 'Last 365 days',
};

/** Chooses the days that a report covers. */
export function RangeField({
  range,
  coversAll = false,
  onChange,
}: RangeFieldProps & { coversAll?: boolean }) {
  const menu = useMenu();
  const [isChoosing, setChoosing] = useState(false);
  const today = localDay(useNow(), useTimeZone());
  const words = range === undefined ? say('All days') : rangeWords(range, today);
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<CalendarDays aria-hidden />}
        endIcon={<ChevronDown aria-hidden />}
        {...menu.buttonProps}
        aria-label={`Days: ${words}`}
        sx={{ minWidth: 0 }}
      >
        {/* With two years it is wider than a phone. */}
        <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
          {words}
        </Box>
      </Button>
      <Menu {...menu.menuProps}>
        {coversAll && <MenuItem onClick={menu.choose(() => onChange({}))}>All days</MenuItem>}
        {rangeChoices.map((days) => (
          <MenuItem key={days} onClick={menu.choose(() => onChange({ days }))}>
            {names[days]}
          </MenuItem>
        ))}
        <Divider />
        <MenuItem onClick={menu.choose(() => setChoosing(true))}>Choose days</MenuItem>
      </Menu>
      <FormDialog isOpen={isChoosing} onClose={() => setChoosing(false)} width={420}>
        <DaysForm range={range} onChange={onChange} onClose={() => setChoosing(false)} />
      </FormDialog>
    </>
  );
}

function DaysForm({ range, onChange, onClose }: RangeFieldProps & { onClose: () => void }) {
  const [from, setFrom] = useState(range?.from ?? '');
  const [to, setTo] = useState(range?.to ?? '');
  const { errors, submit } = useFormErrors();
  const problems: Record<string, string> = {};
  if (from === '') problems.from = 'Enter a date';
  if (to === '') problems.to = 'Enter a date';
  if (from !== '' && to !== '' && to < from) problems.to = 'The last day can’t be before the first.';
  if (from !== '' && to !== '' && daysBetween(from, to) > 365) problems.from = 'Choose at most a year.';
  return (
    <DialogForm
      title="Choose days"
      action="Show"
      problem={errors.form}
      isDisabled={false}
      onSubmit={() =>
        void submit({
          problems,
          save: async () => {
            onChange({ from, to });
            onClose();
          },
          failed: '',
        })
      }
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { sm: '1fr 1fr' } }}>
        <TextField
          label="First day"
          type="date"
          value={from}
          error={errors.from}
          onChange={(event) => setFrom(event.target.value)}
        />
        <TextField
          label="Last day"
          type="date"
          value={to}
          error={errors.to}
          onChange={(event) => setTo(event.target.value)}
        />
      </Box>
    </DialogForm>
  );
}
