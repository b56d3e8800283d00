import type { DraftBroadcast } from '../../../contract/drafts.ts';
import { type BroadcastType, placesCalls, sendsTexts } from '../../../contract/money/units.ts';
import { defaultDraftType } from '../../../contract/reference/broadcast-types.ts';
import { switchBroadcastType } from '../../../contract/states/broadcast-wizard.ts';
import type { DraftPatch } from './draft-keeper.ts';

/** How people are reached: by text, by a call, by whichever works, or by both. */
export type Reach = 'text' | 'call' | 'either' | 'both';
/** Something is told, or asked. */
export type Purpose = 'announcement' | 'survey';

type Typed = Pick<DraftBroadcast, 'BroadcastType' | 'IsTextSurvey'>;

export function reachOfType(type: BroadcastType): Reach {
  if (!placesCalls(type)) return 'text';
  if (!sendsTexts(type)) return 'call';
  return type.startsWith('SMSAnd') ? 'both' : 'either';
}

export function purposeOf({ BroadcastType: type, IsTextSurvey }: Typed): Purpose {
  const isSurvey = placesCalls(type) ? type.includes('Survey') : IsTextSurvey;
  return isSurvey ? 'survey' : 'announcement';
}

const callTypes: Record<Exclude<Reach, 'text'>, Record<Purpose, BroadcastType>> = {
  call: { announcement: 'Announcement', survey: 'Survey' },
  either: { announcement: 'SMSOrAnnouncement', survey: 'SMSOrSurvey' },
  both: { announcement: 'SMSAndAnnouncement', survey: 'SMSAndSurvey' },
};

/** What changes of a draft when it becomes another type. Its confirmations belong to the type and go with it. */
export function typePatch(draft: DraftBroadcast, reach: Reach, purpose: Purpose): DraftPatch {
  const type = reach === 'text' ? defaultDraftType : callTypes[reach][purpose];
  // The text of a broadcast that also calls asks the same question.
  const IsTextSurvey = purpose === 'survey' && sendsTexts(type);
  const { CheckCallingWindow, IsTransfer } = switchBroadcastType(
    { ...draft, CallerIDError: undefined, isRecipientsConfirmed: false, isMessagesConfirmed: false },
    type,
  );
  const changed = { BroadcastType: type, IsTextSurvey, CheckCallingWindow };
  if (placesCalls(type)) return changed;
  return { ...changed, Audio: null, AudioVM: null, RecordLater: false, RecordLaterVM: false, IsTransfer };
}

/** How many people it reaches as it stands. With "both", whoever is called and texted counts once. */
export function reachedBy(draft: DraftBroadcast): number {
  const { BroadcastType: type, TextNumberCount, VoiceNumberCount } = draft;
  switch (reachOfType(type)) {
    case 'text':
      return TextNumberCount;
    case 'call':
      return VoiceNumberCount;
    case 'either':
      return TextNumberCount + VoiceNumberCount;
    case 'both':
      return Math.max(TextNumberCount, VoiceNumberCount);
  }
}

const typeNames: Record<Reach, Record<Purpose, string>> = {
  text: { announcement: 'Text', survey: 'Text survey' },
  call: { announcement: 'Voice announcement', survey: 'Voice survey' },
  either: { announcement: 'Text or voice announcement', survey: 'Text or voice survey' },
  both: { announcement: 'Text and voice announcement', survey: 'Text and voice survey' },
};

/** "Voice survey", "Text or voice announcement". */
export function typeName(typed: Typed): string {
  return typeNames[reachOfType(typed.BroadcastType)][purposeOf(typed)];
}
