import { type BroadcastType, placesCalls, sendsTexts } from '../money/units.ts';

/** Create-broadcast wizard: 1 Settings, 2 Recipients, 3 Messages, 4 Review and send. */
export const wizardSteps = ['Settings', 'Recipients', 'Messages', 'Review and send'] as const;
export type WizardStep = 1 | 2 | 3 | 4;

export const startOptions = ['START_IMMEDIATELY', 'START_LATER', 'REPEATING'] as const;
export type StartOption = (typeof startOptions)[number];

/** `record later` is the call-in recording option (RecordLater, RecordLaterVM). */
type VoiceChoice = 'none' | 'audio' | 'record later';

/** The wizard's information about its form when it decides whether a step is complete. */
export interface WizardState {
  BroadcastType: BroadcastType;
  startOption: StartOption;
  nameError?: string | undefined;
  callerIdError?: string | undefined;
  startTimeError?: string | undefined;
  repeatingScheduleError?: string | undefined;
  isRecipientsConfirmed: boolean;
  recipientCount: number;
  textError?: string | undefined;
  voiceError?: string | undefined;
  /** Voice option required for both live answer and voicemail. */
  liveVoice: VoiceChoice;
  voicemailVoice: VoiceChoice;
  isTextTooLong: boolean;
  isVoiceTooLong: boolean;
  isMessagesConfirmed: boolean;
  hasEnoughCredits: boolean;
}

/** Step 1 is complete when there is no name, caller ID, start-time or repeating-schedule error. */
function isSettingsComplete(state: WizardState): boolean {
  if (state.nameError) return false;
  if (placesCalls(state.BroadcastType) && state.callerIdError) return false;
  if (state.startOption !== 'START_IMMEDIATELY' && state.startTimeError) return false;
  return state.startOption !== 'REPEATING' || !state.repeatingScheduleError;
}

/** Step 2 is complete when recipients are confirmed. Text-only flows skip the confirmation. */
function isRecipientsComplete(state: WizardState): boolean {
  if (state.recipientCount === 0) return false;
  return isTextOnly(state.BroadcastType) || state.isRecipientsConfirmed;
}

/**
 * Step 3 is incomplete on voice or text message errors, a missing recording choice, or messages over length.
 * Repeating broadcasts cannot use the call-in recording option.
 */
function isMessagesComplete(state: WizardState): boolean {
  if (sendsTexts(state.BroadcastType) && (state.textError || state.isTextTooLong)) return false;
  if (!placesCalls(state.BroadcastType)) return true;
  if (state.voiceError || state.isVoiceTooLong) return false;
  const voices = [state.liveVoice, state.voicemailVoice];
  if (voices.includes('none')) return false;
  return state.startOption !== 'REPEATING' || !voices.includes('record later');
}

/** Step 4 needs confirmed messages and enough credits. */
function isReviewComplete(state: WizardState): boolean {
  return state.isMessagesConfirmed && state.hasEnoughCredits;
}

export function isStepComplete(state: WizardState, step: WizardStep): boolean {
  switch (step) {
    case 1:
      return isSettingsComplete(state);
    case 2:
      return isRecipientsComplete(state);
    case 3:
      return isMessagesComplete(state);
    case 4:
      return isReviewComplete(state);
  }
}

/** The tracked list of completed steps. */
export function completedSteps(state: WizardState): WizardStep[] {
  return ([1, 2, 3, 4] as const).filter((step) => isStepComplete(state, step));
}

/** A broadcast may be sent when every step is complete. */
export function isReadyToSend(state: WizardState): boolean {
  return completedSteps(state).length === wizardSteps.length;
}

/** The furthest step that can be opened: the first that isn't complete, or the last. */
export function furthestStep(state: WizardState): WizardStep {
  for (const step of [1, 2, 3] as const) if (!isStepComplete(state, step)) return step;
  return 4;
}

export function isTextOnly(type: BroadcastType): boolean {
  return sendsTexts(type) && !placesCalls(type);
}

export interface TypedForm {
  BroadcastType: BroadcastType;
  CheckCallingWindow: boolean;
  Audio: unknown;
  AudioVM: unknown;
  IsTransfer: boolean;
  CallerIDError: string | undefined;
  isRecipientsConfirmed: boolean;
  isMessagesConfirmed: boolean;
}

/**
 * Switching broadcast type resets confirmations. SMS clears audio, transfer and caller ID errors and turns off
 * the calling-window check. Announcement and survey types turn it on.
 */
export function switchBroadcastType<Form extends TypedForm>(form: Form, BroadcastType: BroadcastType): Form {
  const switched = { ...form, BroadcastType, isRecipientsConfirmed: false, isMessagesConfirmed: false };
  if (placesCalls(BroadcastType)) return { ...switched, CheckCallingWindow: true };
  return {
    ...switched,
    CheckCallingWindow: false,
    Audio: null,
    AudioVM: null,
    IsTransfer: false,
    CallerIDError: undefined,
  };
}

/** voiceOption: an existing message is selected, a new one is created, or it is recorded later by calling in. */
export const voiceOptions = ['create message', 'select message', 'record later'] as const;
export type VoiceOption = (typeof voiceOptions)[number];

/** Changing the voice option toggles record-later. */
export function chooseVoiceOption<Form extends { voiceOption: VoiceOption; RecordLater: boolean }>(
  form: Form,
  voiceOption: VoiceOption,
): Form {
  return { ...form, voiceOption, RecordLater: voiceOption === 'record later' };
}
