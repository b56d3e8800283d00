import Box from '@mui/material/Box';
import { ListFilter } from 'lucide-react';
import { shadesOf } from './colors.ts';

interface ColorMarkProps {
  of: 'group' | 'segment' | 'tag';
  color: number;
  /** Passed by Chip to position its icon. */
  className?: string;
}

/** The color of a group as a dot, of a segment as a funnel, of a tag as a square. The name is next to it. */
export function ColorMark({ of, color, className }: ColorMarkProps) {
  const { light, dark } = shadesOf(color);
  return (
    <Box
      component="span"
      aria-hidden
      {...(className === undefined ? {} : { className })}
      sx={{ flex: 'none', display: 'inline-grid', placeItems: 'center' }}
    >
      <Box
        component="span"
        sx={[{ display: 'inline-grid', color: light }, (theme) => theme.applyStyles('dark', { color: dark })]}
      >
        {of === 'segment' ? (
          <ListFilter size={14} strokeWidth={2} />
        ) : (
          <Box
            component="span"
            sx={{
              width: 8,
              height: 8,
              borderRadius: of === 'tag' ? '2px' : '50%',
              bgcolor: 'currentColor',
            }}
          />
        )}
      </Box>
    </Box>
  );
}
