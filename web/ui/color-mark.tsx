import Box from '@mui/material/Box';
import { ListFilter } from 'lucide-react';
import { shadesOf } from './colors.ts';

interface ColourMarkProps {
  of: 'group' | 'segment' | 'tag';
  colour: number;
  /** A chip tells its icon by it where to stand. */
  className?: string;
}

/** The colour of a group as a dot, of a segment as a funnel, of a tag as a square. The name stands beside it. */
export function ColourMark({ of, colour, className }: ColourMarkProps) {
  const { light, dark } = shadesOf(colour);
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
