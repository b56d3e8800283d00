import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';

export interface SkeletonRowsProps {
  rows?: number;
  rowHeight?: number;
  /** The size of a round avatar at the left. */
  face?: number;
  /** Two lines per row, as in the inbox. */
  isTwoLine?: boolean;
  label?: string;
}

/** Placeholder rows while a list loads. */
export function SkeletonRows({
  rows = 8,
  rowHeight = 44,
  face,
  isTwoLine = false,
  label = 'Loading',
}: SkeletonRowsProps) {
  return (
    <Box role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <Box
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
          key={row}
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: 1.5,
            px: 2.5,
            height: rowHeight,
            borderBottom: '1px solid',
            borderColor: 'line.hair',
            '&:last-of-type': { borderBottom: 0 },
          }}
        >
          {face && <Skeleton variant="circular" width={face} height={face} sx={{ flex: 'none' }} />}
          <Box sx={{ flex: 1, minWidth: 0 }}>
            <Skeleton variant="rounded" height={12} width={`${38 + ((row * 17) % 30)}%`} />
            {isTwoLine && (
              <Skeleton variant="rounded" height={10} width={`${60 + ((row * 23) % 30)}%`} sx={{ mt: 1 }} />
            )}
          </Box>
          <Skeleton variant="rounded" height={10} width={36} sx={{ flex: 'none' }} />
        </Box>
      ))}
    </Box>
  );
}
