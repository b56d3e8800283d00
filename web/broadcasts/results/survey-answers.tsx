import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { WholeBroadcast } from '../../../contract/broadcasts.ts';
import { shareWords } from '../../pieces/broadcasts/broadcast-counts.ts';
import { TelephoneKey } from '../../pieces/calls/telephone-key.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { RouterLink } from '../../ui/router-link.tsx';
import { readResultsSearch } from '../broadcast-address.ts';

/** The keys that people pressed, each with its count and its share of those who answered. */
export function SurveyAnswers({ broadcast }: { broadcast: WholeBroadcast }) {
  const { BroadcastID, SurveyResponses, SurveyResponseTotal, LivePersonTotal, TransferTotal } = broadcast;
  const silent = Math.max(0, LivePersonTotal - SurveyResponseTotal - TransferTotal);
  return (
    <>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'baseline', gap: 1 }}>
        <Typography variant="h3" component="h2">
          Answers
        </Typography>
        <RouterLink
          to="/broadcast-details/$broadcastId/$sub"
          params={{ broadcastId: BroadcastID, sub: 'survey-results' }}
          search={{}}
          resetScroll={false}
          variant="body2"
          sx={{ fontWeight: 600 }}
        >
          All Survey Results
        </RouterLink>
      </Box>
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
        {formatCount(SurveyResponseTotal)} of {countOf(LivePersonTotal, 'person', 'people')} answered
      </Typography>
      <Box
        component="ul"
        aria-label="Answers"
        sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1.25 }}
      >
        {SurveyResponses.map(({ ID, Label, Count }) => (
          <Box component="li" key={ID}>
            <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, fontVariantNumeric: 'tabular-nums' }}>
              <TelephoneKey>{Label}</TelephoneKey>
              <RouterLink
                to="/broadcast-details/$broadcastId/$sub"
                params={{ broadcastId: BroadcastID, sub: 'survey-results' }}
                search={readResultsSearch({ answer: Label })}
                resetScroll={false}
                color="inherit"
                sx={{ flex: 1, minWidth: 0, fontWeight: 400 }}
              >
                Pressed {Label}
              </RouterLink>
              <Box component="span" sx={{ fontWeight: 600 }}>
                {formatCount(Count)}
              </Box>
              <Box
                component="span"
                sx={{ typography: 'body2', color: 'text.secondary', width: 52, textAlign: 'right' }}
              >
                {shareWords(Count, SurveyResponseTotal)}
              </Box>
            </Box>
            <Box
              aria-hidden
              sx={{ mt: '6px', height: 6, borderRadius: '3px', bgcolor: 'surface.track', overflow: 'hidden' }}
            >
              <Box
                sx={{
                  width: `${(100 * Count) / Math.max(1, SurveyResponseTotal)}%`,
                  height: '100%',
                  bgcolor: 'chart.one',
                }}
              />
            </Box>
          </Box>
        ))}
      </Box>
      <Box component="dl" sx={{ m: 0, mt: 1.5, '& > div': line }}>
        {broadcast.IsTransfer && (
          <div>
            <Box component="dt" sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
              <TelephoneKey>0</TelephoneKey> Connected to a person
            </Box>
            <dd>{formatCount(TransferTotal)}</dd>
          </div>
        )}
        <div>
          <dt>Without an answer</dt>
          <dd>{formatCount(silent)}</dd>
        </div>
      </Box>
    </>
  );
}

const line = {
  display: 'flex',
  justifyContent: 'space-between',
  alignItems: 'center',
  gap: 1,
  minHeight: 36,
  borderTop: '1px solid',
  borderColor: 'line.hair',
  fontVariantNumeric: 'tabular-nums',
  '& dd': { m: 0, fontWeight: 600 },
} as const;
