import Box from '@mui/material/Box';
import type { QuickSendPreview } from '../../../contract/quick-send.ts';
import { countOf, formatCount, formatDay, formatTime } from '../../ui/format.ts';

/** "3 people", or "3 of 4 people" where somebody is left out. */
export function peopleWords({ Good, Total }: QuickSendPreview): string {
  return Good === Total
    ? countOf(Good, 'person', 'people')
    : `${formatCount(Good)} of ${countOf(Total, 'person', 'people')}`;
}

/** Segments and credits; red where the credits don't reach. */
export function SendCost({ preview: { Cost: cost, Good } }: { preview: QuickSendPreview }) {
  if (Good === 0) return null;
  const segments = cost.Segments.map(({ Segments }) => Segments);
  const each =
    segments.length === 1
      ? Good === 1
        ? countOf(segments[0] ?? 1, 'segment', 'segments')
        : `${countOf(segments[0] ?? 1, 'segment', 'segments')} each`
      : `${Math.min(...segments)} to ${Math.max(...segments)} segments`;
  if (cost.IsFree) return <span>{each}, no credits</span>;
  return (
    <Box component="span" sx={{ color: cost.After < 0 ? 'error.main' : 'inherit' }}>
      {each}, {countOf(cost.Credits, 'credit', 'credits')}
      {cost.After < 0 && ` (you have ${formatCount(cost.Balance - cost.Reserved)})`}
    </Box>
  );
}

/** Quiet hours may hold it until the morning. */
export function startWords({ Starts, Good }: QuickSendPreview, now: number, zone: string): string {
  if (Good === 0) return '';
  const startMs = Date.parse(Starts);
  if (startMs <= now + 60_000) return 'Sends now';
  return `Quiet hours: sends ${formatDay(Starts, now, zone)} at ${formatTime(Starts, zone)}`;
}
