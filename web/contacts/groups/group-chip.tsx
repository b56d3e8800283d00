import Chip from '@mui/material/Chip';
import { ColourMark } from '../../ui/color-mark.tsx';

/** A group somebody is in. On a selected row the chip stands out from the tint. */
export function GroupChip({ name, colour }: { name: string; colour: number }) {
  return (
    <Chip
      icon={<ColourMark of="group" colour={colour} />}
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
