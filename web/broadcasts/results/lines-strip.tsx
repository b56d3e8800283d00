import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { updateBroadcast } from '../../../contract/addresses/broadcasts.gen.ts';
import type { WholeBroadcast } from '../../../contract/broadcasts.ts';
import { callThrottleLabel, callThrottles } from '../../../contract/reference/sending-options.ts';
import { shownMessage } from '../../api.ts';
import { labelOf } from '../../pieces/broadcasts/broadcast-words.ts';
import { useCall } from '../../queries/calls.ts';
import { Choice } from '../../ui/choices.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';

/** More lines than this are one bar. */
const MOST_CELLS = 60;

/** "38 of 40 lines in use", with a cell for each line. Hidden once nobody is left to call. */
export function LinesStrip({ broadcast }: { broadcast: WholeBroadcast }) {
  const now = useNow();
  const { CallsUp: up, CallThrottle, IsTransfer, TransferLines, TransferLinesUp, CanChange } = broadcast;
  const { AbandonedTotal, LivePersonTotal } = broadcast;
  const share = (AbandonedTotal / Math.max(1, LivePersonTotal)) * 100;
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
      {CanChange && <LinesChoice broadcast={broadcast} />}
      {IsTransfer && (
        <Typography variant="body2" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
          {formatCount(TransferLinesUp)} of {countOf(TransferLines, 'transfer line', 'transfer lines')} in use
          {AbandonedTotal > 0 &&
            ` · ${countOf(AbandonedTotal, 'person', 'people')} found no free line (${share.toFixed(1)}% of those who answered)`}
        </Typography>
      )}
    </Box>
  );
}

/** Changes the number of calls at a time, while they are being made. */
function LinesChoice({ broadcast }: { broadcast: WholeBroadcast }) {
  const update = useCall(updateBroadcast);
  const change = async (CallThrottle: number) => {
    try {
      await update.mutateAsync({ params: { BroadcastID: broadcast.BroadcastID }, body: { CallThrottle } });
    } catch (error) {
      showSnackbar(shownMessage(error, 'There was an error updating your broadcast.'));
    }
  };
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
      <Typography
        variant="body2"
        component="label"
        htmlFor="calls-at-a-time"
        sx={{ flex: 'none', color: 'text.secondary' }}
      >
        Calls at a time
      </Typography>
      <Box sx={{ width: 112 }}>
        <Choice
          id="calls-at-a-time"
          value={String(broadcast.CallThrottle)}
          choices={callThrottles.map((each) => ({ value: String(each), label: callThrottleLabel(each) }))}
          onChange={(next) => void change(Number(next))}
        />
      </Box>
    </Box>
  );
}
