import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Audio, AudioType } from '../../../contract/audio.ts';
import { Notice } from '../../ui/notice.tsx';
import { visuallyHidden } from '../../ui/visually-hidden.ts';
import { acceptedAudio, audioProblem, readAudioFile, sendAudio } from './send-audio.ts';
import { TooLongDialog } from './too-long-dialog.tsx';

interface AudioUploadProps {
  type?: AudioType;
  /** One file only, where one message is wanted. */
  isSingle?: boolean;
  /** Each message that has come, also one that is too long. */
  onUploaded: (audio: Audio) => void;
}

interface Sending {
  name: string;
  /** 0 to 1; undefined while it is read here or prepared there. */
  part: number | undefined;
}

/** Takes files by a press or by dropping, sends them one after the other, and says what happened to each. */
export function AudioUpload({ type, isSingle = false, onUploaded }: AudioUploadProps) {
  const inputRef = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [sending, setSending] = useState<Sending>();
  const [problems, setProblems] = useState<{ name: string; words: string }[]>([]);
  const [tooLong, setTooLong] = useState<Audio>();
  const ending = useRef<AbortController>(undefined);
  useEffect(() => () => ending.current?.abort(), []);

  const take = async (files: readonly File[]) => {
    const end = new AbortController();
    ending.current = end;
    setProblems([]);
    for (const chosen of files) {
      setSending({ name: chosen.name, part: undefined });
      try {
        const { file, origin } = await readAudioFile(chosen);
        const audio = await sendAudio({
          name: chosen.name,
          file,
          origin,
          ...(type ? { type } : {}),
          signal: end.signal,
          // The server works on it once all of it has gone.
          onSent: (part) => setSending({ name: chosen.name, part: part < 1 ? part : undefined }),
        });
        if (audio.Problem) setTooLong(audio);
        onUploaded(audio);
      } catch (error) {
        if (end.signal.aborted) return;
        setProblems((before) => [...before, { name: chosen.name, words: audioProblem(error) }]);
      }
    }
    setSending(undefined);
  };

  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Box
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          if (!sending) void take([...event.dataTransfer.files].slice(0, isSingle ? 1 : undefined));
        }}
        sx={{
          display: 'grid',
          justifyItems: 'center',
          gap: 1.5,
          px: 2,
          py: 4,
          textAlign: 'center',
          border: '1px dashed',
          borderColor: isOver ? 'primary.main' : 'line.strong',
          borderRadius: '10px',
          bgcolor: isOver ? 'tint.accent' : 'surface.sunken',
        }}
      >
        <input
          ref={inputRef}
          type="file"
          multiple={!isSingle}
          accept={acceptedAudio}
          aria-label={isSingle ? 'Audio file' : 'Audio files'}
          tabIndex={-1}
          style={visuallyHidden}
          onChange={(event) => {
            void take([...(event.target.files ?? [])]);
            // The same file can be chosen again.
            event.target.value = '';
          }}
        />
        {sending ? (
          <Box sx={{ width: '100%', maxWidth: 320 }}>
            <Typography role="status" sx={{ mb: 1, overflowWrap: 'anywhere' }}>
              {sending.part === undefined ? 'Preparing' : 'Uploading'} {sending.name}
            </Typography>
            <LinearProgress
              aria-label={`Uploading ${sending.name}`}
              {...(sending.part === undefined ? {} : { variant: 'determinate', value: sending.part * 100 })}
            />
          </Box>
        ) : (
          <>
            <Button startIcon={<Upload aria-hidden />} onClick={() => inputRef.current?.click()}>
              {isSingle ? 'Choose a file' : 'Choose files'}
            </Button>
            <Typography variant="body2" sx={{ color: 'text.secondary', textWrap: 'balance' }}>
              MP3 or WAV, up to 50 MB and 2 minutes. Your browser converts other recordings, such as voice
              memos.
            </Typography>
          </>
        )}
      </Box>
      {problems.map(({ name, words }) => (
        <Notice key={name} kind="error" title={name}>
          {words}
        </Notice>
      ))}
      {tooLong && (
        <TooLongDialog
          audio={tooLong}
          onDone={(audio) => {
            setTooLong(undefined);
            if (audio) onUploaded(audio);
          }}
        />
      )}
    </Box>
  );
}
