import { z } from 'zod';
import { maxLength, required, requiredMessage } from '../fields/basic-rules.ts';
import { flagField, textField, trimmedField } from '../fields/form.ts';
import { firstFailure, type Rule } from '../fields/rule.ts';
import { dripStepStart, futureTimeInTimeZone, parseDay, timeString } from '../fields/time-rules.ts';
import { limits } from '../reference/limits.ts';
import { parseClockTime } from '../time/clock-time.ts';
import { dayMs, momentOf, msOfTimeOfDay } from '../time/wall-clock.ts';
import { composeMessages } from './compose-text.ts';

export interface DripContext {
  nowMs: number;
  /** The user's IANA zone: dates and times are read on its clocks. */
  zone: string;
  recipientCount: number;
  /**
   * Ours: it begins with something that each person does, and its steps come days after that, instead of on
   * dates.
   */
  isRelative?: boolean;
  /** Further rules for a step's message, such as its length and short URLs. */
  messageRules?: readonly Rule[];
}

/** Ours: a campaign is written by hand; a longer one is a mistake or an attack. */
const maxSteps = 100;

export const noName = 'Name must be at least 1 character.';
const noMessage = 'Message cannot be empty.';

const step = (messageRules: readonly Rule[]) =>
  z.object({
    message: textField(...messageRules),
    /** True if the step waits for its date and time; a first step without it goes out at once. */
    hasWait: flagField(),
    /** Ours: days after somebody joined, where that begins the campaign. */
    afterDays: z
      .number()
      .nullish()
      .transform((value) => value ?? null),
    hasMedia: flagField(),
    /** Ours: of a campaign that was started; its time is the one it had, which may have passed while it was paused. */
    hasOldTime: flagField(),
    /** Ours: it went out or never will, so the other steps don't wait for it. */
    isGone: flagField(),
    /** YYYY-MM-DD */
    date: trimmedField(),
    time: trimmedField(timeString('Time')),
  });
type DripStep = z.output<ReturnType<typeof step>>;

/** Ours. */
const badDays = `Days must be between 1 and ${limits.dripDays}.`;

export const noRecipients = 'Please add at least one valid recipient to your drip campaign.';

/** Ours: where people join a campaign, by what. */
export const noStart = {
  group: 'Choose the group whose new members get this campaign.',
  keyword: 'Choose the keyword that begins this campaign.',
} as const;

interface DripStart {
  startsOn: 'dates' | 'group' | 'keyword' | 'join';
  groupId: number | null;
  keywordId: number | null;
}

/** Ours: what is still to be chosen before a campaign can begin, by field. */
export function missingStart({ startsOn, groupId, keywordId }: DripStart): Record<string, string> {
  if (startsOn === 'group' && groupId === null) return { groupId: noStart.group };
  if (startsOn === 'keyword' && keywordId === null) return { keywordId: noStart.keyword };
  return {};
}

export function dripForm(context: DripContext) {
  return z
    .object({
      name: trimmedField(
        required('Name', noName),
        maxLength('Name', limits.dripName, `Name cannot be longer than ${limits.dripName} characters.`),
      ),
      textNumberId: z
        .number({ error: composeMessages.noTextNumber })
        .nullish()
        .transform((value) => value ?? 0),
      steps: z
        .array(step(context.messageRules ?? []), { error: noMessage })
        .min(1, noMessage)
        .max(maxSteps, `A drip campaign has at most ${maxSteps} steps.`),
    })
    .superRefine((values, check) => {
      const fail = (path: (string | number)[], message: string | undefined) => {
        if (message !== undefined) check.addIssue({ code: 'custom', path, message });
      };
      fail(['textNumberId'], values.textNumberId > 0 ? undefined : composeMessages.noTextNumber);
      for (const [index, { message, hasMedia }] of values.steps.entries())
        fail(['steps', index, 'message'], message.trim() === '' && !hasMedia ? noMessage : undefined);
      if (context.isRelative) {
        for (const [index, one] of values.steps.entries()) {
          if (index === 0 && !one.hasWait) continue;
          fail(['steps', index, 'afterDays'], daysFailure(one, values.steps[index - 1]));
          fail(['steps', index, 'time'], firstFailure(one.time, [required('Time')]));
        }
        return;
      }
      fail(['recipients'], context.recipientCount > 0 ? undefined : noRecipients);
      let previousMs: number | undefined;
      for (const [index, one] of values.steps.entries()) {
        if (one.isGone) continue;
        const isAtOnce = index === 0 && !one.hasWait;
        if (!isAtOnce) {
          fail(['steps', index, 'date'], dateFailure(one, previousMs, context));
          fail(['steps', index, 'time'], firstFailure(one.time, [required('Time')]));
        }
        const atOnceMs = one.hasOldTime ? undefined : context.nowMs;
        previousMs = isAtOnce ? atOnceMs : (dripStepMs(one, context.zone) ?? previousMs);
      }
    });
}

/** Days after somebody joined, later than the step before. */
function daysFailure(one: DripStep, before: DripStep | undefined): string | undefined {
  const { afterDays } = one;
  if (afterDays === null || !Number.isInteger(afterDays) || afterDays < 1 || afterDays > limits.dripDays)
    return badDays;
  return before?.hasWait
    ? firstFailure(afterJoiningMs(one), [dripStepStart(afterJoiningMs(before))])
    : undefined;
}

/** As if they had joined at the beginning of 1970; undefined without a time. */
function afterJoiningMs({ afterDays, time }: DripStep): number | undefined {
  const clock = parseClockTime(time);
  return clock === undefined ? undefined : (afterDays ?? 0) * dayMs + msOfTimeOfDay(clock);
}

/** A date without a time is not a moment yet; the time's own message is shown then. */
function dateFailure(one: DripStep, previousMs: number | undefined, { nowMs, zone }: DripContext) {
  if (parseDay(one.date) === undefined) return requiredMessage('Date');
  const startMs = dripStepMs(one, zone);
  if (startMs === undefined) return undefined;
  const order = firstFailure(startMs, [dripStepStart(previousMs)]);
  if (order !== undefined || one.hasOldTime) return order;
  return firstFailure(new Date(startMs).toISOString(), [futureTimeInTimeZone('Start Time', nowMs, zone)]);
}

/** The instant at which a step goes out, read on the clocks of the zone. */
export function dripStepMs(step: { date: string; time: string }, zone: string): number | undefined {
  return dripStepMoment(step, zone)?.epochMs;
}

/** The same, with how it was read: the clocks may skip its time, or show it twice. */
export function dripStepMoment({ date, time }: { date: string; time: string }, zone: string) {
  const day = parseDay(date);
  const clock = parseClockTime(time);
  return day === undefined || clock === undefined ? undefined : momentOf(day + msOfTimeOfDay(clock), zone);
}
