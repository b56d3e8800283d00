import type { DraftBroadcast } from '../../../contract/drafts.ts';
import { type BroadcastType, placesCalls, sendsTexts } from '../../../contract/money/units.ts';
import { defaultDraftType } from '../../../contract/reference/broadcast-types.ts';
import { switchBroadcastType } from '../../../contract/states/broadcast-wizard.ts';
import { type Purpose, type Reach, reachOfType } from '../../pieces/broadcasts/broadcast-type.ts';
import type { DraftPatch } from './draft-keeper.ts';

const callTypes: Record<Exclude<Reach, 'text'>, Record<Purpose, BroadcastType>> = {
  call: { announcement: 'Announcement', survey: 'Survey' },
  either: { announcement: 'SMSOrAnnouncement', survey: 'SMSOrSurvey' },
  both: { announcement: 'SMSAndAnnouncement', survey: 'SMSAndSurvey' },
};

/**
 * The changes to a draft that becomes another type. Its confirmations belong to the old type and are removed.
 */
export function typePatch(draft: DraftBroadcast, reach: Reach, purpose: Purpose): DraftPatch {
  const type = reach === 'text' ? defaultDraftType : callTypes[reach][purpose];
  // The text of a broadcast that also calls asks the same question.
  const IsTextSurvey = purpose === 'survey' && sendsTexts(type);
  const { CheckCallingWindow, IsTransfer, isRecipientsConfirmed } = switchBroadcastType(
    {
      ...draft,
      CallerIDError: undefined,
      isRecipientsConfirmed: draft.RecipientsConfirmed,
      isMessagesConfirmed: false,
    },
    type,
  );
  // Changes are saved together, so the server may not see the type between two switches.
  const changed = {
    BroadcastType: type,
    IsTextSurvey,
    CheckCallingWindow,
    RecipientsConfirmed: isRecipientsConfirmed,
  };
  // Two texts are possible only in broadcasts without calls.
  if (placesCalls(type)) return { ...changed, SecondText: null };
  return { ...changed, Audio: null, AudioVM: null, RecordLater: false, RecordLaterVM: false, IsTransfer };
}

/** Number of people it reaches now. With "both", a person who is called and texted counts once. */
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
