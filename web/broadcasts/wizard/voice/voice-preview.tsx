import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { getAudio } from '../../../../contract/addresses/audio.gen.ts';
import type { DraftBroadcast } from '../../../../contract/drafts.ts';
import { transferKey } from '../../../../contract/forms/transfer.ts';
import { formatPhone } from '../../../../contract/phone/format-phone.ts';
import { usePlayer } from '../../../pieces/audio/player.ts';
import { CallHandset } from '../../../pieces/calls/call-handset.tsx';
import { useCallQuery } from '../../../queries/calls.ts';
import { useAccount, useTimeZone } from '../../../queries/current-user.ts';
import { formatTime } from '../../../ui/format.ts';
import { useNow } from '../../../ui/now.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { playerKeyOf, type VoicePart } from './voice-state.ts';

type View = VoicePart | 'text';

interface VoicePreviewProps {
  draft: DraftBroadcast;
  view: View;
  /** The telephone with the text, where one is sent too. */
  text: ReactNode | undefined;
  onView: (view: View) => void;
}

/** A telephone in the call, for a person or for voicemail; and with the text. */
export function VoicePreview({ draft, view, text, onView }: VoicePreviewProps) {
  return (
    <Box sx={{ display: 'grid', justifyItems: 'center', gap: 2 }}>
      {view === 'text' && text ? (
        text
      ) : (
        <Call draft={draft} part={view === 'AudioVM' ? 'AudioVM' : 'Audio'} />
      )}
      <Box sx={{ width: 262 }}>
        <Segmented
          label="Preview"
          value={view}
          parts={[
            { value: 'Audio', words: text ? 'Person' : 'A person answers' },
            { value: 'AudioVM', words: 'Voicemail' },
            ...(text ? [{ value: 'text' as const, words: 'Text' }] : []),
          ]}
          onChange={onView}
        />
      </Box>
      {view !== 'text' && (
        <Typography variant="body2" sx={{ color: 'text.secondary', textAlign: 'center' }}>
          {view === 'Audio' ? 'Rings for up to 25 seconds, then plays' : 'Plays after the beep'}
        </Typography>
      )}
    </Box>
  );
}

function Call({ draft, part }: { draft: DraftBroadcast; part: VoicePart }) {
  const account = useAccount();
  const zone = useTimeZone();
  const now = useNow();
  const audio = draft[part];
  const { data: whole } = useCallQuery(
    getAudio,
    { params: { AudioID: audio?.AudioID ?? 0 } },
    { enabled: audio !== null, staleTime: 60_000 },
  );
  const player = usePlayer(audio ? playerKeyOf(part, audio) : 'none', audio?.PlayUri ?? '');
  const keys = [
    ...(draft.BroadcastType.includes('Survey') ? [{ key: '*1–*9', words: 'An answer' }] : []),
    ...(draft.IsTransfer ? [{ key: transferKey, words: 'Talk to a person' }] : []),
    { key: '9', words: '“To stop these calls, press 9.”' },
  ];
  return (
    <CallHandset
      organization={account?.CompanyName ?? ''}
      callerId={formatPhone(draft.CallerID)}
      time={formatTime(draft.Starts ?? now, zone).replace(/ [AP]M$/, '')}
      text={audio ? (whole?.Text ?? undefined) : undefined}
      peaks={audio?.Peaks}
      length={audio?.Length ?? 0}
      seconds={player.seconds}
      keys={part === 'Audio' ? keys : []}
    />
  );
}
