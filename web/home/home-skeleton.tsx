import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { Card } from '../ui/card.tsx';
import { say } from '../ui/say.ts';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { homeGrid, homeSide } from './home-page.tsx';

export function HomeSkeleton() {
  return (
    <Box sx={homeGrid}>
      <Card title="Waiting for a reply">
        <SkeletonRows rows={5} rowHeight={50} face={30} label="Loading who is waiting" />
      </Card>
      <Box sx={homeSide}>
        {[say('Today'), say('Credits')].map((title) => (
          <Card key={title} title={title}>
            <Box sx={{ px: 2.5, py: 2, display: 'grid', gap: 1.5 }}>
              <Skeleton variant="rounded" width={120} height={28} />
              <Skeleton variant="rounded" height={68} />
            </Box>
          </Card>
        ))}
      </Box>
      <Card title="Latest texts">
        <SkeletonRows rows={6} rowHeight={44} face={26} label="Loading the latest" />
      </Card>
    </Box>
  );
}
