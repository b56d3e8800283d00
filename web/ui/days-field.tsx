import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useId } from 'react';
import { type DayName, dayNames } from '../../contract/time/wall-clock.ts';
import { said } from './said.ts';

/** The days in the order people say them. */
export const weekFromMonday: readonly DayName[] = [...dayNames.slice(1), 'Sunday'];

interface DaysFieldProps {
  label: string;
  value: readonly string[];
  error?: string | undefined;
  onChange: (days: DayName[]) => void;
}

/** Toggles for the days of the week. */
export function DaysField({ label, value, error, onChange }: DaysFieldProps) {
  const id = useId();
  return (
    <div>
      <FormLabel id={id} component="p" error={error !== undefined} sx={{ mb: '6px' }}>
        {label}
      </FormLabel>
      <ToggleButtonGroup
        aria-labelledby={id}
        value={[...value]}
        onChange={(_, days: DayName[]) => onChange(weekFromMonday.filter((day) => days.includes(day)))}
        sx={{ display: 'flex' }}
      >
        {weekFromMonday.map((day) => (
          <ToggleButton key={day} value={day} sx={{ flex: 1, px: '2px' }}>
            {said(day).slice(0, 3)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      {error && <FormHelperText error>{error}</FormHelperText>}
    </div>
  );
}
