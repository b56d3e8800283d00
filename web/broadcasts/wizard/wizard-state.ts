import type { Account } from '../../../contract/accounts.ts';
import type { DraftBroadcast } from '../../../contract/drafts.ts';
import { fieldErrors } from '../../../contract/fields/form.ts';
import { broadcastSettingsForm } from '../../../contract/forms/broadcast.ts';
import { composeMessages } from '../../../contract/forms/compose-text.ts';
import type { WizardState } from '../../../contract/states/broadcast-wizard.ts';
import { hasPersonalisedFields } from '../../../contract/text/personalised-fields.ts';
import { defaultCallingWindow } from '../../../contract/time/calling-window.ts';
import { repeatErrors } from '../../pieces/broadcasts/repeat-rules.ts';
import { messageProblems } from './message/message-state.ts';
import { type StartFields, startFieldsOf } from './start-fields.ts';

export interface Surroundings {
  account: Account | undefined;
  nowMs: number;
  zone: string;
}

/** What is wrong with the settings, by field, in the contract's sentences. */
export function settingsErrors(
  draft: DraftBroadcast,
  fields: StartFields,
  { account, nowMs, zone }: Surroundings,
): Record<string, string> {
  const form = broadcastSettingsForm({
    countryId: account?.CountryID ?? 1,
    nowMs,
    zone,
    // Texts are not held to it.
    window: defaultCallingWindow,
  });
  const errors = fieldErrors(form, {
    BroadcastName: draft.BroadcastName,
    BroadcastType: draft.BroadcastType,
    startOption: draft.startOption,
    StartDate: fields.day,
    startTimeText: fields.time,
  });
  return draft.TextNumberID === null ? { ...errors, TextNumberID: composeMessages.noTextNumber } : errors;
}

/** What the rules of the steps look at. */
export function wizardStateOf(draft: DraftBroadcast, around: Surroundings): WizardState {
  const settings = settingsErrors(draft, startFieldsOf(draft.StartDate), around);
  const interval = String(draft.RepeatingBroadcastSchedule?.Interval ?? '');
  const { text, yes, no } = messageProblems(draft, around.account);
  return {
    BroadcastType: draft.BroadcastType,
    startOption: draft.startOption,
    nameError: settings.BroadcastName ?? settings.TextNumberID,
    startTimeError: settings.StartDate ?? settings.startTimeText,
    repeatingScheduleError: Object.values(
      repeatErrors(draft.RepeatingBroadcastSchedule, draft.StartDate, { interval, zone: around.zone }),
    )[0],
    isRecipientsConfirmed: true,
    recipientCount: recipientsOf(draft),
    textError: text ?? yes ?? no,
    isTextTooLong: false,
    liveVoice: 'none',
    voicemailVoice: 'none',
    isVoiceTooLong: false,
    // Said on the last step and only there.
    isMessagesConfirmed: false,
    hasEnoughCredits: true,
  };
}

/**
 * While a group of thousands is being added its text can be written. Whom a personalized text leaves out for its own sake
 * is a matter of the message, not of the recipients.
 */
function recipientsOf(draft: DraftBroadcast): number {
  const { TextNumberCount, TotalTextNumberCount, TextMessage, IsAdding } = draft;
  const count = hasPersonalisedFields(TextMessage) ? TotalTextNumberCount : TextNumberCount;
  return IsAdding ? Math.max(1, count) : count;
}
