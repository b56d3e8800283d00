import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiCard from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { Info, Scissors } from 'lucide-react';
import { type ReactNode, useCallback, useId, useState } from 'react';
import { getAudio, updateAudio } from '../../../../contract/addresses/audio.gen.ts';
import { type Audio, audioTypeOf } from '../../../../contract/audio.ts';
import type { DraftBroadcast } from '../../../../contract/drafts.ts';
import { voiceUnits } from '../../../../contract/money/units.ts';
import { shownMessage } from '../../../api.ts';
import { AudioPicker } from '../../../pieces/audio/audio-picker.tsx';
import { AudioPlayer } from '../../../pieces/audio/audio-player.tsx';
import { AudioUpload } from '../../../pieces/audio/audio-upload.tsx';
import { LengthMeter } from '../../../pieces/audio/length-meter.tsx';
import { useCall, useCallQuery } from '../../../queries/calls.ts';
import { Notice } from '../../../ui/notice.tsx';
import { showSnackbar } from '../../../ui/snackbar.tsx';
import { CallIn } from './call-in.tsx';
import { SourceTiles, type VoiceSource } from './source-tiles.tsx';
import { VoiceRecord } from './voice-record.tsx';
import {
  costlySilence,
  type KeepPending,
  laterField,
  lengthProblem,
  playerKeyOf,
  type VoicePart,
} from './voice-state.ts';
import { VoiceType } from './voice-type.tsx';

interface VoiceCardProps {
  draft: DraftBroadcast;
  part: VoicePart;
  title: string;
  /** Description of when the message is played. */
  when: string;
  /** The missing input, shown once somebody tried to continue. */
  error: string | undefined;
  /** Reason why a message can't be recorded by phone. */
  noCallIn: string | undefined;
  /** It uses the other card's message, so nothing is made here. */
  isSame: boolean;
  /** Below the message: whether it is the same as the other one. */
  children?: ReactNode;
  onUse: (part: VoicePart, audio: Audio, source: VoiceSource) => void;
  onLater: (part: VoicePart, isLater: boolean) => void;
  /** Input that has to be saved before the step is left. */
  onPending: (part: VoicePart, keep: KeepPending | undefined) => void;
  onBusy: (part: VoicePart, isBusy: boolean) => void;
}

/** One of the two messages: five ways to make it, what it is now, and what it costs. */
export function VoiceCard(props: VoiceCardProps) {
  const { draft, part, title, when, error, noCallIn, isSame, children, onUse, onLater } = props;
  const id = useId();
  const chosen = draft[part];
  const isLater = draft[laterField[part]];
  const whole = useCallQuery(
    getAudio,
    { params: { AudioID: chosen?.AudioID ?? 0 } },
    { enabled: chosen !== null, staleTime: 60_000 },
  ).data;
  const [asked, setAsked] = useState<VoiceSource>();
  const [isPicking, setPicking] = useState(false);
  const source = isLater ? 'call in' : (asked ?? (chosen ? sourceOf(draft, part, whole) : undefined));
  const choose = (next: VoiceSource) => {
    if (next === 'library') setPicking(true);
    setAsked(next);
    if ((next === 'call in') !== isLater) onLater(part, next === 'call in');
  };
  const use = (audio: Audio, from: VoiceSource) => {
    setAsked(from);
    onUse(part, audio, from);
  };
  const problem = lengthProblem(draft, part);
  return (
    <MuiCard
      component="section"
      aria-labelledby={id}
      sx={{ display: 'flex', flexDirection: 'column', minWidth: 0 }}
    >
      <Box sx={{ flex: 1, p: 2, display: 'flex', flexDirection: 'column', gap: 1.75, minWidth: 0 }}>
        <Box sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'baseline', gap: 1 }}>
          <Typography variant="h3" component="h2" id={id}>
            {title}
          </Typography>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {when}
          </Typography>
        </Box>
        {!isSame && (
          <SourceTiles
            label={`${title}: how to make the message`}
            value={source}
            noCallIn={noCallIn}
            onChange={choose}
          />
        )}
        {isSame ? (
          <Chosen draft={draft} part={part} whole={whole} />
        ) : (
          <Body {...props} source={source} whole={whole} onUsed={use} onPick={() => setPicking(true)} />
        )}
        {children}
      </Box>
      <LengthBand draft={draft} part={part} problem={problem} error={error} />
      {whole && !isLater && (
        <SilenceNotice audio={whole} onCut={(audio) => use(audio, source ?? 'library')} />
      )}
      <AudioPicker
        isOpen={isPicking}
        onClose={() => setPicking(false)}
        onPick={(audio) => {
          setPicking(false);
          use(audio, 'library');
        }}
      />
    </MuiCard>
  );
}

/** The tile that a saved message belongs to. */
function sourceOf(draft: DraftBroadcast, part: VoicePart, whole: Audio | undefined): VoiceSource | undefined {
  const option = part === 'Audio' ? draft.voiceOption : draft.voiceType;
  if (option === 'select message') return 'library';
  if (!whole) return undefined;
  return ({ Speech: 'type', Recording: 'record', Upload: 'upload', Converted: 'upload' } as const)[
    whole.Origin
  ];
}

type BodyProps = VoiceCardProps & {
  source: VoiceSource | undefined;
  whole: Audio | undefined;
  onUsed: (audio: Audio, from: VoiceSource) => void;
  onPick: () => void;
};

/** The content of the chosen tile. */
function Body(props: BodyProps) {
  const { draft, part, source, whole, onUsed, onPick, onPending, onBusy } = props;
  const setPending = useCallback((keep: KeepPending | undefined) => onPending(part, keep), [onPending, part]);
  const setBusy = useCallback((isBusy: boolean) => onBusy(part, isBusy), [onBusy, part]);
  const chosen = draft[part];
  switch (source) {
    case 'record':
      return (
        <VoiceRecord
          draft={draft}
          part={part}
          chosen={
            chosen && (!whole || whole.Origin === 'Recording') ? (
              <Chosen draft={draft} part={part} whole={whole} isReview />
            ) : undefined
          }
          onUse={(audio) => onUsed(audio, 'record')}
          onPending={setPending}
          onBusy={setBusy}
        />
      );
    case 'type':
      // Starts with the words of the message in use.
      return chosen && !whole ? (
        <Chosen draft={draft} part={part} whole={whole} />
      ) : (
        <VoiceType
          key={whole?.Origin === 'Speech' ? whole.AudioID : 'new'}
          draft={draft}
          part={part}
          used={whole?.Origin === 'Speech' ? whole : undefined}
          onUse={(audio) => onUsed(audio, 'type')}
          onPending={setPending}
        />
      );
    case 'upload':
      return (
        <>
          {chosen && whole?.Origin !== 'Speech' && whole?.Origin !== 'Recording' && (
            <Chosen draft={draft} part={part} whole={whole} />
          )}
          <AudioUpload
            isSingle
            type={audioTypeOf(draft)}
            onUploaded={(audio) => {
              if (audio.Problem === null) onUsed(audio, 'upload');
            }}
          />
        </>
      );
    case 'library':
      return (
        <>
          {chosen && <Chosen draft={draft} part={part} whole={whole} />}
          <Button onClick={onPick} sx={{ alignSelf: 'flex-start' }}>
            {chosen ? 'Choose another recording' : 'Choose a recording'}
          </Button>
        </>
      );
    case 'call in':
      // A message that was recorded now is like one recorded here; only one that is still to come is called in.
      return <CallIn type={audioTypeOf(draft)} onUse={(audio) => onUsed(audio, 'record')} />;
    case undefined:
      return chosen ? (
        <Chosen draft={draft} part={part} whole={whole} />
      ) : (
        <Typography variant="body2" sx={{ color: 'text.secondary', py: 2, textAlign: 'center' }}>
          Choose how to make this message.
        </Typography>
      );
  }
}

interface ChosenProps {
  draft: DraftBroadcast;
  part: VoicePart;
  whole: Audio | undefined;
  isReview?: boolean;
}

/** The message that is used, to listen to. */
function Chosen({ draft, part, whole, isReview = false }: ChosenProps) {
  const audio = draft[part];
  if (draft[laterField[part]])
    return (
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        Recorded by phone after you send it.
      </Typography>
    );
  if (!audio)
    return (
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        There’s no message yet.
      </Typography>
    );
  return (
    <Box>
      <Box sx={{ fontWeight: 550, overflowWrap: 'anywhere' }}>{audio.Name}</Box>
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
        {whole ? originWords[whole.Origin] : 'From your audio library'}
      </Typography>
      <AudioPlayer
        name={audio.Name}
        playerKey={playerKeyOf(part, audio)}
        source={audio.PlayUri}
        peaks={audio.Peaks}
        length={audio.Length}
        isReview={isReview}
        {...(whole && costlySilence(whole)
          ? { silentBefore: whole.SilenceBefore, silentAfter: whole.SilenceAfter }
          : {})}
      />
    </Box>
  );
}

const originWords: Record<Audio['Origin'], string> = {
  Upload: 'Uploaded file',
  Converted: 'Uploaded file',
  Recording: 'Recorded with a microphone or by phone',
  Speech: 'Read by a synthetic voice',
};

interface LengthBandProps {
  draft: DraftBroadcast;
  part: VoicePart;
  problem: string | undefined;
  error: string | undefined;
}

function LengthBand({ draft, part, problem, error }: LengthBandProps) {
  const audio = draft[laterField[part]] ? null : draft[part];
  const wrong = problem ?? error;
  return (
    <Box sx={{ px: 2, py: 1.75, borderTop: '1px solid', borderColor: 'line.hair' }}>
      <LengthMeter seconds={audio?.Length ?? 0} />
      {wrong !== undefined && (
        <Typography
          variant="body2"
          role="alert"
          tabIndex={-1}
          data-step-error
          sx={{ color: 'error.main', mt: 1, '&:focus': { outline: 'none' } }}
        >
          {wrong}
        </Typography>
      )}
      <Box
        sx={{
          display: 'flex',
          gap: 1.25,
          mt: 1.25,
          typography: 'body2',
          color: 'text.secondary',
          '& svg': { flex: 'none', mt: '1px' },
        }}
      >
        <Info size={16} strokeWidth={1.75} aria-hidden />
        <span>Up to 2:00 long. Each 30 seconds, or part of it, is one credit per call.</span>
      </Box>
    </Box>
  );
}

/** "4 silent seconds double the cost", with a way to remove them. */
function SilenceNotice({ audio, onCut }: { audio: Audio; onCut: (audio: Audio) => void }) {
  const cut = useCall(updateAudio);
  const [isKept, setKept] = useState(false);
  const silence = costlySilence(audio);
  if (!silence || isKept || audio.ReadOnly) return null;
  const units = voiceUnits(audio.Length);
  const effect = silence.saved * 2 === units ? 'double the cost' : `cost ${silence.saved} more per call`;
  return (
    <Notice isBand kind="warning" title={`${silence.seconds} silent seconds ${effect}`}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1 }}>
        <Button size="small" variant="text" onClick={() => setKept(true)}>
          Keep them
        </Button>
        <Button
          size="small"
          startIcon={<Scissors aria-hidden />}
          disabled={cut.isPending}
          onClick={() =>
            void cut
              .mutateAsync({ params: { AudioID: audio.AudioID }, body: { SilenceCut: true } })
              .then(onCut)
              .catch((error: unknown) =>
                showSnackbar(shownMessage(error, 'There was an error updating your recording.')),
              )
          }
        >
          Cut the silence
        </Button>
      </Box>
    </Notice>
  );
}
