import { z } from 'zod';
import { failures, flagField, trimmedField } from '../fields/form.ts';
import { requiredClockTime, startBeforeStop } from '../fields/time-rules.ts';
import { isAllDay } from '../time/calling-window.ts';
import { formatClockTime, parseClockTime, sameTime } from '../time/clock-time.ts';
import { dayNames, type TimeOfDay } from '../time/wall-clock.ts';

/** Days of the week by name, each once, in the week's order; none gives the message. */
export function daysField(message: string) {
  return z
    .array(z.string(), { error: message })
    .nullish()
    .transform((days) => dayNames.filter((day) => days?.includes(day)))
    .superRefine((days, context) => {
      if (days.length === 0) context.addIssue({ code: 'custom', message });
    });
}

export function timeField(label: string) {
  return trimmedField(...requiredClockTime(label));
}

export const noCallingDay = 'Select at least one Calling Day';

export const callingWindowFields = {
  CallingWindowDays: daysField(noCallingDay),
  startTimeText: timeField('Start Time'),
  stopTimeText: timeField('Stop Time'),
  ContinueOnNextDay: flagField(),
};

/**
 * A window whose stop lies before its start runs past midnight and is fine; one that stops when it starts
 * never opens, unless it is the all-day 12:00 AM to 12:00 AM.
 */
export function neverOpens(startTimeText: string, stopTimeText: string): string | undefined {
  const start = parseClockTime(startTimeText);
  const stop = parseClockTime(stopTimeText);
  if (!start || !stop || !sameTime(start, stop) || isAllDay({ StartTimeOfDay: start, StopTimeOfDay: stop })) {
    return undefined;
  }
  return startBeforeStop('Start Time');
}

/** Calling days and window. */
export const callingWindowForm = z.object(callingWindowFields).superRefine(
  failures(({ startTimeText, stopTimeText }) => ({
    startTimeText: neverOpens(startTimeText, stopTimeText),
  })),
);
export type CallingWindowForm = z.output<typeof callingWindowForm>;

/** The wire's fields from a form that passed. */
export function callingWindowPayload(form: CallingWindowForm) {
  return {
    CallingWindowDays: form.CallingWindowDays,
    StartTimeOfDay: timeOfPassedText(form.startTimeText),
    StopTimeOfDay: timeOfPassedText(form.stopTimeText),
    ContinueOnNextDay: form.ContinueOnNextDay,
  };
}

/** Form values of a saved window. */
export function callingWindowValues(window: {
  CallingWindowDays: readonly string[];
  StartTimeOfDay: TimeOfDay;
  StopTimeOfDay: TimeOfDay;
  ContinueOnNextDay: boolean;
}): CallingWindowForm {
  return {
    CallingWindowDays: dayNames.filter((day) => window.CallingWindowDays.includes(day)),
    startTimeText: formatClockTime(window.StartTimeOfDay),
    stopTimeText: formatClockTime(window.StopTimeOfDay),
    ContinueOnNextDay: window.ContinueOnNextDay,
  };
}

/** For texts that pass the form's rules; anything else is a bug. */
export function timeOfPassedText(text: string): TimeOfDay {
  const time = parseClockTime(text);
  if (!time) throw new Error(`not a time of day: ${text}`);
  return time;
}
