import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Volume2 } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { listVoices, previewSpeech } from '../../../contract/addresses/audio.gen.ts';
import { speechTextLength, type Voice } from '../../../contract/audio.ts';
import type { Reply } from '../../../contract/call.ts';
import { fieldMessages, shownMessage } from '../../api.ts';
import { useCall, useCallQuery } from '../../queries/calls.ts';
import { Choice } from '../../ui/choices.tsx';
import { Field, TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { AudioPlayer } from './audio-player.tsx';
import { LengthMeter } from './length-meter.tsx';
import { stopPlaying } from './player.ts';

export interface SpokenWords {
  Text: string;
  VoiceID: string;
  Rate: number;
}

const rates = [
  { value: '0.8', label: 'Slow' },
  { value: '0.9', label: 'A little slower' },
  { value: '1', label: 'Normal' },
  { value: '1.1', label: 'A little faster' },
];

const voiceKey = 'muster-voice';
/** So that one chooses a voice once. */
function recallVoice(): string {
  try {
    return localStorage.getItem(voiceKey) ?? '';
  } catch {
    return '';
  }
}

/** The typed words and the voice that reads them. `first` is what was typed before. */
export function useSpokenWords(first?: Pick<SpokenWords, 'Text' | 'VoiceID'>) {
  const voices = useCallQuery(listVoices, {}, { staleTime: 60_000 });
  const [words, setWords] = useState<SpokenWords>({
    Text: first?.Text ?? '',
    VoiceID: first?.VoiceID || recallVoice(),
    Rate: 1,
  });
  const items = voices.data?.Items ?? none;
  const VoiceID = items.some((voice) => voice.VoiceID === words.VoiceID)
    ? words.VoiceID
    : ((items.find(({ IsNatural }) => IsNatural) ?? items[0])?.VoiceID ?? '');
  const change = (by: Partial<SpokenWords>) => {
    if (by.VoiceID !== undefined) {
      try {
        localStorage.setItem(voiceKey, by.VoiceID);
      } catch {
        // Storage is full or refused: it just forgets.
      }
    }
    setWords((before) => ({ ...before, ...by }));
  };
  return { words: { ...words, VoiceID }, change, voices: items, isLoading: voices.isPending };
}
const none: readonly Voice[] = [];

interface SpeechFormProps {
  spoken: ReturnType<typeof useSpokenWords>;
  /** From saving it. */
  error?: string | undefined;
  /** In a card half as wide as a dialog. */
  isNarrow?: boolean;
}

/** "Type it": text, voice, pace, and what it sounds like. */
export function SpeechForm({ spoken, error, isNarrow = false }: SpeechFormProps) {
  const { words, change, voices } = spoken;
  const preview = useCall(previewSpeech);
  const [heard, setHeard] = useState<{ of: string; sound: Reply<typeof previewSpeech> }>();
  const asked = JSON.stringify(words);
  const sound = heard?.of === asked ? heard.sound : undefined;
  const source = useSource(sound?.Wav);
  const isEmpty = words.Text.trim() === '';
  const listen = async () => {
    stopPlaying();
    try {
      setHeard({ of: asked, sound: await preview.mutateAsync({ body: words }) });
    } catch {
      // Shown below, from the mutation.
    }
  };
  const problems = fieldMessages(preview.error);
  const previewProblem =
    preview.error &&
    (problems.Text ?? problems.VoiceID ?? shownMessage(preview.error, 'The voice service isn’t responding.'));
  const chosen = voices.find(({ VoiceID }) => VoiceID === words.VoiceID);
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <TextField
        label="Message"
        multiline
        minRows={6}
        maxRows={12}
        autoFocus={!isNarrow}
        value={words.Text}
        placeholder="Say who is calling, why, and whom to call back."
        onChange={(event) => {
          preview.reset();
          change({ Text: event.target.value });
        }}
        error={error ?? previewProblem ?? sound?.Problem ?? undefined}
        slotProps={{ input: { maxLength: speechTextLength } }}
      />
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: isNarrow ? 'repeat(2, minmax(0, 1fr))' : { xs: '1fr', sm: '1fr 150px auto' },
          alignItems: 'end',
        }}
      >
        <Field label="Voice">
          {({ id }) => (
            <Choice
              id={id}
              value={words.VoiceID}
              choices={voices.map((voice) => ({ value: voice.VoiceID, label: voiceLabel(voice) }))}
              onChange={(VoiceID) => change({ VoiceID })}
            />
          )}
        </Field>
        <Field label="Speed">
          {({ id }) => (
            <Choice
              id={id}
              value={String(words.Rate)}
              choices={rates}
              onChange={(rate) => change({ Rate: Number(rate) })}
            />
          )}
        </Field>
        <Button
          startIcon={<Volume2 aria-hidden />}
          disabled={isEmpty || words.VoiceID === '' || preview.isPending}
          onClick={() => void listen()}
        >
          {preview.isPending ? 'Creating…' : 'Listen'}
        </Button>
      </Box>
      {chosen && !chosen.IsNatural && (
        <Box sx={{ typography: 'caption', color: 'text.secondary', mt: -1 }}>
          This voice reads English. It’s clear but sounds synthetic.
        </Box>
      )}
      {sound && source && (
        <>
          <AudioPlayer
            name="the message"
            playerKey={source}
            source={source}
            peaks={sound.Peaks}
            length={sound.Length}
          />
          <LengthMeter seconds={sound.Length} />
        </>
      )}
      {!spoken.isLoading && voices.length === 0 && (
        <Notice kind="error">There was an error getting your voices.</Notice>
      )}
    </Box>
  );
}

function voiceLabel({ Name, Language, Provider }: Voice): string {
  return [Name, Language, Provider].filter((part) => part !== '').join(' · ');
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** An address for sound that came in a reply. */
function useSource(base64: string | undefined): string | undefined {
  const source = useMemo(
    () => base64 && URL.createObjectURL(new Blob([bytesOf(base64)], { type: 'audio/wav' })),
    [base64],
  );
  useEffect(
    () => () => {
      if (source) URL.revokeObjectURL(source);
    },
    [source],
  );
  return source;
}
