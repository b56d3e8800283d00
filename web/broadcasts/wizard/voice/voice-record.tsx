import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { Check, RotateCcw } from 'lucide-react';
import { type ReactNode, useCallback, useState } from 'react';
import { listAudio } from '../../../../contract/addresses/audio.gen.ts';
import { type Audio, audioTypeOf } from '../../../../contract/audio.ts';
import type { DraftBroadcast } from '../../../../contract/drafts.ts';
import { stopPlaying } from '../../../pieces/audio/player.ts';
import { Recorder } from '../../../pieces/audio/recorder.tsx';
import { audioProblem, sendAudio } from '../../../pieces/audio/send-audio.ts';
import type { Recording } from '../../../pieces/audio/use-recorder.ts';
import { Notice } from '../../../ui/notice.tsx';
import { messageName } from './message-name.ts';
import { usePending } from './use-pending.ts';
import type { KeepPending, VoicePart } from './voice-state.ts';

interface VoiceRecordProps {
  draft: DraftBroadcast;
  part: VoicePart;
  /** The recording in use. */
  chosen: ReactNode;
  onUse: (audio: Audio) => void;
  onPending: (keep: KeepPending | undefined) => void;
  onBusy: (isBusy: boolean) => void;
}

/** Records the message here. The recording is used when somebody chooses it, or continues. */
export function VoiceRecord({ draft, part, chosen, onUse, onPending, onBusy }: VoiceRecordProps) {
  const client = useQueryClient();
  const [isAgain, setAgain] = useState(false);
  const [made, setMade] = useState<{ recording: Recording; isSilenceCut: boolean }>();
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState('');
  const onRecording = useCallback((next: typeof made) => setMade(next), []);
  const keep = async (): Promise<boolean> => {
    if (!made) return true;
    setSaving(true);
    setProblem('');
    stopPlaying();
    try {
      const audio = await sendAudio({
        name: messageName(draft, part),
        file: made.recording.wav,
        origin: 'Recording',
        type: audioTypeOf(draft),
        isSilenceCut: made.isSilenceCut,
        signal: new AbortController().signal,
      });
      void client.invalidateQueries({ queryKey: [listAudio.path] });
      setAgain(false);
      setMade(undefined);
      onUse(audio);
      return true;
    } catch (error) {
      // The recording is still there, so saving can be retried.
      setProblem(audioProblem(error));
      return false;
    } finally {
      setSaving(false);
    }
  };
  const isPending = made !== undefined;
  const press = usePending(isPending, keep, onPending);
  if (chosen && !isAgain)
    return (
      <>
        {chosen}
        <Button
          startIcon={<RotateCcw aria-hidden />}
          onClick={() => setAgain(true)}
          sx={{ alignSelf: 'flex-start' }}
        >
          Record again
        </Button>
      </>
    );
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <Recorder onRecording={onRecording} onBusy={onBusy} />
      {problem !== '' && <Notice kind="error">{problem}</Notice>}
      {made && (
        <Button
          variant="contained"
          color="primary"
          startIcon={<Check aria-hidden />}
          disabled={isSaving}
          onClick={() => void press()}
        >
          {isSaving ? 'Saving…' : 'Use this recording'}
        </Button>
      )}
    </Box>
  );
}
