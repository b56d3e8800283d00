import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import FormControlLabel from '@mui/material/FormControlLabel';
import Skeleton from '@mui/material/Skeleton';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { Mic, MicOff, RotateCcw, Square } from 'lucide-react';
import { type ReactNode, useEffect, useId, useMemo, useState } from 'react';
import { timing } from '../../../contract/reference/limits.ts';
import { AUDIO_MAX_SECONDS } from '../../../contract/uploads/audio.ts';
import { Choice } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { AudioPlayer } from './audio-player.tsx';
import { formatLength } from './audio-words.ts';
import { LengthMeter } from './length-meter.tsx';
import { canRecord, type Microphone, microphoneSentences, useMicrophone } from './microphone.ts';
import { type Recording, useRecorder } from './use-recorder.ts';
import { Waveform } from './waveform.tsx';

interface RecorderProps {
  /** The recording, and whether its silence is to be cut; undefined while there is nothing to save. */
  onRecording: (made: { recording: Recording; isSilenceCut: boolean } | undefined) => void;
  /** While it starts, records or prepares: nobody should leave then. */
  onBusy?: (isBusy: boolean) => void;
  /** The alternative when there is no microphone. */
  instead?: ReactNode;
}

/** Records a message: the microphone's states, the recorder's six, a level, and a look at it before it is kept. */
export function Recorder({ onRecording, onBusy, instead }: RecorderProps) {
  const microphone = useMicrophone();
  const recorder = useRecorder();
  const [isSilenceCut, setSilenceCut] = useState(false);
  const { state, recording } = recorder;
  useEffect(() => {
    // A completely silent recording isn't worth saving.
    onRecording(state === 'review' && recording?.silence ? { recording, isSilenceCut } : undefined);
  }, [state, recording, isSilenceCut, onRecording]);
  const isBusy = state === 'starting' || state === 'recording' || state === 'processing';
  useEffect(() => {
    onBusy?.(isBusy);
    return () => onBusy?.(false);
  }, [isBusy, onBusy]);
  const again = () => {
    setSilenceCut(false);
    recorder.again();
  };
  if (state === 'review' && recording) {
    return <Review recording={recording} isSilenceCut={isSilenceCut} onCut={setSilenceCut} onAgain={again} />;
  }
  if (state === 'error') {
    return (
      <Notice kind="error" actions={<Button onClick={again}>Try again</Button>}>
        {recorder.problem}
      </Notice>
    );
  }
  if (state === 'initial')
    return <Ready microphone={microphone} onStart={recorder.start} instead={instead} />;
  const { peaks, stop, startOver } = recorder;
  return <Running {...{ state, peaks, stop, startOver }} isPrompting={microphone.state === 'prompt'} />;
}

interface ReadyProps {
  microphone: Microphone;
  onStart: (deviceId?: string) => Promise<void>;
  instead: ReactNode;
}

function Ready({ microphone, onStart, instead }: ReadyProps) {
  const [chosen, setChosen] = useState('');
  const { isKnown, state, devices } = microphone;
  if (isKnown && (state === 'no-devices' || state === 'denied')) {
    const { title, words } = microphoneSentences[canRecord() ? state : 'insecure'];
    return (
      <Notice kind="warning" icon={MicOff} title={title}>
        {words}
        {instead && <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1.5 }}>{instead}</Box>}
      </Notice>
    );
  }
  const named = devices.filter(({ deviceId, label }) => deviceId !== '' && label !== '');
  return (
    <Box sx={{ display: 'grid', justifyItems: 'center', gap: 1.5, py: 2, textAlign: 'center' }}>
      <RoundButton label="Record" onClick={() => void onStart(chosen || undefined)} isDisabled={!isKnown}>
        <Mic size={26} strokeWidth={1.75} aria-hidden />
      </RoundButton>
      <Typography variant="body2" sx={{ color: 'text.secondary', textWrap: 'balance' }}>
        {state === 'prompt'
          ? 'Your browser will ask for the microphone. Choose Allow.'
          : (named.find(({ deviceId }) => deviceId === chosen)?.label ??
            named[0]?.label ??
            'Your microphone is ready.')}
      </Typography>
      {named.length > 1 && (
        <Box sx={{ width: '100%', maxWidth: 320, textAlign: 'left' }}>
          <Field label="Microphone">
            {({ id }) => (
              <Choice
                id={id}
                value={chosen || (named[0]?.deviceId ?? '')}
                choices={named.map(({ deviceId, label }) => ({ value: deviceId, label }))}
                onChange={setChosen}
              />
            )}
          </Field>
        </Box>
      )}
    </Box>
  );
}

interface RoundButtonProps {
  label: string;
  onClick: () => void;
  isDisabled?: boolean;
  children: ReactNode;
}

/** The one large button, which starts and stops the recording. Its label is below it. */
function RoundButton({ label, onClick, isDisabled = false, children }: RoundButtonProps) {
  const id = useId();
  return (
    <Box sx={{ display: 'grid', justifyItems: 'center', gap: 1 }}>
      <ButtonBase
        aria-labelledby={id}
        disabled={isDisabled}
        onClick={onClick}
        sx={{
          width: 64,
          height: 64,
          borderRadius: '50%',
          bgcolor: 'error.main',
          color: 'background.paper',
          opacity: isDisabled ? 0.5 : 1,
          '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: '3px' },
        }}
      >
        {children}
      </ButtonBase>
      <Box component="span" id={id} sx={{ typography: 'body2', fontWeight: 550 }}>
        {label}
      </Box>
    </Box>
  );
}

interface RunningProps
  extends Pick<ReturnType<typeof useRecorder>, 'state' | 'peaks' | 'stop' | 'startOver'> {
  isPrompting: boolean;
}

/** Starting, recording and processing. */
function Running({ state, peaks, stop, startOver, isPrompting }: RunningProps) {
  const seconds = (peaks.length * timing.recorder.chunkMs) / 1000;
  const level = peaks.at(-1) ?? 0;
  const shown = useMemo(() => peaks.slice(-100), [peaks]);
  if (state === 'processing') {
    return (
      <Box role="status" aria-label="Preparing the recording" sx={{ py: 2 }}>
        <Skeleton variant="rounded" height={94} />
        <Skeleton variant="rounded" height={36} width={180} sx={{ mt: 2 }} />
      </Box>
    );
  }
  const isStarting = state === 'starting';
  return (
    <Box sx={{ display: 'grid', justifyItems: 'center', gap: 1.5, textAlign: 'center' }}>
      <Box
        role="status"
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: '7px',
          typography: 'body2',
          fontWeight: 550,
          color: isStarting ? 'text.secondary' : 'error.main',
        }}
      >
        {!isStarting && <Box sx={{ width: 8, height: 8, borderRadius: '50%', bgcolor: 'error.main' }} />}
        {isStarting
          ? isPrompting
            ? 'Allow the microphone in your browser'
            : 'Starting the microphone'
          : 'Recording'}
      </Box>
      {isStarting ? <Countdown /> : <Figure>{formatLength(seconds)}</Figure>}
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        Stops automatically at {formatLength(AUDIO_MAX_SECONDS)}
      </Typography>
      <Box sx={{ display: 'flex', alignItems: 'center', width: '100%', height: 72 }}>
        <Box sx={{ width: `${shown.length}%`, minWidth: 0 }}>
          {shown.length > 0 && <Waveform peaks={shown} height={72} played={1} />}
        </Box>
        <Box sx={{ width: 2, height: 72, flex: 'none', bgcolor: 'error.main' }} />
        <Box sx={{ flex: 1, ml: 1, borderTop: '2px dotted', borderColor: 'line.strong' }} />
      </Box>
      <LevelMeter level={level} />
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: '1fr auto 1fr',
          alignItems: 'start',
          gap: 2,
          width: '100%',
          pt: 1,
        }}
      >
        <Button
          variant="text"
          startIcon={<RotateCcw aria-hidden />}
          onClick={() => void startOver()}
          disabled={isStarting}
          sx={{ mt: '14px', justifySelf: 'end' }}
        >
          Start over
        </Button>
        <RoundButton label="Stop" onClick={() => void stop()}>
          <Square size={22} strokeWidth={1.75} fill="currentColor" aria-hidden />
        </RoundButton>
      </Box>
      <Box sx={{ width: '100%', textAlign: 'left' }}>
        <LengthMeter seconds={seconds} />
      </Box>
    </Box>
  );
}

function Figure({ children }: { children: ReactNode }) {
  return (
    <Box
      sx={{
        fontSize: 44,
        lineHeight: '48px',
        fontWeight: 620,
        letterSpacing: '-0.03em',
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      {children}
    </Box>
  );
}

/** Three, two, one: for the seconds that a phone's microphone needs. A computer's is there before it is read. */
function Countdown() {
  const [left, setLeft] = useState(3);
  useEffect(() => {
    const tick = setInterval(() => setLeft((before) => Math.max(1, before - 1)), 1200);
    return () => clearInterval(tick);
  }, []);
  return <Figure>{left}</Figure>;
}

/** Current loudness: a bar that is empty while nobody is heard. */
function LevelMeter({ level }: { level: number }) {
  // As the ear has it: half of the bar is a tenth of the loudness.
  const part = level <= 0 ? 0 : Math.max(0, Math.min(1, 1 + Math.log10(level / 255) / 2));
  const isLoud = level >= 250;
  return (
    <Box
      role="meter"
      aria-label="Loudness"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(part * 100)}
      aria-valuetext={isLoud ? 'Too loud' : part < 0.3 ? 'Very quiet' : 'Good'}
      sx={{ width: 160, height: 6, borderRadius: '3px', bgcolor: 'surface.track', overflow: 'hidden' }}
    >
      <Box
        sx={{ width: `${part * 100}%`, height: '100%', bgcolor: isLoud ? 'chart.warn' : 'primary.main' }}
      />
    </Box>
  );
}

interface ReviewProps {
  recording: Recording;
  isSilenceCut: boolean;
  onCut: (isCut: boolean) => void;
  onAgain: () => void;
}

function Review({ recording, isSilenceCut, onCut, onAgain }: ReviewProps) {
  const source = useMemo(() => URL.createObjectURL(recording.wav), [recording]);
  useEffect(() => () => URL.revokeObjectURL(source), [source]);
  const { seconds, silence, peaks } = recording;
  const [before, after] = [(silence?.beforeMs ?? 0) / 1000, (silence?.afterMs ?? 0) / 1000];
  // Less than a second is a breath.
  const canCut = before + after >= 1;
  const kept = seconds - (isSilenceCut ? before + after : 0);
  const recordAgain = (
    <Button startIcon={<RotateCcw aria-hidden />} onClick={onAgain}>
      Record again
    </Button>
  );
  if (silence === undefined) {
    return (
      <Notice kind="warning" icon={MicOff} title="Nothing was recorded" actions={recordAgain}>
        This recording is silent. Check that the right microphone is on.
      </Notice>
    );
  }
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Box
        sx={{
          p: 1.5,
          bgcolor: 'surface.sunken',
          border: '1px solid',
          borderColor: 'line.hair',
          borderRadius: '10px',
        }}
      >
        <AudioPlayer
          name="your recording"
          playerKey={source}
          source={source}
          peaks={peaks}
          length={seconds}
          height={94}
          isReview
          {...(canCut ? { silentBefore: before, silentAfter: after } : {})}
        />
      </Box>
      <LengthMeter seconds={kept} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
        {recordAgain}
        {canCut && (
          <FormControlLabel
            control={<Switch checked={isSilenceCut} onChange={(_, isOn) => onCut(isOn)} />}
            label={`Cut ${Math.round(before + after)} silent ${Math.round(before + after) === 1 ? 'second' : 'seconds'}`}
            sx={{ ml: 0, gap: 1 }}
          />
        )}
      </Box>
    </Box>
  );
}
