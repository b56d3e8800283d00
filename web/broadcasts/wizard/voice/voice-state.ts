import type { DraftBroadcast } from '../../../../contract/drafts.ts';
import { missingKeys } from '../../../../contract/forms/broadcast.ts';
import { voiceUnits } from '../../../../contract/money/units.ts';
import type { WizardState } from '../../../../contract/states/broadcast-wizard.ts';
import { audioTooLong } from '../../../../contract/uploads/audio.ts';

/** The two messages of a call: one for a person, one for voicemail. */
export type VoicePart = 'Audio' | 'AudioVM';

/** Saves a recording or words that aren't used yet; false if that failed. */
export type KeepPending = () => Promise<boolean>;

/** One player for the card and the telephone beside it. */
export function playerKeyOf(part: VoicePart, audio: { AudioID: number }): string {
  return `wizard-${part}-${audio.AudioID}`;
}

export const laterField = { Audio: 'RecordLater', AudioVM: 'RecordLaterVM' } as const;
export const optionField = { Audio: 'voiceOption', AudioVM: 'voiceType' } as const;

type Chosen = WizardState['liveVoice'];

/** The choice for one of the two messages. */
export function chosenVoice(draft: DraftBroadcast, part: VoicePart): Chosen {
  if (draft[laterField[part]]) return 'record later';
  return draft[part] === null ? 'none' : 'audio';
}

/** Ours: the account's own limit for this broadcast, below the two minutes that no message may exceed. */
function overLength(seconds: number, most: number): string | undefined {
  const tooLong = audioTooLong(seconds);
  if (tooLong !== undefined || seconds <= most) return tooLong;
  return `This broadcast’s messages can be up to ${most} seconds long. This one is ${Math.ceil(seconds)} seconds long.`;
}

/** Reason why a chosen recording can't be used. */
export function lengthProblem(draft: DraftBroadcast, part: VoicePart): string | undefined {
  const audio = draft[part];
  return audio === null || draft[laterField[part]]
    ? undefined
    : overLength(audio.Length, draft.MaxMessageLength);
}

/** The required words that the typed message for live answers lacks. */
export function wordsProblem({
  Audio,
  RecordLater,
  BroadcastType,
  IsTransfer,
}: DraftBroadcast): string | undefined {
  return RecordLater
    ? undefined
    : missingKeys(Audio?.Text, { type: BroadcastType, isTransfer: IsTransfer })[0];
}

/**
 * Credits that a call takes, from the cheaper to the more expensive of the two messages. Without a recording
 * a call counts as one.
 */
export function creditsPerCall(draft: DraftBroadcast): { least: number; most: number } {
  // One that is recorded later may be as long as allowed.
  const later = (isLater: boolean) => (isLater ? draft.MaxMessageLength : undefined);
  const units = [
    voiceUnits(draft.Audio?.Length ?? later(draft.RecordLater)),
    voiceUnits(draft.AudioVM?.Length ?? later(draft.RecordLaterVM)),
  ];
  return { least: Math.min(...units), most: Math.max(...units) };
}

interface Silence {
  Length: number;
  SilenceBefore: number;
  SilenceAfter: number;
  SilenceCut: boolean;
}

/** The silence at both ends that makes a call more expensive; undefined where cutting it saves nothing. */
export function costlySilence(audio: Silence): { seconds: number; saved: number } | undefined {
  const seconds = audio.SilenceBefore + audio.SilenceAfter;
  if (audio.SilenceCut || seconds < 1) return undefined;
  const saved = voiceUnits(audio.Length) - voiceUnits(audio.Length - seconds);
  return saved > 0 ? { seconds: Math.round(seconds), saved } : undefined;
}
