import { z } from 'zod';
import { maxLength, nonWhitespace, required, requiredMessage } from '../fields/basic-rules.ts';
import { noPersonalization, personalizedFields, restrictShortUrls } from '../fields/content-rules.ts';
import { failures, flagField, textField, trimmedField } from '../fields/form.ts';
import { maxTextLength } from '../fields/max-text-length.ts';
import { callerId } from '../fields/phone-rules.ts';
import { firstFailure, type Rule, when } from '../fields/rule.ts';
import { parseDay, requiredClockTime } from '../fields/time-rules.ts';
import { type BroadcastType, placesCalls, sendsTexts } from '../money/units.ts';
import { broadcastTypes } from '../reference/broadcast-types.ts';
import { limits } from '../reference/limits.ts';
import { startOptions } from '../states/broadcast-wizard.ts';
import { readSpokenKeys } from '../text/spoken-keys.ts';
import { textTooLong } from '../text/text-length.ts';
import type { OpenHours } from '../time/calling-window.ts';
import { parseClockTime } from '../time/clock-time.ts';
import { isFarEnoughAhead, startDateMessage, startLeadMs, validateStartDate } from '../time/start-date.ts';
import { formatWall, minuteMs, msOfTimeOfDay } from '../time/wall-clock.ts';
import { audioTooLong } from '../uploads/audio.ts';

export const broadcastName: readonly Rule[] = [
  required('Broadcast Name'),
  maxLength('Broadcast Name', limits.broadcastName),
];

export interface BroadcastSettingsContext {
  countryId: number;
  nowMs: number;
  zone: string;
  /** The user's calling window; texts are not held to it. */
  window: OpenHours;
}

/** Step 1: name, type, caller ID, start. The repeating schedule has a form of its own (repeat.ts). */
export function broadcastSettingsForm(context: BroadcastSettingsContext) {
  return z
    .object({
      BroadcastName: trimmedField(...broadcastName),
      BroadcastType: z.enum(broadcastTypes, { error: 'Select a type' }),
      CallerID: trimmedField(),
      startOption: z.enum(startOptions, { error: 'Select when to start' }).default('START_IMMEDIATELY'),
      /** YYYY-MM-DD on the user's calendar. */
      StartDate: trimmedField(),
      startTimeText: trimmedField(),
    })
    .superRefine(
      failures((values) => {
        const isVoice = placesCalls(values.BroadcastType);
        return {
          CallerID: firstFailure(
            values.CallerID,
            when(isVoice, required('Caller ID'), callerId(context.countryId)),
          ),
          ...startFailures(values, isVoice, context),
        };
      }),
    );
}

interface Start {
  startOption: string;
  StartDate: string;
  startTimeText: string;
}

/** Ours: the specification gives the figure and no sentence. */
export const tooSoon = `Start Time must be at least ${startLeadMs / minuteMs} minutes from now`;

function startFailures(start: Start, isVoice: boolean, { nowMs, zone, window }: BroadcastSettingsContext) {
  const validate = (startDate: string) =>
    startDateMessage(validateStartDate({ startDate, zone, nowMs, ...(isVoice ? { window } : {}) }));
  if (start.startOption === 'START_IMMEDIATELY') {
    return { startTimeText: isVoice ? validate(new Date(nowMs).toISOString()) : undefined };
  }
  const date = parseDay(start.StartDate) === undefined ? requiredMessage('Start Date') : undefined;
  const time = firstFailure(start.startTimeText, requiredClockTime('Start Time'));
  const wall = (date ?? time) ? undefined : startWall(start);
  return {
    StartDate: date,
    startTimeText: time ?? (wall && (validate(wall) ?? soonFailure(wall, zone, nowMs))),
  };
}

function soonFailure(wall: string, zone: string, nowMs: number): string | undefined {
  const StartDate = validateStartDate({ startDate: wall, zone, nowMs })?.StartDate;
  return StartDate !== undefined && isFarEnoughAhead(Date.parse(StartDate), nowMs) ? undefined : tooSoon;
}

/** "2026-11-15" and "5:00 PM" as the wall clock reading that the wire's StartDate carries; undefined when they are none. */
export function startWall({ StartDate, startTimeText }: Omit<Start, 'startOption'>): string | undefined {
  const day = parseDay(StartDate);
  const time = parseClockTime(startTimeText);
  return day === undefined || !time ? undefined : formatWall(day + msOfTimeOfDay(time));
}

export interface BroadcastTextContext {
  /** The account's setting; absent where it isn't known yet. */
  maxLength?: number;
  signature?: string;
  hasMedia: boolean;
  /** The text as saved, when a broadcast is edited: its length is only checked if it changed. */
  saved?: string;
}

/** Required unless media is present, non-whitespace, short URLs restricted, max length per account setting. */
export function broadcastText({ maxLength: max, signature, hasMedia, saved }: BroadcastTextContext): Rule[] {
  const length = max === undefined ? undefined : maxTextLength(max, textTooLong(max), signature);
  return [
    ...when(!hasMedia, required('Text Message')),
    nonWhitespace('Text Message'),
    restrictShortUrls('Text Message'),
    personalizedFields(),
    (value) => (value === saved ? undefined : length?.(value)),
  ];
}

export interface BroadcastMessagesContext extends Omit<BroadcastTextContext, 'hasMedia'> {
  /** The text is merged for each recipient, and the merge checks how long each one is. */
  isMerged?: boolean;
  type: BroadcastType;
  isRepeating: boolean;
  isTransfer: boolean;
  /** The auto-replies as saved, like `saved`. */
  savedReplies?: readonly string[];
}

/**
 * An automatic reply to a survey's answer: everybody gets it unchanged. So its length is always known, and a
 * personalized field would be sent as it is written.
 */
function surveyReply({ maxLength: max }: Pick<BroadcastTextContext, 'maxLength'>): Rule[] {
  return [
    noPersonalization(),
    ...broadcastText({ hasMedia: false, ...(max === undefined ? {} : { maxLength: max }) }),
  ];
}

/** Ours: the specification asks for both choices and gives no sentence. */
const voiceMessages = {
  liveAnswer: 'Choose a message for live answers',
  voicemail: 'Choose a message for voicemail',
  recordLater: 'Repeating broadcasts cannot use the call-in recording option.',
} as const;

/** Required content of a message. Nobody but the person can check a recording; Muster checks typed words. */
export const voiceHints = {
  survey: 'Survey messages must include the question and possible answers.',
  transfer: 'Transfer messages must tell recipients to press 0.',
} as const;

type Asked = Pick<BroadcastMessagesContext, 'type' | 'isTransfer'>;

/**
 * Required keys that a typed message doesn't mention. Where a key may be meant, none is missing: see
 * `misleadingKeys`.
 */
export function missingKeys(text: string | null | undefined, asked: Asked): string[] {
  if (text === null || text === undefined || !placesCalls(asked.type)) return [];
  const keys = readSpokenKeys(text);
  // 9 alone stops the calls.
  const offersAnswers = keys.takesAny || keys.answers.length > 0 || keys.named.some((key) => key !== '*9');
  return [
    ...(asked.type.endsWith('Survey') && !offersAnswers ? [voiceHints.survey] : []),
    ...(asked.isTransfer && !keys.maySayZero ? [voiceHints.transfer] : []),
  ];
}

/** Ours: keys that a typed message names and that do something else, or that it doesn't clearly name. */
export function misleadingKeys(text: string | null, asked: Asked): string[] {
  if (text === null || !placesCalls(asked.type)) return [];
  const keys = readSpokenKeys(text);
  const missing = missingKeys(text, asked);
  const isSurvey = asked.type.endsWith('Survey');
  const isUnclear = isSurvey && keys.answers.length === 0 && !keys.takesAny;
  const warnings: [boolean, string][] = [
    [
      keys.saysNine,
      'The message asks people to press 9, which stops these calls. Choose another key, or star 9 in a survey.',
    ],
    [
      !isSurvey && keys.answers.length > 0,
      'The message asks people to press a key. Only surveys count answers.',
    ],
    [
      !asked.isTransfer && keys.saysZero,
      'The message tells people to press 0, but this broadcast doesn’t transfer calls.',
    ],
    [
      isUnclear && !missing.includes(voiceHints.survey),
      'The message doesn’t clearly say which keys to press. For example: “Press 1 for yes or 2 for no.”',
    ],
    [
      asked.isTransfer && !keys.saysZero && !missing.includes(voiceHints.transfer),
      'The message doesn’t clearly say to press 0. For example: “To talk to us, press 0.”',
    ],
  ];
  return warnings.flatMap(([isShown, warning]) => (isShown ? [warning] : []));
}

const audio = z
  .object({
    AudioID: z.number().int(),
    Length: z.number().nonnegative(),
    Text: z.string().nullish(),
  })
  .nullish()
  .transform((value) => value ?? null);

/** Step 3: what is said and written. */
export function broadcastMessagesForm(context: BroadcastMessagesContext) {
  const voice = (chosen: { Length: number } | null, recordLater: boolean, missing: string) => {
    if (!placesCalls(context.type)) return undefined;
    if (recordLater) return context.isRepeating ? voiceMessages.recordLater : undefined;
    return chosen ? audioTooLong(chosen.Length) : missing;
  };
  // Machines press no keys: what is left on voicemail may say what it likes.
  const words = (chosen: { Text?: string | null | undefined } | null, recordLater: boolean) =>
    recordLater ? undefined : missingKeys(chosen?.Text, context)[0];
  return z
    .object({
      Audio: audio,
      AudioVM: audio,
      RecordLater: flagField(),
      RecordLaterVM: flagField(),
      TextMessage: textField(),
      Media: z.array(z.object({ MediaID: z.number().int() })).default([]),
      IncludeSignature: flagField(),
      TextSurveyAutoReplies: z
        .array(z.object({ Label: z.enum(['Yes', 'No']), Message: textField() }))
        .max(2)
        .default([]),
    })
    .superRefine((values, check) => {
      const fail = (path: (string | number)[], message: string | undefined) => {
        if (message !== undefined) check.addIssue({ code: 'custom', path, message });
      };
      fail(
        ['Audio'],
        voice(values.Audio, values.RecordLater, voiceMessages.liveAnswer) ??
          words(values.Audio, values.RecordLater),
      );
      fail(['AudioVM'], voice(values.AudioVM, values.RecordLaterVM, voiceMessages.voicemail));
      if (!sendsTexts(context.type)) return;
      const { signature, maxLength: max, saved, savedReplies = [], isMerged } = context;
      const rules = broadcastText({
        hasMedia: values.Media.length > 0,
        ...(max === undefined || isMerged ? {} : { maxLength: max }),
        ...(values.IncludeSignature && signature !== undefined ? { signature } : {}),
        ...(saved === undefined ? {} : { saved }),
      });
      fail(['TextMessage'], firstFailure(values.TextMessage, rules));
      for (const [index, { Message }] of values.TextSurveyAutoReplies.entries()) {
        // One that an edit leaves as it was isn't judged by what came since.
        const replyRules = savedReplies.includes(Message)
          ? broadcastText({ hasMedia: false })
          : surveyReply(context);
        fail(['TextSurveyAutoReplies', index, 'Message'], firstFailure(Message, replyRules));
      }
    });
}
