import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Card } from '../ui/card.tsx';
import { countOf, formatCount } from '../ui/format.ts';
import { Meter } from '../ui/meter.tsx';
import type { Home } from './home-page.tsx';

/** Today's texts: attempted, delivered, failed and received. */
export function TodayCard({ today }: { today: Home['Today'] }) {
  const { Sent, Refused, Delivered, Failed, Received } = today;
  const attempted = Sent + Refused;
  const withCarrier = Math.max(0, attempted - Delivered - Failed);
  return (
    <Card title="Today">
      <Box sx={{ px: 2.5, py: 2 }}>
        <Meter
          total={attempted}
          sentence={`${countOf(attempted, 'text', 'texts')} attempted today: ${formatCount(Delivered)} delivered, ${formatCount(withCarrier)} with the carrier, ${formatCount(Failed)} failed.`}
          pieces={[
            { key: 'delivered', count: Delivered, color: 'chart.one' },
            { key: 'carrier', count: withCarrier, color: 'chart.two' },
            { key: 'failed', count: Failed, color: 'chart.fail' },
          ]}
        />
        <Box
          component="dl"
          sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', columnGap: 2, rowGap: 1.5, mt: 2 }}
        >
          <Figure label="Attempted" count={attempted} />
          <Figure label="Delivered" count={Delivered} />
          <Figure label="Failed" count={Failed} isBad={Failed > 0} />
          <Figure label="Received" count={Received} />
        </Box>
      </Box>
    </Card>
  );
}

function Figure({ label, count, isBad = false }: { label: string; count: number; isBad?: boolean }) {
  return (
    <div>
      <Typography variant="body2" component="dt" sx={{ color: isBad ? 'error.main' : 'text.secondary' }}>
        {label}
      </Typography>
      <Typography variant="h5" component="dd" sx={{ color: isBad ? 'error.main' : 'text.primary' }}>
        {formatCount(count)}
      </Typography>
    </div>
  );
}
