import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { WholeBroadcast } from '../../../contract/broadcasts.ts';
import { labelOf } from '../../pieces/broadcasts/broadcast-words.ts';
import { countOf, formatCount } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';

/** More lines than this are one bar. */
const MOST_CELLS = 60;

/** "38 of 40 lines in use", a cell for each. Gone once nothing is left to call. */
export function LinesStrip({ broadcast }: { broadcast: WholeBroadcast }) {
  const now = useNow();
  const { CallsUp: up, CallThrottle, IsTransfer, TransferLines, TransferLinesUp } = broadcast;
  const label = labelOf(broadcast, now);
  if (label !== 'Broadcasting' && label !== 'Paused') return null;
  const lines = CallThrottle;
  const words =
    lines === 0
      ? `${countOf(up, 'line', 'lines')} in use`
      : `${formatCount(up)} of ${countOf(lines, 'line', 'lines')} in use`;
  return (
    <Box sx={{ mt: 1.5, display: 'grid', gap: 0.75 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5 }}>
        <Typography
          variant="body2"
          sx={{ flex: 'none', color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}
        >
          {words}
        </Typography>
        {lines > 0 && lines <= MOST_CELLS && (
          <Box role="img" aria-label={words} sx={{ flex: 1, display: 'flex', gap: '2px', minWidth: 0 }}>
            {Array.from({ length: lines }, (_, n) => (
              <Box
                // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
                key={n}
                sx={{
                  flex: '0 1 10px',
                  height: 12,
                  borderRadius: '2px',
                  bgcolor: n < up ? 'chart.one' : 'surface.track',
                }}
              />
            ))}
          </Box>
        )}
      </Box>
      {IsTransfer && (
        <Typography variant="body2" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
          {formatCount(TransferLinesUp)} of {countOf(TransferLines, 'transfer line', 'transfer lines')} in use
        </Typography>
      )}
    </Box>
  );
}
