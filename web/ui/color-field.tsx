import Box from '@mui/material/Box';
import { Check } from 'lucide-react';
import { useId } from 'react';
import { colors, shadesOf } from './colors.ts';

/** One of the eight colors. */
export function ColorField({ value, onChange }: { value: number; onChange: (color: number) => void }) {
  const name = useId();
  return (
    <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, minWidth: 0 }}>
      <Box component="legend" sx={{ typography: 'body2', fontWeight: 550, p: 0, mb: '6px' }}>
        Color
      </Box>
      <Box sx={{ display: 'flex', gap: '6px', flexWrap: 'wrap' }}>
        {colors.map((color, index) => (
          <Swatch
            key={color.name}
            name={name}
            label={color.name}
            color={index}
            isChosen={index === value}
            onChoose={() => onChange(index)}
          />
        ))}
      </Box>
    </Box>
  );
}

interface SwatchProps {
  name: string;
  label: string;
  color: number;
  isChosen: boolean;
  onChoose: () => void;
}

function Swatch({ name, label, color, isChosen, onChoose }: SwatchProps) {
  const { light, dark } = shadesOf(color);
  return (
    <Box
      component="label"
      title={label}
      sx={[
        {
          position: 'relative',
          width: 30,
          height: 30,
          borderRadius: '50%',
          display: 'grid',
          placeItems: 'center',
          cursor: 'pointer',
          backgroundColor: light,
          color: '#fff',
          border: '3px solid',
          borderColor: 'background.paper',
          boxShadow: isChosen ? '0 0 0 2px var(--mui-palette-primary-main)' : 'none',
          '&:has(:focus-visible)': { outline: '2px solid var(--mui-palette-primary-main)', outlineOffset: 3 },
        },
        (theme) => theme.applyStyles('dark', { backgroundColor: dark, color: '#0B1110' }),
      ]}
    >
      <input
        type="radio"
        name={name}
        aria-label={label}
        checked={isChosen}
        onChange={onChoose}
        style={{ position: 'absolute', inset: 0, opacity: 0, margin: 0, cursor: 'pointer' }}
      />
      {isChosen && <Check size={14} strokeWidth={3} aria-hidden />}
    </Box>
  );
}
