import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { PhoneCall } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { getAudio } from '../../../../contract/addresses/audio.gen.ts';
import { createRecording, getRecording } from '../../../../contract/addresses/calling.gen.ts';
import type { Audio, AudioType } from '../../../../contract/audio.ts';
import { typedPhone } from '../../../../contract/phone/format-phone.ts';
import { callApi } from '../../../api.ts';
import { refusalMessage } from '../../../pieces/calls/refusal-message.ts';
import { useCall, useCallQuery } from '../../../queries/calls.ts';
import { useAccount, useUser } from '../../../queries/current-user.ts';
import { TextField } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';

/** Interval at which a recording call is polled. */
const LOOK_MS = 2_000;

interface CallInProps {
  type: AudioType;
  onUse: (audio: Audio) => void;
}

/** Record by phone: later, with the broadcast waiting for it, or at once. */
export function CallIn({ type, onUse }: CallInProps) {
  const user = useUser();
  const create = useCall(createRecording);
  const countryId = useAccount()?.CountryID ?? 1;
  const known = user?.Phone ?? '';
  const [phone, setPhone] = useState(() => known && typedPhone(known, countryId));
  const [problem, setProblem] = useState<string>();
  const [recordingId, setRecordingId] = useState<number>();
  const recording = useRecording(recordingId, onUse);
  const start = async () => {
    setProblem(undefined);
    try {
      setRecordingId((await create.mutateAsync({ body: { PhoneNumber: phone, AudioType: type } })).ID);
    } catch (error) {
      setProblem(refusalMessage(error, 'There was an error calling your phone.'));
    }
  };
  const isKeeping = recording?.State === 'Keeping';
  const isCalling = recording?.State === 'Waiting' || recording?.State === 'Calling' || isKeeping;
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isCalling && !create.isPending) void start();
      }}
      sx={{ display: 'grid', gap: 1.5 }}
    >
      <Notice kind="info" title="The broadcast waits for your recording">
        After you send it, its page calls your phone to record this message. Nobody is called before that.
      </Notice>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        Or record it now: we call you, you speak after the beep, press #, and press 1 to keep it.
      </Typography>
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
      <Button
        type="submit"
        startIcon={<PhoneCall aria-hidden />}
        disabled={isCalling || create.isPending}
        sx={{ justifySelf: 'start' }}
      >
        {isKeeping ? 'Saving it…' : isCalling ? 'Calling you…' : 'Call me now'}
      </Button>
      {recording?.State === 'Failed' && <Notice kind="warning">{recording.Note}</Notice>}
    </Box>
  );
}

/** Follows a recording until it is saved, and then uses it. */
function useRecording(recordingId: number | undefined, onUse: (audio: Audio) => void) {
  const { data } = useCallQuery(
    getRecording,
    { params: { RecordingID: recordingId ?? 0 } },
    { enabled: recordingId !== undefined, refetchInterval: LOOK_MS },
  );
  const use = useEffectEvent(async (AudioID: number) => {
    onUse(await callApi(getAudio, { params: { AudioID } }, { missing: 'refuse' }));
  });
  const audioId = data?.State === 'Kept' ? data.AudioID : null;
  useEffect(() => {
    if (audioId !== null) void use(audioId);
  }, [audioId]);
  return data;
}
