import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import type { Preflight } from '../../../../contract/drafts.ts';
import { useTimeZone } from '../../../queries/current-user.ts';
import { countOf, formatCount, formatDay, formatTime, zoneName } from '../../../ui/format.ts';
import { useNow } from '../../../ui/now.ts';
import { say } from '../../../ui/say.ts';
import { segmentsWords } from './preflight-words.ts';

function callCostNote({ Credits: forCalls, CreditsEach }: NonNullable<Preflight['Calls']>, forTexts: number) {
  return forTexts > 0
    ? `credits at most: ${formatCount(forCalls)} for calls, ${formatCount(forTexts)} for texts`
    : `credits at most, ${formatCount(CreditsEach)} per call`;
}

/** Four figures in one card: recipients, cost, start and end. */
export function PreflightFigures({ preflight, isNow }: { preflight: Preflight; isNow: boolean }) {
  const zone = useTimeZone();
  const now = useNow();
  const { Summary, Cost, Starts, Ends } = preflight;
  // Quiet hours may delay even the first text of a broadcast that is sent now.
  const startsNow = isNow && Date.parse(Starts) <= now + 60_000;
  const [endDay = ''] = formatDay(Ends, now, zone).split(',', 1);
  const { Calls } = preflight;
  const figures = [
    Calls
      ? {
          label: 'Calls',
          figure: formatCount(Calls.Called),
          note:
            Calls.Texted > 0
              ? `and ${countOf(Calls.Texted, 'text', 'texts')}`
              : `of ${formatCount(Summary.Total)} selected`,
        }
      : {
          label: 'People',
          figure: formatCount(Summary.Good),
          note: `of ${formatCount(Summary.Total)} selected`,
        },
    {
      label: 'Cost',
      figure: formatCount(Cost.Credits),
      note: Cost.IsFree
        ? 'Included in your plan'
        : Calls
          ? callCostNote(Calls, Cost.Credits - Calls.Credits)
          : `credits, ${segmentsWords(Cost.Segments)}`,
    },
    {
      label: 'Starts',
      figure: startsNow ? say('Now') : formatTime(Starts, zone),
      note: startsNow ? 'When you press Send' : formatDay(Starts, now, zone),
    },
    {
      label: 'Ends',
      figure: formatTime(Ends, zone),
      note: `${endDay}, ${zoneName(zone)}`,
    },
  ];
  return (
    <MuiCard
      component="dl"
      sx={{
        m: 0,
        display: 'grid',
        gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', sm: 'repeat(4, minmax(0, 1fr))' },
      }}
    >
      {figures.map(({ label, figure, note }, index) => (
        <Box
          key={label}
          sx={{
            px: { xs: 2, sm: 2.5 },
            py: 1.75,
            borderColor: 'line.hair',
            borderStyle: 'solid',
            borderWidth: 0,
            borderLeftWidth: { xs: index % 2 === 0 ? 0 : 1, sm: index === 0 ? 0 : 1 },
            borderTopWidth: { xs: index < 2 ? 0 : 1, sm: 0 },
          }}
        >
          <Typography component="dt" variant="body2" sx={{ color: 'text.secondary' }}>
            {label}
          </Typography>
          <Box component="dd" sx={{ m: 0 }}>
            <Typography variant="h4" component="p" sx={{ fontSize: { xs: 22, sm: 24 }, lineHeight: '30px' }}>
              {figure}
            </Typography>
            <Typography variant="body2" component="p" sx={{ color: 'text.secondary', mt: '2px' }}>
              {note}
            </Typography>
          </Box>
        </Box>
      ))}
    </MuiCard>
  );
}
