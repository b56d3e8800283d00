import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';

/** Holds the pane's place while its code loads, so that the thread keeps its width. */
export function ContactSkeleton() {
  return (
    <Box
      aria-hidden
      sx={{
        width: 304,
        flex: 'none',
        bgcolor: 'background.default',
        borderLeft: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, minHeight: 60, px: 2.5 }}>
        <Skeleton variant="circular" width={36} height={36} />
        <Box sx={{ flex: 1 }}>
          <Skeleton variant="rounded" width={120} height={14} />
          <Skeleton variant="rounded" width={90} height={11} sx={{ mt: 1 }} />
        </Box>
      </Box>
      {[2, 1, 4].map((rows) => (
        <Box
          key={rows}
          sx={{
            px: 2.5,
            py: 2.25,
            borderTop: '1px solid',
            borderColor: 'line.hair',
            display: 'grid',
            gap: 1.25,
          }}
        >
          <Skeleton variant="rounded" width={80} height={14} />
          {Array.from({ length: rows }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
            <Skeleton key={row} variant="rounded" height={12} width={`${90 - row * 12}%`} />
          ))}
        </Box>
      ))}
    </Box>
  );
}
