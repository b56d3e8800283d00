import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { createSpeech, listAudio } from '../../../../contract/addresses/audio.gen.ts';
import { type Audio, audioTypeOf } from '../../../../contract/audio.ts';
import type { DraftBroadcast } from '../../../../contract/drafts.ts';
import { fieldMessages } from '../../../api.ts';
import { AudioPlayer } from '../../../pieces/audio/audio-player.tsx';
import { stopPlaying } from '../../../pieces/audio/player.ts';
import { audioProblem } from '../../../pieces/audio/send-audio.ts';
import { SpeechForm, useSpokenWords } from '../../../pieces/audio/speech-form.tsx';
import { useCall } from '../../../queries/calls.ts';
import { messageName } from './message-name.ts';
import { usePending } from './use-pending.ts';
import { type KeepPending, playerKeyOf, type VoicePart } from './voice-state.ts';

interface VoiceTypeProps {
  draft: DraftBroadcast;
  part: VoicePart;
  /** The typed message that is used now. */
  used: Audio | undefined;
  onUse: (audio: Audio) => void;
  onPending: (keep: KeepPending | undefined) => void;
}

/** Typed words and the voice that reads them. */
export function VoiceType({ draft, part, used, onUse, onPending }: VoiceTypeProps) {
  const client = useQueryClient();
  const speak = useCall(createSpeech);
  const spoken = useSpokenWords({ Text: used?.Text ?? '', VoiceID: used?.VoiceID ?? '' });
  const [error, setError] = useState<string>();
  const { Text, VoiceID } = spoken.words;
  const isUsed =
    used !== undefined &&
    used.Text?.trim() === Text.trim() &&
    used.VoiceID === VoiceID &&
    spoken.words.Rate === 1;
  const isEmpty = Text.trim() === '';
  const keep = async (): Promise<boolean> => {
    if (isUsed) return true;
    if (isEmpty) {
      setError('Message text is required');
      return false;
    }
    setError(undefined);
    stopPlaying();
    try {
      const audio = await speak.mutateAsync({
        body: { ...spoken.words, Name: messageName(draft, part), AudioType: audioTypeOf(draft) },
      });
      void client.invalidateQueries({ queryKey: [listAudio.path] });
      onUse(audio);
      return true;
    } catch (refused) {
      setError(fieldMessages(refused).Text ?? audioProblem(refused));
      return false;
    }
  };
  const press = usePending(!isUsed && !isEmpty, keep, onPending);
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <SpeechForm
        spoken={{
          ...spoken,
          change: (by) => {
            setError(undefined);
            spoken.change(by);
          },
        }}
        error={error}
        isNarrow
      />
      {isUsed ? (
        <AudioPlayer
          name={used.Name}
          playerKey={playerKeyOf(part, used)}
          source={used.PlayUri}
          peaks={used.Peaks}
          length={used.Length}
        />
      ) : (
        <Button
          variant="contained"
          color="primary"
          startIcon={<Check aria-hidden />}
          disabled={isEmpty || speak.isPending}
          onClick={() => void press()}
        >
          {speak.isPending ? 'Creating…' : 'Use this message'}
        </Button>
      )}
    </Box>
  );
}
