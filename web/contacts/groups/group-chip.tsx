import Chip from '@mui/material/Chip';
import { ColorMark } from '../../ui/color-mark.tsx';

/** A group somebody is in. On a selected row the chip stands out from the tint. */
export function GroupChip({ name, color }: { name: string; color: number }) {
  return (
    <Chip
      icon={<ColorMark of="group" color={color} />}
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
