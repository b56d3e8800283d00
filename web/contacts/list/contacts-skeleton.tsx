import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';

/** The shape of the table while its rows or its code are loading. */
export function ContactsSkeleton({ isPhone }: { isPhone: boolean }) {
  return (
    <Box sx={{ flex: 1, minHeight: 0, overflow: 'hidden' }}>
      {isPhone ? (
        <SkeletonRows rows={ROWS} rowHeight={65} face={36} isTwoLine label="Loading contacts" />
      ) : (
        <Box role="status" aria-label="Loading contacts">
          <Box
            sx={{
              ...columns,
              height: 38,
              bgcolor: 'surface.sunken',
              borderBottom: '1px solid',
              borderColor: 'line.hair',
            }}
          >
            <span />
            {[34, 40, 48, 46].map((width) => (
              <Skeleton key={width} variant="rounded" height={10} width={width} sx={{ mx: '10px' }} />
            ))}
          </Box>
          {Array.from({ length: ROWS }, (_, row) => (
            <SkeletonRow key={widths[row % widths.length]?.concat(String(row)) ?? row} row={row} />
          ))}
        </Box>
      )}
    </Box>
  );
}

/** More rows than fit on any screen; those below its edge are cut off. */
const ROWS = 30;

/** As wide as the table's own (contacts-grid.tsx). */
const columns = {
  display: 'grid',
  gridTemplateColumns: {
    sm: '50px 190px 134px 176px 1fr',
    laptop: '50px 190px 134px 176px 1fr 108px',
    lg: '50px 190px 134px 176px 1fr 108px 156px',
  },
  alignItems: 'center',
} as const;

const widths = ['58%', '72%', '44%', '66%', '52%'];

function SkeletonRow({ row }: { row: number }) {
  return (
    <Box
      sx={{
        ...columns,
        height: 44,
        borderBottom: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      <Skeleton
        variant="rounded"
        width={18}
        height={18}
        sx={{ justifySelf: 'center', borderRadius: '5px' }}
      />
      <Box sx={{ display: 'flex', alignItems: 'center', gap: '9px', px: '10px' }}>
        <Skeleton variant="circular" width={26} height={26} sx={{ flex: 'none' }} />
        <Skeleton variant="rounded" height={12} width={widths[row % widths.length] ?? '60%'} />
      </Box>
      <Skeleton variant="rounded" height={12} width={100} sx={{ mx: '10px' }} />
      <Skeleton variant="rounded" height={12} width={78} sx={{ mx: '10px' }} />
      <Skeleton variant="rounded" height={20} width={112} sx={{ mx: '10px', borderRadius: '6px' }} />
      <Skeleton
        variant="rounded"
        height={12}
        width={56}
        sx={{ mx: '10px', display: { xs: 'none', laptop: 'block' } }}
      />
      <Skeleton
        variant="rounded"
        height={12}
        width={widths[(row + 2) % widths.length] ?? '50%'}
        sx={{ mx: '10px', display: { xs: 'none', lg: 'block' } }}
      />
    </Box>
  );
}
