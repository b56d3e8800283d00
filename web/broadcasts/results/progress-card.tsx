import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { getBroadcastProgress } from '../../../contract/addresses/broadcasts.gen.ts';
import type { WholeBroadcast } from '../../../contract/broadcasts.ts';
import { placesCalls } from '../../../contract/money/units.ts';
import {
  finishedTexts,
  percentOf,
  type Share,
  shareWords,
  textSharesOf,
  textTotal,
} from '../../pieces/broadcasts/broadcast-counts.ts';
import { SharesMeter } from '../../pieces/broadcasts/broadcast-meter.tsx';
import { labelOf } from '../../pieces/broadcasts/broadcast-words.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { formatCount } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { type ChartPoint, ProgressChart } from './progress-chart.tsx';
import { creditWords, endWords } from './result-words.ts';

/** The progress: as a figure, as a meter, over time, and everybody's status. */
export function ProgressCard({ broadcast }: { broadcast: WholeBroadcast }) {
  return (
    <Box
      component="section"
      aria-label="Progress"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', laptop: 'minmax(0, 1fr) 292px' },
        bgcolor: 'background.paper',
        border: '1px solid',
        borderColor: 'line.hair',
        borderRadius: '10px',
      }}
    >
      <Box sx={{ px: 2.5, pt: 2, pb: 1, minWidth: 0 }}>
        <Headline broadcast={broadcast} />
        <SharesMeter shares={textSharesOf(broadcast)} total={textTotal(broadcast)} />
        <Box sx={{ mt: 2 }}>
          <Chart broadcast={broadcast} />
        </Box>
      </Box>
      <Breakdown broadcast={broadcast} />
    </Box>
  );
}

function Headline({ broadcast }: { broadcast: WholeBroadcast }) {
  const zone = useTimeZone();
  const now = useNow();
  const { CurrentPerMinute } = broadcast;
  const total = textTotal(broadcast);
  const finished = finishedTexts(broadcast);
  const label = labelOf(broadcast, now);
  // If the broadcast also calls, texts may have gone out long before the last call.
  const isUnderWay = label === 'Broadcasting' && finished < total;
  const end = isUnderWay ? endWords(broadcast, now, zone) : undefined;
  return (
    <Box
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 1.5, rowGap: 0.5, mb: 1 }}
    >
      <Typography variant="h4" component="p">
        {percentOf(finished, total)}%
      </Typography>
      <Typography sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
        <Box component="span" sx={{ color: 'text.primary', fontWeight: 550 }}>
          {formatCount(finished)} of {formatCount(total)}
        </Box>{' '}
        {placesCalls(broadcast.BroadcastType) ? 'texts finished' : 'finished'}
        {isUnderWay && CurrentPerMinute > 0 && ` · ${formatCount(CurrentPerMinute)} a minute`}
      </Typography>
      <Box sx={{ flex: 1 }} />
      {end && (
        <Typography sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
          {end.left}
          <Box component="span" sx={{ color: 'text.primary', fontWeight: 550 }}>
            {end.end}
          </Box>
        </Typography>
      )}
    </Box>
  );
}

function Chart({ broadcast }: { broadcast: WholeBroadcast }) {
  const { BroadcastID, StartDate } = broadcast;
  const now = useNow();
  const { data } = useCallQuery(getBroadcastProgress, { params: { BroadcastID } });
  const isLive = broadcast.BroadcastStatusCategory === 'Broadcasting';
  const points = useMemo(() => {
    const items = (data?.Items ?? []).map(
      ({ At, Sent, Delivered }): ChartPoint => ({ at: Date.parse(At), sent: Sent, delivered: Delivered }),
    );
    // It began with nobody, even if the first sample was taken later.
    const startedAt = StartDate === null ? undefined : Date.parse(StartDate);
    if (startedAt === undefined || startedAt > Date.now()) return items;
    const isFirstLater = items[0] === undefined || items[0].at > startedAt;
    return isFirstLater ? [{ at: startedAt, sent: 0, delivered: 0 }, ...items] : items;
  }, [data, StartDate]);
  const shown = isLive ? [...points, pointOfNow(broadcast, Math.max(now, points.at(-1)?.at ?? 0))] : points;
  if (points.length === 0) return <NotBegun isPending={!data} />;
  return (
    <ProgressChart
      points={shown}
      total={textTotal(broadcast)}
      isLive={isLive}
      expectedEnd={broadcast.EstimatedEnd === null ? undefined : Date.parse(broadcast.EstimatedEnd)}
    />
  );
}

function NotBegun({ isPending }: { isPending: boolean }) {
  return (
    <Box sx={{ minHeight: { xs: 72, laptop: 150 }, display: 'grid', placeItems: 'center', pb: 1 }}>
      {!isPending && (
        <Typography variant="body2" sx={{ color: 'text.secondary', textAlign: 'center' }}>
          Progress appears here once the first text is sent.
        </Typography>
      )}
    </Box>
  );
}

/** The counts are newer than the last sample. */
function pointOfNow(broadcast: WholeBroadcast, at: number): ChartPoint {
  const { WaitingTotal, DeliveredTexts, ReadCount } = broadcast;
  return { at, sent: textTotal(broadcast) - WaitingTotal, delivered: DeliveredTexts + ReadCount };
}

function Breakdown({ broadcast }: { broadcast: WholeBroadcast }) {
  const shares = textSharesOf(broadcast).filter(({ count, isUsual }) => isUsual || count > 0);
  return (
    <Box
      sx={{
        px: 2.5,
        py: 2,
        display: 'flex',
        flexDirection: 'column',
        borderLeft: { laptop: '1px solid' },
        borderTop: { xs: '1px solid', laptop: 0 },
        borderColor: { xs: 'line.hair', laptop: 'line.hair' },
      }}
    >
      <Box component="dl">
        {shares.map((share) => (
          <ShareRow key={share.key} share={share} total={textTotal(broadcast)} />
        ))}
      </Box>
      <Typography variant="body2" sx={{ color: 'text.secondary', mt: 'auto', pt: 2 }}>
        {/* Texts and calls share one sum of credits, which the card of the calls shows. */}
        {broadcast.CallTotal === 0 && creditWords(broadcast)}
      </Typography>
    </Box>
  );
}

export function ShareRow({ share: { label, count, color, key }, total }: { share: Share; total: number }) {
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: '1fr auto 50px',
        alignItems: 'center',
        columnGap: '10px',
        minHeight: 36,
        borderBottom: '1px solid',
        borderColor: 'line.hair',
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      <Typography component="dt" sx={{ display: 'flex', alignItems: 'center', gap: '10px' }}>
        <Box
          component="span"
          aria-hidden
          sx={{
            width: 10,
            height: 10,
            borderRadius: '3px',
            bgcolor: color,
            ...(key === 'waiting' || key === 'toCall'
              ? { border: '1px solid', borderColor: 'line.strong' }
              : {}),
            ...(key === 'retry'
              ? { border: '1px dashed', borderColor: 'ink.two', bgcolor: 'transparent' }
              : {}),
            ...(key === 'inCall'
              ? {
                  border: '2px solid',
                  borderColor: 'primary.main',
                  borderRadius: '50%',
                  bgcolor: 'transparent',
                }
              : {}),
          }}
        />
        {label}
      </Typography>
      <Typography component="dd" sx={{ fontWeight: 600 }}>
        {formatCount(count)}
      </Typography>
      <Typography
        component="dd"
        variant="body2"
        sx={{ color: 'text.secondary', textAlign: 'right', fontVariantNumeric: 'tabular-nums' }}
      >
        {shareWords(count, total)}
      </Typography>
    </Box>
  );
}
