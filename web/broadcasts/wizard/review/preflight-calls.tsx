import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { DraftBroadcast, Preflight } from '../../../../contract/drafts.ts';
import { formatPhone } from '../../../../contract/phone/format-phone.ts';
import { callThrottleLabel } from '../../../../contract/reference/sending-options.ts';
import { AudioPlayer } from '../../../pieces/audio/audio-player.tsx';
import { useStopOnLeave } from '../../../pieces/audio/player.ts';
import { closingWords, daysWords, hoursWords } from '../../../pieces/calls/calling-words.ts';
import { useTimeZone } from '../../../queries/current-user.ts';
import { Card } from '../../../ui/card.tsx';
import { countOf, formatCount, formatTime } from '../../../ui/format.ts';
import { say } from '../../../ui/say.ts';
import { windowOf } from '../voice/draft-window.ts';
import { laterField, playerKeyOf, type VoicePart } from '../voice/voice-state.ts';

type Calls = NonNullable<Preflight['Calls']>;

/** The caller ID, the number of people and lines, the hours, and when the last call ends. */
interface PreflightCallsProps {
  draft: DraftBroadcast;
  calls: Calls;
  isFree: boolean;
}

export function PreflightCalls({ draft, calls, isFree }: PreflightCallsProps) {
  const zone = useTimeZone();
  const window = windowOf(draft);
  const retries = draft.Retries === 0 ? 'No retries' : countOf(draft.Retries, 'retry', 'retries');
  const pace =
    calls.StartsPerSecond < 1
      ? `a call every ${Math.round(1 / calls.StartsPerSecond)} seconds`
      : `${countOf(calls.StartsPerSecond, 'new call', 'new calls')} a second`;
  return (
    <Card title="Calls">
      <Box
        component="dl"
        sx={{
          m: 0,
          display: 'grid',
          gridTemplateColumns: { xs: '1fr', sm: 'repeat(2, minmax(0, 1fr))' },
          '& > div': { px: 2.5, py: 1.5, borderTop: '1px solid', borderColor: 'line.hair', minWidth: 0 },
          '& > div:first-of-type': { borderTop: 0 },
          '& > div:nth-of-type(2)': { borderTop: { sm: 0 } },
        }}
      >
        <Fact
          name={say('Who')}
          value={say(`${countOf(calls.Called, 'person is', 'people are')} called`)}
          more={
            draft.BroadcastType.includes('SMS')
              ? `${countOf(calls.Texted, 'person is', 'people are')} texted`
              : 'Nobody is texted'
          }
        />
        <Fact
          name="Caller ID"
          value={formatPhone(calls.CallerID) || say('None')}
          more="Shown on their phones"
        />
        <Fact
          name="Calls at a time"
          value={
            draft.CallThrottle === 0
              ? `${callThrottleLabel(0)}, ${countOf(calls.Lines, 'line', 'lines')}`
              : countOf(calls.Lines, 'line', 'lines')
          }
          more={`${retries}. Your provider starts ${pace}.`}
        />
        <Fact
          name="Calling window"
          value={hoursWords(window)}
          more={`${daysWords(window.CallingWindowDays)}, your time, outside quiet hours at theirs. ${closingWords(window)}.`}
        />
        <Fact
          name="Last call ends"
          value={formatTime(calls.Ends, zone)}
          more={
            calls.Expiring > 0
              ? `${countOf(calls.Expiring, 'call doesn’t', 'calls don’t')} fit and will expire`
              : 'With these lines, also after retries'
          }
          isWarning={calls.Expiring > 0}
        />
        <Fact
          name={say('Credits')}
          value={isFree ? say('None') : say(`Up to ${formatCount(calls.Credits)}`)}
          more={
            isFree
              ? 'Calls are included in your plan'
              : `${countOf(calls.CreditsEach, 'credit', 'credits')} per call, by the longer message. Unanswered calls cost nothing.`
          }
        />
        {draft.IsTransfer && draft.TransferNumber && (
          <Fact
            name="Press 0"
            value={formatPhone(draft.TransferNumber.PhoneNumber)}
            more={`${countOf(draft.TransferLines ?? 0, 'line', 'lines')} available`}
          />
        )}
      </Box>
    </Card>
  );
}

interface FactProps {
  name: string;
  value: string;
  more: ReactNode;
  isWarning?: boolean;
}

function Fact({ name, value, more, isWarning = false }: FactProps) {
  return (
    <div>
      <Typography component="dt" variant="body2" sx={{ color: 'text.secondary' }}>
        {name}
      </Typography>
      <Box component="dd" sx={{ m: 0, fontWeight: 550, overflowWrap: 'anywhere' }}>
        {value}
      </Box>
      <Typography
        component="dd"
        variant="body2"
        sx={{ m: 0, color: isWarning ? 'warning.main' : 'text.secondary' }}
      >
        {more}
      </Typography>
    </div>
  );
}

/** The two messages, to listen to once more. */
export function PreflightMessages({ draft }: { draft: DraftBroadcast }) {
  useStopOnLeave();
  const isSame = draft.Audio !== null && draft.Audio.AudioID === draft.AudioVM?.AudioID;
  return (
    <Box sx={{ display: 'grid', gap: 1.75 }}>
      <Message draft={draft} part="Audio" title={isSame ? 'Live answer and voicemail' : 'Live answer'} />
      {!isSame && <Message draft={draft} part="AudioVM" title="Voicemail" />}
    </Box>
  );
}

function Message({ draft, part, title }: { draft: DraftBroadcast; part: VoicePart; title: string }) {
  const audio = draft[part];
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography variant="body2" sx={{ fontWeight: 550, mb: 0.75 }}>
        {title}
      </Typography>
      {draft[laterField[part]] || !audio ? (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          Recorded by phone. The broadcast waits for it.
        </Typography>
      ) : (
        <AudioPlayer
          name={title}
          playerKey={playerKeyOf(part, audio)}
          source={audio.PlayUri}
          peaks={audio.Peaks}
          length={audio.Length}
          height={26}
        />
      )}
    </Box>
  );
}
