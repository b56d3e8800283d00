import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useQueryClient } from '@tanstack/react-query';
import { AudioLines, Mic, Upload } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { createSpeech } from '../../contract/addresses/audio.gen.ts';
import { type AudioType, audioNameLength } from '../../contract/audio.ts';
import { fieldMessages } from '../api.ts';
import { stopPlaying, useStopOnLeave } from '../pieces/audio/player.ts';
import { Recorder } from '../pieces/audio/recorder.tsx';
import { audioProblem, sendAudio } from '../pieces/audio/send-audio.ts';
import { SpeechForm, useSpokenWords } from '../pieces/audio/speech-form.tsx';
import type { Recording } from '../pieces/audio/use-recorder.ts';
import { useCall } from '../queries/calls.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { DialogBody, DialogFoot, DialogHead } from '../ui/dialog-parts.tsx';
import { TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { freshenAudio } from './audio-actions.ts';
import { TypeField } from './rename-dialog.tsx';

interface NewRecordingDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onUpload: () => void;
}

/** Creates a message: recorded with the microphone, or typed and read by a voice. */
export function NewRecordingDialog({ isOpen, onClose, onUpload }: NewRecordingDialogProps) {
  const [isAsking, setAsking] = useState(false);
  /** True if closing would lose something. */
  const isUnsaved = useRef(false);
  const close = () => {
    if (isUnsaved.current) setAsking(true);
    else onClose();
  };
  const leave = () => {
    isUnsaved.current = false;
    setAsking(false);
    onClose();
  };
  return (
    <>
      <FormDialog isOpen={isOpen} onClose={close} width={560} isFullOnPhone isKeptOnClickBeside>
        <DialogHead title="New recording" onClose={close} />
        <NewRecording
          onUnsaved={(is) => {
            isUnsaved.current = is;
          }}
          onCancel={close}
          onSaved={leave}
          onUpload={onUpload}
        />
      </FormDialog>
      {isAsking && (
        <AskDialog
          title="Discard this message?"
          action="Discard"
          keep="Keep it"
          isBusy={false}
          onDo={leave}
          onClose={() => setAsking(false)}
        >
          It isn’t saved to your library yet.
        </AskDialog>
      )}
    </>
  );
}

interface NewRecordingProps {
  onUnsaved: (isUnsaved: boolean) => void;
  onCancel: () => void;
  onSaved: () => void;
  onUpload: () => void;
}

type Source = 'record' | 'type';

function NewRecording({ onUnsaved, onCancel, onSaved, onUpload }: NewRecordingProps) {
  useStopOnLeave();
  const client = useQueryClient();
  const [source, setSource] = useState<Source>('record');
  const [name, setName] = useState('');
  const [type, setType] = useState<AudioType>('announcement');
  const [made, setMade] = useState<{ recording: Recording; isSilenceCut: boolean }>();
  const spoken = useSpokenWords();
  const speak = useCall(createSpeech);
  const [isSaving, setSaving] = useState(false);
  const [problems, setProblems] = useState<{ form?: string; Name?: string; Text?: string }>({});
  const isTyped = source === 'type';
  const hasWords = spoken.words.Text.trim() !== '';
  const isUnsaved = made !== undefined || hasWords;
  useEffect(() => onUnsaved(isUnsaved), [isUnsaved, onUnsaved]);
  const onRecording = useCallback((next: typeof made) => setMade(next), []);

  const save = async () => {
    const Name = name.trim();
    const missing = {
      ...(Name === '' ? { Name: 'Enter a name' } : {}),
      ...(isTyped && !hasWords ? { Text: 'Message text is required' } : {}),
    };
    setProblems(missing);
    if (Object.keys(missing).length > 0) return;
    setSaving(true);
    stopPlaying();
    try {
      if (isTyped) await speak.mutateAsync({ body: { ...spoken.words, Name, AudioType: type } });
      else if (made) {
        await sendAudio({
          name: Name,
          file: made.recording.wav,
          origin: 'Recording',
          type,
          isSilenceCut: made.isSilenceCut,
          signal: new AbortController().signal,
        });
      }
      freshenAudio(client);
      showSnackbar(`“${Name}” was added to your library.`);
      onSaved();
    } catch (error) {
      // The recording or text is kept, and can be saved again.
      const { Text, Name: nameProblem } = fieldMessages(error);
      setProblems(
        Text || nameProblem
          ? { ...(Text ? { Text } : {}), ...(nameProblem ? { Name: nameProblem } : {}) }
          : { form: audioProblem(error) },
      );
    } finally {
      setSaving(false);
    }
  };

  return (
    <>
      <DialogBody gap={2.5} problem={problems.form}>
        <ToggleButtonGroup
          exclusive
          fullWidth
          value={source}
          aria-label="How to create the message"
          onChange={(_, next: Source | null) => {
            if (next) setSource(next);
          }}
        >
          <ToggleButton value="record" sx={{ gap: 1 }}>
            <Mic size={18} strokeWidth={1.75} aria-hidden />
            Record
          </ToggleButton>
          <ToggleButton value="type" sx={{ gap: 1 }}>
            <AudioLines size={18} strokeWidth={1.75} aria-hidden />
            Type it
          </ToggleButton>
        </ToggleButtonGroup>
        {/* Both stay mounted, so that switching between them loses nothing. */}
        <Box hidden={isTyped}>
          <Recorder
            onRecording={onRecording}
            instead={
              <>
                <Button startIcon={<Upload aria-hidden />} onClick={onUpload}>
                  Upload a file
                </Button>
                <Button startIcon={<AudioLines aria-hidden />} onClick={() => setSource('type')}>
                  Type it
                </Button>
              </>
            }
          />
        </Box>
        {isTyped && <SpeechForm spoken={spoken} error={problems.Text} />}
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 180px' } }}>
          <TextField
            label="Name"
            value={name}
            error={problems.Name}
            placeholder="Late start, two hours"
            onChange={(event) => setName(event.target.value)}
            slotProps={{ input: { maxLength: audioNameLength } }}
          />
          <TypeField type={type} onChange={setType} />
        </Box>
      </DialogBody>
      <DialogFoot
        action={isSaving ? 'Saving …' : 'Save to library'}
        isDisabled={isSaving || (isTyped ? !hasWords : made === undefined)}
        onAction={() => void save()}
        onClose={onCancel}
      />
    </>
  );
}
