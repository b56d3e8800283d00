import {
  isInsideCallingWindow,
  type OpenHours,
  outsideCallingWindowMessage,
} from '../time/calling-window.ts';
import { minutesOf, parseClockTime } from '../time/clock-time.ts';
import { parseMoment, parseWall } from '../time/wall-clock.ts';
import { required } from './basic-rules.ts';
import { type Rule, ruleThat } from './rule.ts';

/** Rules about times. Times of day are texts ("5:00 PM"); moments are milliseconds; `nowMs` is the caller's clock. */

export function timeString(
  label: string,
  message = `${label} must follow the format 5:00 AM or 5:00 PM.`,
): Rule {
  return ruleThat((value) => parseClockTime(value) !== undefined, message);
}

/** The same rule in the words of the settings dialogs. */
export function clockFormat(label: string): Rule {
  return timeString(label, `${label} must follow the format h:mm A (Ex: 5:00 PM).`);
}

/** A time of day that has to be given. */
export function requiredClockTime(label: string): Rule[] {
  return [required(label), clockFormat(label)];
}

export function startBeforeStop(label: string): string {
  return `${label} must be before stop time`;
}

/** Passes while one of the two isn't a time: that field's own rule reports it. */
export function startTimeBeforeStopTime(label: string, stopTime: string): Rule {
  const stop = parseClockTime(stopTime);
  return (value) => {
    const start = parseClockTime(value);
    if (!start || !stop || minutesOf(start) < minutesOf(stop)) return undefined;
    return startBeforeStop(label);
  };
}

export function futureTime(label: string, nowMs: number): Rule<number | undefined> {
  return (value) => (value === undefined || value > nowMs ? undefined : `${label} must be in the future.`);
}

/** A date and time as typed ("2026-11-15T09:00"), read on the clocks of the user's zone. */
export function futureTimeInTimeZone(label: string, nowMs: number, zone: string): Rule {
  return ruleThat((value) => {
    const moment = parseMoment(value, zone);
    return moment === undefined || moment.epochMs > nowMs;
  }, `${label} must be in the future as per your timezone settings`);
}

export function callingWindow(label: string, window: OpenHours, zone: string): Rule<number | undefined> {
  return (value) =>
    value === undefined || isInsideCallingWindow(window, value, zone)
      ? undefined
      : outsideCallingWindowMessage(label);
}

export const earlierThanPreviousStep = 'Your start date and time cannot be earlier than previous step.';

/** Later than the previous step: two texts at the same moment would arrive in any order. */
export function dripStepStart(previousStepMs: number | undefined): Rule<number | undefined> {
  return (value) =>
    value === undefined || previousStepMs === undefined || value > previousStepMs
      ? undefined
      : earlierThanPreviousStep;
}

/** A date alone ("2026-11-15"), as the wall clock reading at its beginning. */
export function parseDay(text: string): number | undefined {
  return text.length === 'YYYY-MM-DD'.length ? parseWall(text) : undefined;
}
