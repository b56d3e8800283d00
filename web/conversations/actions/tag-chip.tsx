import Chip from '@mui/material/Chip';
import type { Tag } from '../../../contract/tags.ts';
import { ColorMark } from '../../ui/color-mark.tsx';

interface TagChipProps {
  tag: Pick<Tag, 'TagName' | 'Color'>;
  /** 18 px high, for rows. */
  isSmall?: boolean;
  onDelete?: () => void;
}

export function TagChip({ tag, isSmall = false, onDelete }: TagChipProps) {
  return (
    <Chip
      icon={<ColorMark of="tag" color={tag.Color} />}
      label={tag.TagName}
      title={tag.TagName}
      {...(onDelete ? { onDelete } : {})}
      sx={{
        minWidth: 0,
        '& .MuiChip-icon': { mr: '-2px' },
        ...(isSmall
          ? { height: 18, borderRadius: '5px', maxWidth: 92, fontSize: 11, '& .MuiChip-label': { px: '6px' } }
          : {}),
      }}
    />
  );
}
