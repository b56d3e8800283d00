import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { ArrowRight, CircleAlert, CircleCheck } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Audio } from '../../../../contract/audio.ts';
import { fieldErrors } from '../../../../contract/fields/form.ts';
import { broadcastMessagesForm } from '../../../../contract/forms/broadcast.ts';
import { sendsTexts } from '../../../../contract/money/units.ts';
import type { VoiceOption } from '../../../../contract/states/broadcast-wizard.ts';
import { formatLength } from '../../../pieces/audio/audio-words.ts';
import { useStopOnLeave } from '../../../pieces/audio/player.ts';
import { say } from '../../../ui/say.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { SwitchRow } from '../../../ui/switch-row.tsx';
import { StepHead } from '../../../ui/wizard-frame.tsx';
import type { StepProps } from '../draft-state.ts';
import { focusFirstError } from '../focus-error.ts';
import { useTextPart } from '../message/text-part.tsx';
import { WriteOrPreview } from '../message/write-or-preview.tsx';
import { StepLayout } from '../step-layout.tsx';
import { useWizard } from '../wizard-context.ts';
import { CallFacts } from './call-facts.tsx';
import { KeysCard } from './keys-card.tsx';
import type { VoiceSource } from './source-tiles.tsx';
import { VoiceCard } from './voice-card.tsx';
import { VoicePreview } from './voice-preview.tsx';
import {
  chosenVoice,
  type KeepPending,
  laterField,
  lengthProblem,
  optionField,
  type VoicePart,
  wordsProblem,
} from './voice-state.ts';
import { VoiceTest } from './voice-test.tsx';

type View = VoicePart | 'text';

/** Step 3 of a broadcast that calls: the message for people, the one for voicemail, and the text. */
export function VoiceStep(props: StepProps) {
  const { draft, save, flush } = props;
  useStopOnLeave();
  const { goTo, tried } = useWizard();
  const [isTried, setTried] = useState(tried === 3);
  useEffect(() => {
    if (tried === 3) focusFirstError();
  }, [tried]);
  const isNarrow = useMediaQuery((theme) => theme.breakpoints.down('md'));
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'));
  const [tab, setTab] = useState<'write' | 'preview'>('write');
  const hasText = sendsTexts(draft.BroadcastType);
  const text = useTextPart({ ...props, isTried, hasFocus: false });
  const voice = useVoice({ draft, save });
  const errors = voiceErrors(draft);
  const [view, setView] = useState<View>(errors.Audio === undefined && errors.AudioVM ? 'AudioVM' : 'Audio');
  const [isKeeping, setKeeping] = useState(false);

  const next = async () => {
    setTried(true);
    setTab('write');
    if (hasText && text.isUploading) return;
    setKeeping(true);
    // A recording or words that aren't used yet are used now, so that nobody loses them by continuing.
    const wrong = (await voice.keepPending()) ?? voice.firstWrong();
    setKeeping(false);
    // On a phone the other one of the two messages may be shown.
    if (wrong !== undefined) setView(wrong);
    if (wrong !== undefined || (hasText && text.isWrong)) focusFirstError();
    else goTo(4);
  };

  const cards = (['Audio', 'AudioVM'] as const).map((part) => (
    <Box key={part} sx={{ display: isPhone && view !== part ? 'none' : 'grid', minWidth: 0 }}>
      <VoiceCard
        draft={draft}
        part={part}
        title={part === 'Audio' ? 'Live answer' : 'Voicemail'}
        when={part === 'Audio' ? 'When a person picks up' : 'When a machine picks up'}
        error={isTried ? errors[part] : undefined}
        noCallIn={draft.startOption === 'REPEATING' ? recordLaterRefusal : undefined}
        isSame={part === 'AudioVM' && voice.isSame}
        onUse={voice.use}
        onLater={voice.setLater}
        onPending={voice.setPending}
        onBusy={voice.setBusy}
      >
        {part === 'AudioVM' && (
          <SwitchRow label="Same message as live answer" isOn={voice.isSame} onChange={voice.setSame} />
        )}
      </VoiceCard>
    </Box>
  ));

  return (
    <StepLayout
      forward={
        <Button
          variant="contained"
          color="primary"
          endIcon={<ArrowRight aria-hidden />}
          disabled={voice.isBusy || isKeeping}
          onClick={() => void next()}
        >
          {isKeeping ? 'Saving…' : 'Next: Review'}
        </Button>
      }
    >
      <Box
        sx={{
          display: 'grid',
          columnGap: 3,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 284px' },
        }}
      >
        <Box sx={{ minWidth: 0 }}>
          <StepHead
            title="What should they hear?"
            sentence="One message for people, one for their voicemail."
            action={<VoiceTest draft={draft} flush={flush} part={view === 'AudioVM' ? 'AudioVM' : 'Audio'} />}
          />
          {isNarrow && <WriteOrPreview value={tab} onChange={setTab} />}
          <Box sx={{ display: isNarrow && tab !== 'write' ? 'none' : 'grid', gap: 2 }}>
            {isPhone && (
              <Parts
                draft={draft}
                errors={isTried ? errors : {}}
                view={view === 'text' ? 'Audio' : view}
                onView={setView}
              />
            )}
            <Box
              sx={{
                display: 'grid',
                gap: 2,
                gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
              }}
            >
              {cards}
            </Box>
            <KeysCard draft={draft} />
            <CallFacts draft={draft} save={save} />
            {hasText && (
              <Box component="section" aria-labelledby="text-part" sx={{ pt: 1.5 }}>
                <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: 1.5, mb: 2 }}>
                  <Box sx={{ flex: '1 1 260px' }}>
                    <Typography variant="h1" component="h2" id="text-part">
                      What should they read?
                    </Typography>
                    <Typography sx={{ color: 'text.secondary', mt: 0.25 }}>
                      {draft.BroadcastType.startsWith('SMSAnd')
                        ? 'Everyone who can be texted gets this too.'
                        : 'Whoever can be texted gets this. We call the others.'}
                    </Typography>
                  </Box>
                  {text.library}
                </Box>
                {text.editor}
              </Box>
            )}
          </Box>
        </Box>
        {(!isNarrow || tab === 'preview') && (
          <VoicePreview
            draft={draft}
            view={view}
            text={hasText ? text.preview : undefined}
            onView={setView}
          />
        )}
      </Box>
    </StepLayout>
  );
}

const recordLaterRefusal = 'Repeating broadcasts cannot use the call-in recording option.';

/** The problems of the two messages, in the contract's words. */
function voiceErrors(draft: StepProps['draft']): Partial<Record<VoicePart, string>> {
  const form = broadcastMessagesForm({
    type: draft.BroadcastType,
    isRepeating: draft.startOption === 'REPEATING',
    isTransfer: draft.IsTransfer,
  });
  const { Audio: live, AudioVM } = fieldErrors(form, {
    Audio: draft.Audio,
    AudioVM: draft.AudioVM,
    RecordLater: draft.RecordLater,
    RecordLaterVM: draft.RecordLaterVM,
  });
  return { ...(live ? { Audio: live } : {}), ...(AudioVM ? { AudioVM } : {}) };
}

function isWrong(draft: StepProps['draft'], part: VoicePart): boolean {
  return (
    chosenVoice(draft, part) === 'none' ||
    lengthProblem(draft, part) !== undefined ||
    (part === 'Audio' && wordsProblem(draft) !== undefined)
  );
}

/** The state of the two messages, and functions that change them. */
function useVoice({ draft, save }: Pick<StepProps, 'draft' | 'save'>) {
  const pending = useRef<Partial<Record<VoicePart, KeepPending | undefined>>>({});
  const [busy, setBusyParts] = useState<Partial<Record<VoicePart, boolean>>>({});
  const [isSame, setSameMark] = useState(
    draft.Audio !== null && draft.Audio.AudioID === draft.AudioVM?.AudioID,
  );
  // The state when the step is left, not when the button was rendered: continuing may choose a message.
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  });
  const setPending = useCallback((part: VoicePart, keep: KeepPending | undefined) => {
    pending.current[part] = keep;
  }, []);
  const setBusy = useCallback((part: VoicePart, is: boolean) => {
    setBusyParts((before) => ({ ...before, [part]: is }));
  }, []);
  const put = (part: VoicePart, audio: StepProps['draft']['Audio'], option: VoiceOption) => {
    const parts: VoicePart[] = part === 'Audio' && isSame ? ['Audio', 'AudioVM'] : [part];
    const choices = Object.assign(
      {},
      ...parts.map((each) => ({
        [laterField[each]]: option === 'record later',
        [optionField[each]]: option,
      })),
    );
    const byId = Object.assign({}, ...parts.map((each) => ({ [each]: audio && { AudioID: audio.AudioID } })));
    const shown = { ...choices, ...Object.assign({}, ...parts.map((each) => ({ [each]: audio }))) };
    const patch = { ...choices, ...byId };
    save(patch, shown);
    latest.current = { ...latest.current, ...patch, ...shown };
  };
  return {
    isSame,
    isBusy: Object.values(busy).some(Boolean),
    setPending,
    setBusy,
    use: (part: VoicePart, audio: Audio, source: VoiceSource) =>
      put(part, audio, source === 'library' ? 'select message' : 'create message'),
    setLater: (part: VoicePart, isLater: boolean) =>
      put(part, null, isLater ? 'record later' : 'create message'),
    setSame: (is: boolean) => {
      setSameMark(is);
      if (!is) return;
      const { Audio: live, RecordLater, voiceOption } = draft;
      save(
        { AudioVM: live && { AudioID: live.AudioID }, RecordLaterVM: RecordLater, voiceType: voiceOption },
        { AudioVM: live, RecordLaterVM: RecordLater, voiceType: voiceOption },
      );
    },
    /** Returns the message that could not be kept. */
    keepPending: async (): Promise<VoicePart | undefined> => {
      for (const part of ['Audio', 'AudioVM'] as const) {
        const keep = pending.current[part];
        if (keep && !(await keep())) return part;
      }
      return undefined;
    },
    /** The first message that a call can't be made with. */
    firstWrong: () => (['Audio', 'AudioVM'] as const).find((part) => isWrong(latest.current, part)),
  };
}

interface PartsProps {
  draft: StepProps['draft'];
  /** Shown once somebody tried to continue. */
  errors: Partial<Record<VoicePart, string>>;
  view: VoicePart;
  onView: (view: VoicePart) => void;
}

/** On a phone one card is shown at a time. */
function Parts({ draft, errors, view, onView }: PartsProps) {
  const words = (part: VoicePart, name: string) => {
    const isChosen = chosenVoice(draft, part) !== 'none';
    const audio = draft[part];
    return (
      <>
        {errors[part] ? (
          <CircleAlert size={16} strokeWidth={1.75} aria-hidden />
        ) : (
          isChosen && <CircleCheck size={16} strokeWidth={1.75} aria-hidden />
        )}
        {name}
        {audio && !draft[laterField[part]] && (
          <Box component="span" sx={{ typography: 'caption', fontVariantNumeric: 'tabular-nums' }}>
            {formatLength(audio.Length)}
          </Box>
        )}
      </>
    );
  };
  return (
    <Segmented
      label="Message"
      isLarge
      value={view}
      parts={[
        { value: 'Audio', words: words('Audio', 'Live answer') },
        { value: 'AudioVM', words: words('AudioVM', say('Voicemail')) },
      ]}
      onChange={onView}
    />
  );
}
