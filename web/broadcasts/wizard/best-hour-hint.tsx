import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Lightbulb } from 'lucide-react';
import { getBestHour } from '../../../contract/addresses/broadcasts.gen.ts';
import { formatClockTime } from '../../../contract/time/clock-time.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { clockWords } from '../../ui/clock-words.ts';
import { countOf } from '../../ui/format.ts';

/**
 * Hour at which this organization's texts got the most replies, once there is enough data, and a button that sets
 * that time.
 */
export function BestHourHint({ onChoose }: { onChoose: (time: string) => void }) {
  const { data } = useCallQuery(getBestHour, {});
  if (!data || data.Hour === null) return null;
  const hour = formatClockTime({ Hour: data.Hour, Minute: 0 });
  const time = clockWords(hour);
  return (
    <Box sx={{ display: 'flex', gap: 1.25, alignItems: 'flex-start' }}>
      <Box aria-hidden sx={{ color: 'primary.main', mt: '2px' }}>
        <Lightbulb size={18} strokeWidth={1.75} />
      </Box>
      <Typography variant="body2" sx={{ flex: 1, color: 'text.secondary' }}>
        Texts you sent around {time} got {data.RepliesPer100} replies per 100, compared with{' '}
        {data.UsualPer100} usually ({countOf(data.BroadcastCount, 'broadcast', 'broadcasts')} in the last{' '}
        {data.Days} days).
      </Typography>
      <Button size="small" variant="text" onClick={() => onChoose(hour)}>
        Use {time}
      </Button>
    </Box>
  );
}
