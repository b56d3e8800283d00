import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { DraftBroadcast } from '../../../../contract/drafts.ts';
import { voiceHints } from '../../../../contract/forms/broadcast.ts';
import { surveyReplyKeys, transferKey } from '../../../../contract/forms/transfer.ts';
import { formatPhone } from '../../../../contract/phone/format-phone.ts';
import { TelephoneKey } from '../../../pieces/calls/telephone-key.tsx';

/**
 * The effect of pressing keys, and what the message has to say about it. Only the person can check that it
 * does.
 */
export function KeysCard({ draft }: { draft: DraftBroadcast }) {
  const isSurvey = draft.BroadcastType.includes('Survey');
  if (!isSurvey && !draft.IsTransfer) return null;
  return (
    <MuiCard component="section" aria-label="Keys" sx={{ px: 2, py: 1.75, display: 'grid', gap: 1.5 }}>
      <Typography variant="h3" component="h2">
        Keys they can press
      </Typography>
      {isSurvey && (
        <Line
          keys={
            <>
              <TelephoneKey>{surveyReplyKeys[0]}</TelephoneKey> to{' '}
              <TelephoneKey>{surveyReplyKeys.at(-1) ?? '*9'}</TelephoneKey>
            </>
          }
          words="An answer. People press the star key, then a number. The results count each one."
          hint={voiceHints.survey}
        />
      )}
      {draft.IsTransfer && (
        <Line
          keys={<TelephoneKey>{transferKey}</TelephoneKey>}
          words={
            draft.TransferNumber
              ? `Connects them to ${formatPhone(draft.TransferNumber.PhoneNumber)}.`
              : 'Connects them to your transfer number.'
          }
          hint={voiceHints.transfer}
        />
      )}
    </MuiCard>
  );
}

function Line({ keys, words, hint }: { keys: ReactNode; words: string; hint: string }) {
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: '92px minmax(0, 1fr)', columnGap: 1.5 }}>
      <Box sx={{ typography: 'body2', color: 'text.secondary' }}>{keys}</Box>
      <Box>
        {words}
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {hint}
        </Typography>
      </Box>
    </Box>
  );
}
