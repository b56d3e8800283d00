import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import type { Tag } from '../../contract/tags.ts';
import { shadesOf } from '../ui/colours.ts';

/** A tag's colour. Its name stands beside it. */
export function TagMark({ colour, className }: { colour: number; className?: string }) {
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
        sx={[
          { width: 8, height: 8, borderRadius: '2px', backgroundColor: light },
          (theme) => theme.applyStyles('dark', { backgroundColor: dark }),
        ]}
      />
    </Box>
  );
}

interface TagChipProps {
  tag: Pick<Tag, 'TagName' | 'Colour'>;
  /** 18 px high, for rows. */
  isSmall?: boolean;
  onDelete?: () => void;
}

export function TagChip({ tag, isSmall = false, onDelete }: TagChipProps) {
  return (
    <Chip
      icon={<TagMark colour={tag.Colour} />}
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
