import Box from '@mui/material/Box';
import { limits } from '../../contract/reference/limits.ts';
import { formatCount } from './format.ts';

interface TabWordsProps {
  name: string;
  count: number | undefined;
  /** Also shows a zero. */
  showsNone?: boolean;
  fontSize?: number;
}

/** "18,420", "999,999+" */
function cappedCount(count: number): string {
  return count > limits.countDisplay ? `${formatCount(limits.countDisplay)}+` : formatCount(count);
}

/** A tab's label and count. */
export function TabWords({ name, count, showsNone = false, fontSize }: TabWordsProps) {
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        alignItems: 'baseline',
        gap: '6px',
        ...(fontSize === undefined ? {} : { fontSize }),
      }}
    >
      {name}
      {count !== undefined && (count > 0 || showsNone) && (
        <Box
          component="span"
          sx={{
            typography: 'caption',
            fontWeight: 500,
            fontVariantNumeric: 'tabular-nums',
            color: 'ink.three',
            '.Mui-selected &': { color: 'primary.main' },
          }}
        >
          {cappedCount(count)}
        </Box>
      )}
    </Box>
  );
}
