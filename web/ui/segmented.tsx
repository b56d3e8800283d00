import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import type { ReactNode } from 'react';

interface SegmentedProps<Value extends string> {
  label: string;
  value: Value;
  parts: readonly { value: Value; words: ReactNode }[];
  /** 40 px high parts, for fingers. */
  isLarge?: boolean;
  onChange: (value: Value) => void;
}

/** Switches between a few views of the same thing. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, value, parts, isLarge = false, onChange } = props;
  return (
    <ToggleButtonGroup
      exclusive
      fullWidth
      aria-label={label}
      value={value}
      onChange={(_, next: Value | null) => {
        if (next) onChange(next);
      }}
      sx={{
        p: '3px',
        gap: '3px',
        bgcolor: 'surface.press',
        borderRadius: '9px',
        '& .MuiToggleButton-root': {
          height: isLarge ? 44 : 30,
          m: 0,
          px: 0.5,
          whiteSpace: 'nowrap',
          gap: '6px',
          border: 0,
          borderRadius: '7px !important',
          color: 'text.secondary',
          fontWeight: 500,
          fontSize: 13,
        },
        '& .MuiToggleButton-root.Mui-selected': {
          bgcolor: 'surface.raised',
          color: 'text.primary',
          fontWeight: 550,
          boxShadow: 1,
        },
      }}
    >
      {parts.map(({ value: each, words }) => (
        <ToggleButton key={each} value={each}>
          {words}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
