import type { Account } from '../../../contract/accounts.ts';
import type { DraftBroadcast } from '../../../contract/drafts.ts';
import { requiredMessage } from '../../../contract/fields/basic-rules.ts';
import { fieldErrors } from '../../../contract/fields/form.ts';
import { broadcastSettingsForm } from '../../../contract/forms/broadcast.ts';
import { composeMessages } from '../../../contract/forms/compose-text.ts';
import { transferLinesField } from '../../../contract/forms/transfer.ts';
import { placesCalls, sendsTexts } from '../../../contract/money/units.ts';
import { isTextOnly, type WizardState } from '../../../contract/states/broadcast-wizard.ts';
import { dayNames } from '../../../contract/time/wall-clock.ts';
import { repeatErrors } from '../../pieces/broadcasts/repeat-rules.ts';
import { reachedBy } from './draft-type.ts';
import { isMerged, messageProblems } from './message/message-state.ts';
import { type StartFields, startFieldsOf } from './start-fields.ts';
import { windowOf } from './voice/draft-window.ts';
import { chosenVoice, lengthProblem, wordsProblem } from './voice/voice-state.ts';

/** From the first minute to the last: a window that never closes. */
const allDay = { StartTimeOfDay: { Hour: 0, Minute: 0 }, StopTimeOfDay: { Hour: 0, Minute: 0 } };

export interface Surroundings {
  account: Account | undefined;
  nowMs: number;
  zone: string;
}

/** The problems of the settings, by field, in the contract's words. */
export function settingsErrors(
  draft: DraftBroadcast,
  fields: StartFields,
  { account, nowMs, zone }: Surroundings,
): Record<string, string> {
  const form = broadcastSettingsForm({
    countryId: account?.CountryID ?? 1,
    nowMs,
    zone,
    window: draft.CheckCallingWindow ? windowOf(draft) : { ...allDay, CallingWindowDays: dayNames },
  });
  const errors = fieldErrors(form, {
    BroadcastName: draft.BroadcastName,
    BroadcastType: draft.BroadcastType,
    CallerID: draft.CallerID,
    startOption: draft.startOption,
    StartDate: fields.day,
    startTimeText: fields.time,
  });
  return {
    ...errors,
    ...(sendsTexts(draft.BroadcastType) && draft.TextNumberID === null
      ? { TextNumberID: composeMessages.noTextNumber }
      : {}),
    ...transferErrors(draft),
  };
}

/** If calls can be transferred, a number and its lines are needed. */
function transferErrors(draft: DraftBroadcast): Record<string, string> {
  const { BroadcastType, IsTransfer, TransferNumber, TransferLines } = draft;
  if (!placesCalls(BroadcastType) || !IsTransfer) return {};
  const lines = transferLinesField.safeParse(TransferLines).error?.issues[0]?.message;
  return {
    ...(TransferNumber === null ? { TransferNumber: requiredMessage('Transfer Number') } : {}),
    ...(lines === undefined ? {} : { TransferLines: lines }),
  };
}

/** The input of the steps' rules. */
export function wizardStateOf(draft: DraftBroadcast, around: Surroundings): WizardState {
  const settings = settingsErrors(draft, startFieldsOf(draft.StartDate), around);
  const interval = String(draft.RepeatingBroadcastSchedule?.Interval ?? '');
  const { text, yes, no, second } = messageProblems(draft, around.account);
  return {
    BroadcastType: draft.BroadcastType,
    startOption: draft.startOption,
    nameError:
      settings.BroadcastName ?? settings.TextNumberID ?? settings.TransferNumber ?? settings.TransferLines,
    callerIdError: settings.CallerID,
    startTimeError: settings.StartDate ?? settings.startTimeText,
    repeatingScheduleError: Object.values(
      repeatErrors(draft.RepeatingBroadcastSchedule, draft.StartDate, { interval, zone: around.zone }),
    )[0],
    isRecipientsConfirmed: isTextOnly(draft.BroadcastType) || draft.RecipientsConfirmed,
    recipientCount: recipientsOf(draft),
    textError: text ?? yes ?? no ?? second,
    isTextTooLong: false,
    liveVoice: chosenVoice(draft, 'Audio'),
    voicemailVoice: chosenVoice(draft, 'AudioVM'),
    voiceError: wordsProblem(draft),
    isVoiceTooLong:
      lengthProblem(draft, 'Audio') !== undefined || lengthProblem(draft, 'AudioVM') !== undefined,
    // Shown only on the last step.
    isMessagesConfirmed: false,
    hasEnoughCredits: true,
  };
}

/**
 * While a group of thousands is being added, the text can be written. People left out because of a
 * personalized text are a problem of the message, not of the recipients.
 */
function recipientsOf(draft: DraftBroadcast): number {
  const { BroadcastType, TotalTextNumberCount, IsAdding } = draft;
  const isPersonalized = sendsTexts(BroadcastType) && isMerged(draft);
  const count = isPersonalized ? TotalTextNumberCount : reachedBy(draft);
  return IsAdding ? Math.max(1, count) : count;
}
