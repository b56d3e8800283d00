import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { HomeBroadcast } from '../../contract/home.ts';
import { placesCalls, sendsTexts } from '../../contract/money/units.ts';
import { BroadcastMeter } from '../pieces/broadcasts/broadcast-meter.tsx';
import { BroadcastPill } from '../pieces/broadcasts/broadcast-pill.tsx';
import { labelOf, momentWords } from '../pieces/broadcasts/broadcast-words.ts';
import { useTimeZone } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { formatCount } from '../ui/format.ts';
import { useNow } from '../ui/now.ts';
import { RouterLink } from '../ui/router-link.tsx';
import { say } from '../ui/say.ts';

/** A broadcast that is going out, or is paused. */
export function LiveCard({ broadcast }: { broadcast: HomeBroadcast }) {
  const now = useNow();
  const zone = useTimeZone();
  const { BroadcastID, BroadcastName, HeldReason } = broadcast;
  const failed = broadcast.FailedTextTotal + broadcast.InvalidTextCount;
  const isCalling = placesCalls(broadcast.BroadcastType);
  const calls = [
    [broadcast.LivePersonTotal, 'live answers'],
    [broadcast.AnsweringMachineTotal, say('voicemail')],
    [broadcast.CallsUp, 'in a call'],
    [broadcast.WaitingCallTotal - broadcast.CallsUp, 'to call'],
  ] as const;
  const texts = [
    [broadcast.DeliveredTexts + broadcast.ReadCount, say('delivered', 'count')],
    [broadcast.SentTotal, 'with the carrier'],
    [broadcast.WaitingTotal, say('waiting', 'count')],
    [failed, say('failed', 'count')],
    [broadcast.RepliedTotal, say('replied', 'count')],
  ] as const;
  const figures = [...(isCalling ? calls : []), ...(sendsTexts(broadcast.BroadcastType) ? texts : [])];
  return (
    <Card>
      <Box sx={{ px: 2.5, py: 2, display: 'grid', gap: 1.5 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1.25, rowGap: 0.5 }}>
          <Typography variant="h2" sx={{ overflowWrap: 'anywhere' }}>
            {BroadcastName}
          </Typography>
          <BroadcastPill label={labelOf(broadcast, now)} />
          <Box sx={{ flex: 1 }} />
          <Typography sx={{ color: 'text.secondary' }}>
            {HeldReason || momentWords(broadcast, now, zone)}
          </Typography>
        </Box>
        <BroadcastMeter broadcast={broadcast} />
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 3.5, rowGap: 0.5 }}>
          {figures.map(([count, word]) => (
            <Typography
              key={word}
              component="span"
              sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}
            >
              <Box component="span" sx={{ fontWeight: 600, color: 'text.primary' }}>
                {formatCount(count)}
              </Box>{' '}
              {word}
            </Typography>
          ))}
          <Box sx={{ flex: 1 }} />
          <RouterLink
            to="/broadcast-details/$broadcastId"
            params={{ broadcastId: BroadcastID }}
            search={{}}
            aria-label={`View progress: ${BroadcastName}`}
          >
            View progress
          </RouterLink>
        </Box>
      </Box>
    </Card>
  );
}
