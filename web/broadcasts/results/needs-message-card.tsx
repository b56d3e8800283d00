import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { BookMarked, PhoneCall } from 'lucide-react';
import { useState } from 'react';
import {
  callForRecording,
  listRecordings,
  setBroadcastAudio,
  setBroadcastAudioVM,
} from '../../../contract/addresses/calling.gen.ts';
import type { Audio } from '../../../contract/audio.ts';
import type { WholeBroadcast } from '../../../contract/broadcasts.ts';
import type { Recording } from '../../../contract/calling.ts';
import { typedPhone } from '../../../contract/phone/format-phone.ts';
import { AudioPicker } from '../../pieces/audio/audio-picker.tsx';
import { refusalMessage } from '../../pieces/calls/refusal-message.ts';
import { useCall, useCallQuery } from '../../queries/calls.ts';
import { useAccount, useUser } from '../../queries/current-user.ts';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { say } from '../../ui/say.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { freshenBroadcasts } from '../broadcast-queries.ts';

/** Interval at which a recording in progress is polled. */
const LOOK_MS = 3_000;

const partWords = { Audio: 'Live answer', AudioVM: say('Voicemail') } as const;

/** "Needs Message": nobody is called until the message is recorded by phone, or chosen. */
export function NeedsMessageCard({ broadcast }: { broadcast: WholeBroadcast }) {
  const { BroadcastID, CanChange } = broadcast;
  const { data } = useCallQuery(listRecordings, { params: { BroadcastID } }, { refetchInterval: LOOK_MS });
  const open = data?.Items.filter(({ State }) => State !== 'Kept') ?? [];
  return (
    <Card title="This broadcast needs its message">
      <Box sx={{ px: 2.5, py: 2, display: 'grid', gap: 2 }}>
        <Typography sx={{ color: 'text.secondary' }}>
          Nobody is called until it’s recorded. We call your phone: speak after the beep, press # when you’re
          done, and press 1 to keep it.
        </Typography>
        {open.map((recording) => (
          <Needed key={recording.ID} broadcastId={BroadcastID} recording={recording} canChange={CanChange} />
        ))}
      </Box>
    </Card>
  );
}

interface NeededProps {
  broadcastId: number;
  recording: Recording;
  canChange: boolean;
}

function Needed({ broadcastId, recording, canChange }: NeededProps) {
  const client = useQueryClient();
  const user = useUser();
  const call = useCall(callForRecording);
  const give = useCall(recording.Part === 'Audio' ? setBroadcastAudio : setBroadcastAudioVM);
  const countryId = useAccount()?.CountryID ?? 1;
  const known = recording.PhoneNumber || user?.Phone || '';
  const [phone, setPhone] = useState(() => known && typedPhone(known, countryId));
  const [problem, setProblem] = useState<string>();
  const [isPicking, setPicking] = useState(false);
  const isKeeping = recording.State === 'Keeping';
  const isCalling = recording.State === 'Calling' || isKeeping;
  const start = async () => {
    setProblem(undefined);
    try {
      await call.mutateAsync({ params: { RecordingID: recording.ID }, body: { PhoneNumber: phone } });
      await client.invalidateQueries({ queryKey: [listRecordings.path] });
    } catch (error) {
      setProblem(refusalMessage(error, 'There was an error calling your phone.'));
    }
  };
  const choose = async ({ AudioID, Name }: Audio) => {
    setPicking(false);
    try {
      await give.mutateAsync({ params: { BroadcastID: broadcastId }, body: { AudioID } });
      showSnackbar(`${partWords[recording.Part]} now plays “${Name}”.`);
      await client.invalidateQueries({ queryKey: [listRecordings.path] });
      freshenBroadcasts(client);
    } catch (error) {
      setProblem(refusalMessage(error, 'There was an error updating your broadcast.'));
    }
  };
  return (
    <Box
      component="form"
      noValidate
      aria-label={partWords[recording.Part]}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isCalling && !call.isPending) void start();
      }}
      sx={{ display: 'grid', gap: 1.5, pt: 1.5, borderTop: '1px solid', borderColor: 'line.hair' }}
    >
      <Typography variant="h3">{partWords[recording.Part]}</Typography>
      {recording.Note !== '' && <Notice kind="warning">{recording.Note}</Notice>}
      {canChange && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'flex-start' }}>
          <Box sx={{ flex: '0 1 220px' }}>
            <TextField
              label="Your phone"
              type="tel"
              autoComplete="tel"
              value={phone}
              error={problem}
              onChange={(event) => {
                setPhone(event.target.value);
                setProblem(undefined);
              }}
            />
          </Box>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: '26px' }}>
            <Button
              type="submit"
              variant="contained"
              color="primary"
              startIcon={<PhoneCall aria-hidden />}
              disabled={isCalling || call.isPending}
            >
              {isKeeping ? 'Saving it…' : isCalling ? 'Calling you…' : 'Call me to record it'}
            </Button>
            <Button startIcon={<BookMarked aria-hidden />} onClick={() => setPicking(true)}>
              Choose a recording
            </Button>
          </Box>
        </Box>
      )}
      <AudioPicker
        isOpen={isPicking}
        onClose={() => setPicking(false)}
        onPick={(audio) => void choose(audio)}
      />
    </Box>
  );
}
