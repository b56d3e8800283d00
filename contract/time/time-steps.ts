import { formatClockTime, timeOfMinutes } from './clock-time.ts';
import type { TimeOfDay } from './wall-clock.ts';

/** Time pickers step by a quarter of an hour; auto replies by half an hour. */
export const timeStepMinutes = 15;
export const autoReplyStepMinutes = 30;
export type StepMinutes = typeof timeStepMinutes | typeof autoReplyStepMinutes;

/** The times of day that a picker offers, from 12:00 AM on. */
export function timeSteps(stepMinutes: StepMinutes): string[] {
  return Array.from({ length: 1440 / stepMinutes }, (_, index) =>
    formatClockTime(timeOfMinutes(index * stepMinutes)),
  );
}

/** The lengths offered for a calling window: from 30 up to 120 minutes. */
export function windowLengths(stepMinutes: StepMinutes): number[] {
  return Array.from({ length: (120 - 30) / stepMinutes + 1 }, (_, index) => 30 + index * stepMinutes);
}

/** The next step at or after the time; past the last one it is midnight of the next day. */
export function roundUpToStep(time: TimeOfDay, stepMinutes: StepMinutes): TimeOfDay & { isNextDay: boolean } {
  const minutes = Math.ceil((time.Hour * 60 + time.Minute) / stepMinutes) * stepMinutes;
  return { ...timeOfMinutes(minutes), isNextDay: minutes >= 1440 };
}
