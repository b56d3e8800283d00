import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import type { DraftBroadcast } from '../../../contract/drafts.ts';
import { placesCalls } from '../../../contract/money/units.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { typeName } from '../../pieces/broadcasts/broadcast-type.ts';
import { withShortDay } from '../../pieces/broadcasts/broadcast-words.ts';
import { textNumberName } from '../../pieces/numbers/text-number-names.ts';
import { useAccount, useTimeZone } from '../../queries/current-user.ts';
import { formatCount } from '../../ui/format.ts';
import { Meter } from '../../ui/meter.tsx';
import { useNow } from '../../ui/now.ts';
import { say } from '../../ui/say.ts';
import { costWords, endsWords, recipientsWords, type SummaryWords, startsWords } from './summary-words.ts';
import { useTextNumbers } from './text-numbers.ts';

function useSummary(draft: DraftBroadcast) {
  const zone = useTimeZone();
  const now = useNow();
  const number = useTextNumbers().all.find(({ TextNumberID }) => TextNumberID === draft.TextNumberID);
  const kind = typeName(draft);
  const isCalling = placesCalls(draft.BroadcastType);
  const type: SummaryWords = isCalling
    ? {
        value: kind,
        note: draft.IsTransfer ? 'Live answer, voicemail and transfer' : 'Live answer and voicemail',
      }
    : number
      ? { value: say(`${kind} from ${textNumberName(number)}`), note: formatPhone(number.TextPhoneNumber) }
      : { value: kind, note: '' };
  return {
    type,
    recipients: recipientsWords(draft),
    starts: startsWords(draft, { now, zone }),
    ends: endsWords(draft, { now, zone }),
    cost: costWords(draft),
  };
}

/** A summary of the broadcast, filled in step by step. */
export function SummaryCard({ draft }: { draft: DraftBroadcast }) {
  const id = useId();
  const { type, recipients, starts, ends, cost } = useSummary(draft);
  const isCalling = placesCalls(draft.BroadcastType);
  const isIncluded = cost.isKnown && draft.MinCallUnitsRequired === 0;
  return (
    <MuiCard component="section" aria-labelledby={id} sx={{ px: 2.5, pt: 2, pb: 2.5 }}>
      <Typography variant="h2" id={id} sx={{ mb: 0.5 }}>
        Summary
      </Typography>
      <Box component="dl" sx={{ '& > div + div': { borderTop: '1px solid', borderColor: 'line.hair' } }}>
        <Line label="Type" words={type} />
        <Line label="Recipients" words={recipients} />
        <Line label="Starts" words={starts} />
        <Line label="Ends" words={ends} />
        <Line label="Cost" words={cost} />
      </Box>
      {cost.isKnown && <Balance credits={isCalling ? draft.MinCallUnitsRequired : draft.TextNumberCredits} />}
      {isCalling && !isIncluded && (
        <Typography variant="body2" sx={{ color: 'text.secondary', mt: 1.75 }}>
          Unanswered calls cost nothing. Their credits come back to you.
        </Typography>
      )}
    </MuiCard>
  );
}

function Line({ label, words }: { label: string; words: SummaryWords }) {
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: '76px minmax(0, 1fr)', columnGap: 1.5, py: '11px' }}>
      <Typography component="dt" variant="body2" sx={{ color: 'text.secondary', pt: '1px' }}>
        {label}
      </Typography>
      <Box component="dd" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Box sx={{ fontWeight: 520 }}>{words.value}</Box>
        {words.note && (
          <Typography variant="body2" component="div" sx={{ color: 'text.secondary', mt: '1px' }}>
            {words.note}
          </Typography>
        )}
      </Box>
    </Box>
  );
}

/** The cost, the available credits, and the rest. */
export function Balance({ credits }: { credits: number }) {
  const account = useAccount();
  if (!account || credits === 0) return null;
  // Credits reserved by other broadcasts aren't available, as on the review page.
  const balance = account.CallBalance - account.PendingCallBalance;
  const after = balance - credits;
  return (
    <Box sx={{ borderTop: '1px solid', borderColor: 'line.hair', pt: 1.75 }}>
      <Meter
        height={6}
        total={Math.max(balance, credits)}
        pieces={[{ key: 'taken', count: credits, color: after < 0 ? 'chart.fail' : 'chart.one' }]}
        sentence={`It takes ${formatCount(credits)} of ${formatCount(balance)} available credits.`}
      />
      <Box
        sx={{
          display: 'flex',
          justifyContent: 'space-between',
          gap: 1,
          mt: 1,
          typography: 'body2',
          color: 'text.secondary',
          fontVariantNumeric: 'tabular-nums',
        }}
      >
        <span>Available {formatCount(balance)}</span>
        <Box component="span" sx={after < 0 ? { color: 'error.main' } : {}}>
          {after < 0 ? `${formatCount(-after)} short` : `${formatCount(after)} left`}
        </Box>
      </Box>
    </Box>
  );
}

/** The same in one line above the bottom bar, where there is no room for a card. */
export function SummaryStrip({ draft }: { draft: DraftBroadcast }) {
  const { recipients, starts, cost } = useSummary(draft);
  const isTimeless = draft.startOption === 'START_IMMEDIATELY' || draft.StartDate === null;
  const parts = [
    recipients.value,
    isTimeless || draft.startOption === 'REPEATING' ? starts.value : `${starts.value}, ${starts.note}`,
    ...(cost.isKnown ? [cost.value] : []),
  ];
  return (
    <Typography
      variant="body2"
      component="p"
      aria-label="Summary"
      sx={{
        display: { xs: 'block', lg: 'none' },
        py: 1,
        borderBottom: '1px solid',
        borderColor: 'line.hair',
        color: 'text.secondary',
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      {withShortDay(parts.join(' · '))}
    </Typography>
  );
}
