import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';

/** The table's own shape while its rows, or its code, are on the way. */
export function ContactsSkeleton({ isPhone }: { isPhone: boolean }) {
  return (
    <Box sx={{ flex: 1, minHeight: 0, overflow: 'hidden' }}>
      {isPhone ? (
        <SkeletonRows rows={8} rowHeight={65} face={36} isTwoLine label="Loading contacts" />
      ) : (
        <Box role="status" aria-label="Loading contacts">
          <Box
            sx={{
              height: 38,
              bgcolor: 'surface.sunken',
              borderBottom: '1px solid',
              borderColor: 'line.hair',
            }}
          />
          {Array.from({ length: 12 }, (_, row) => (
            <SkeletonRow key={widths[row % widths.length]?.concat(String(row)) ?? row} row={row} />
          ))}
        </Box>
      )}
    </Box>
  );
}

const widths = ['58%', '72%', '44%', '66%', '52%'];

function SkeletonRow({ row }: { row: number }) {
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: '50px 190px 134px 176px 1fr',
        alignItems: 'center',
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
    </Box>
  );
}
