import { z } from 'zod';
import { nonWhitespace, required } from '../fields/basic-rules.ts';
import { alphanumeric } from '../fields/character-rules.ts';
import { reservedKeyword, restrictShortUrls } from '../fields/content-rules.ts';
import { textField, trimmedField } from '../fields/form.ts';
import { maxTextLength } from '../fields/max-text-length.ts';
import { firstFailure, type Rule, ruleThat, when } from '../fields/rule.ts';
import { requiredClockTime } from '../fields/time-rules.ts';
import { limits } from '../reference/limits.ts';
import { autoReplyModes } from '../time/auto-reply-schedule.ts';
import { type DayName, dayNames } from '../time/wall-clock.ts';
import { noCallingDay } from './calling-window.ts';
import { composeMessages } from './compose-text.ts';

const most = limits.autoReplyMessage;

function autoReplyMessage(isOn: boolean): Rule[] {
  return [
    ...when(isOn, required('Message')),
    nonWhitespace('Message'),
    maxTextLength(most, `Message must be at most ${most} characters`),
    restrictShortUrls('Message'),
  ];
}

const dayHours = z
  .object({ StartTime: trimmedField(), StopTime: trimmedField() })
  .nullish()
  .transform((hours) => hours ?? null);

const daySchedules = z.object({
  Sunday: dayHours,
  Monday: dayHours,
  Tuesday: dayHours,
  Wednesday: dayHours,
  Thursday: dayHours,
  Friday: dayHours,
  Saturday: dayHours,
} satisfies Record<DayName, typeof dayHours>);

/** Ours: the specification gives an auto reply a Keyword. Its word would do nothing, so nobody may believe that it does. */
const refusesKeyword = ruleThat(
  () => false,
  'An auto reply answers every text, so it has no keyword. Create a keyword instead.',
);

/**
 * An auto reply of text numbers. A reply that is off (Never) may stay empty; an invalid one is never saved.
 */
export const autoReplyForm = z
  .object({
    Mode: z.enum(autoReplyModes, { error: 'Select when to reply' }),
    Message: textField(),
    Keyword: trimmedField(refusesKeyword),
    DaySchedules: daySchedules.prefault({}),
    TextNumberIDs: z.array(z.number().int().positive()).default([]),
  })
  .superRefine(({ Mode, Message, DaySchedules }, check) => {
    const fail = (path: string[], message: string | undefined) => {
      if (message !== undefined) check.addIssue({ code: 'custom', path, message });
    };
    fail(['Message'], firstFailure(Message, autoReplyMessage(Mode !== 'Never')));
    if (Mode !== 'Custom') return;
    const open = dayNames.filter((day) => DaySchedules[day]);
    fail(['DaySchedules'], open.length === 0 ? noCallingDay : undefined);
    for (const day of open) {
      const { StartTime = '', StopTime = '' } = DaySchedules[day] ?? {};
      fail(['DaySchedules', day, 'StartTime'], firstFailure(StartTime, requiredClockTime('Start Time')));
      fail(['DaySchedules', day, 'StopTime'], firstFailure(StopTime, requiredClockTime('Stop Time')));
    }
  });

/** The account's own auto reply (AutoReplyMessage, IsAutoReplyOn). */
export function accountAutoReplyForm({ isOn }: { isOn: boolean }) {
  return z.object({ AutoReplyMessage: textField(...autoReplyMessage(isOn)) });
}

/** Ours: long enough for a word, short enough to be typed from a poster. */
const maxKeywordLength = 30;

/** A word that people text, and what they get back. */
export function keywordForm(options: { joinAsPrefix?: boolean } = {}) {
  return z.object({
    Keyword: trimmedField(
      required('Keyword'),
      reservedKeyword(options),
      alphanumeric(),
      maxTextLength(maxKeywordLength, `Keyword must be at most ${maxKeywordLength} characters`),
    ),
    Message: textField(...autoReplyMessage(true)),
    TextNumberIDs: z
      .array(z.number().int().positive(), { error: composeMessages.noTextNumber })
      .min(1, composeMessages.noTextNumber),
  });
}
