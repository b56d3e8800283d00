import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { ListFilter } from 'lucide-react';
import { shadesOf } from '../ui/colours.ts';

interface GroupMarkProps {
  colour: number;
  isSegment?: boolean;
  /** A chip tells its icon by it where to stand. */
  className?: string;
}

/** A group's colour as a dot, a saved question's as a funnel. The name stands beside it. */
export function GroupMark({ colour, isSegment = false, className }: GroupMarkProps) {
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
        {isSegment ? (
          <ListFilter size={14} strokeWidth={2} />
        ) : (
          <Box component="span" sx={{ width: 8, height: 8, borderRadius: '50%', bgcolor: 'currentColor' }} />
        )}
      </Box>
    </Box>
  );
}

/** A group somebody is in. On a selected row the chip stands out from the tint. */
export function GroupChip({ name, colour }: { name: string; colour: number }) {
  return (
    <Chip
      icon={<GroupMark colour={colour} />}
      label={name}
      title={name}
      sx={{
        minWidth: 0,
        '.Mui-selected &': { bgcolor: 'surface.raised' },
        '& .MuiChip-icon': { mr: '-2px' },
      }}
    />
  );
}
