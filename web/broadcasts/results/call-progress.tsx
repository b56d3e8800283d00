import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { WholeBroadcast } from '../../../contract/broadcasts.ts';
import { sendsTexts } from '../../../contract/money/units.ts';
import { callSharesOf, finishedCalls, percentOf } from '../../pieces/broadcasts/broadcast-counts.ts';
import { SharesMeter } from '../../pieces/broadcasts/broadcast-meter.tsx';
import { labelOf } from '../../pieces/broadcasts/broadcast-words.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { formatCount } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { CallChart } from './call-chart.tsx';
import { LinesStrip } from './lines-strip.tsx';
import { ShareRow } from './progress-card.tsx';
import { creditWords, endWords } from './result-words.ts';
import { SurveyAnswers } from './survey-answers.tsx';

/** The progress of the calls: as a figure, as a meter, by the minute, and everybody's status. */
export function CallProgressCard({ broadcast }: { broadcast: WholeBroadcast }) {
  const isSurvey = broadcast.BroadcastType.includes('Survey');
  return (
    <Box
      component="section"
      aria-label="Calls"
      sx={{
        display: 'grid',
        gridTemplateColumns: {
          xs: 'minmax(0, 1fr)',
          laptop: 'minmax(0, 1fr) 272px',
          lg: isSurvey ? 'minmax(0, 1fr) 272px 264px' : 'minmax(0, 1fr) 272px',
        },
        bgcolor: 'background.paper',
        border: '1px solid',
        borderColor: 'line.hair',
        borderRadius: '10px',
      }}
    >
      <Box sx={{ px: 2.5, pt: 2, pb: 1, minWidth: 0 }}>
        <Headline broadcast={broadcast} />
        <SharesMeter shares={callSharesOf(broadcast)} total={broadcast.CallTotal} />
        <LinesStrip broadcast={broadcast} />
        <CallChart broadcast={broadcast} />
      </Box>
      <Side>
        <Figures broadcast={broadcast} />
      </Side>
      {isSurvey && (
        <Side isLast>
          <SurveyAnswers broadcast={broadcast} />
        </Side>
      )}
    </Box>
  );
}

function Side({ isLast = false, children }: { isLast?: boolean; children: ReactNode }) {
  return (
    <Box
      sx={{
        px: 2.5,
        py: 2,
        minWidth: 0,
        display: 'flex',
        flexDirection: 'column',
        borderStyle: 'solid',
        borderColor: 'line.hair',
        borderWidth: isLast ? { xs: '1px 0 0', lg: '0 0 0 1px' } : { xs: '1px 0 0', laptop: '0 0 0 1px' },
        // Below the other two where three don't fit side by side.
        ...(isLast ? { gridColumn: { laptop: '1 / -1', lg: 'auto' } } : {}),
      }}
    >
      {children}
    </Box>
  );
}

function Headline({ broadcast }: { broadcast: WholeBroadcast }) {
  const zone = useTimeZone();
  const now = useNow();
  const { CallTotal: total, CurrentPerMinute } = broadcast;
  const finished = finishedCalls(broadcast);
  const isLive = labelOf(broadcast, now) === 'Broadcasting';
  const end = isLive ? endWords(broadcast, now, zone) : undefined;
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
        {sendsTexts(broadcast.BroadcastType) ? 'calls finished' : 'finished'}
        {isLive && CurrentPerMinute > 0 && ` · ${formatCount(CurrentPerMinute)} a minute`}
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

function Figures({ broadcast }: { broadcast: WholeBroadcast }) {
  const shares = callSharesOf(broadcast).filter(({ count, isUsual }) => isUsual || count > 0);
  return (
    <>
      <Box component="dl" sx={{ m: 0 }}>
        {shares.map((share) => (
          <ShareRow key={share.key} share={share} total={broadcast.CallTotal} />
        ))}
      </Box>
      <Typography variant="body2" sx={{ color: 'text.secondary', mt: 'auto', pt: 2 }}>
        {creditWords(
          broadcast,
          sendsTexts(broadcast.BroadcastType) ? 'unsent texts and unanswered calls' : 'unanswered calls',
        )}
      </Typography>
    </>
  );
}
