import { type CallingWindow, isAllDay } from '../../../contract/time/calling-window.ts';
import { formatClockTime } from '../../../contract/time/clock-time.ts';
import { describeDays } from '../../../contract/time/describe-days.ts';
import { dayNames, type TimeOfDay } from '../../../contract/time/wall-clock.ts';
import { clockWords } from '../../ui/clock-words.ts';

type Hours = Pick<CallingWindow, 'StartTimeOfDay' | 'StopTimeOfDay'>;

/** "9:00 AM to 9:00 PM", or "All day". */
export function hoursWords(hours: Hours): string {
  if (isAllDay(hours)) return 'All day';
  const word = (time: TimeOfDay) => clockWords(formatClockTime(time));
  return `${word(hours.StartTimeOfDay)} to ${word(hours.StopTimeOfDay)}`;
}

/** "Monday to Friday", "Every day". */
export function daysWords(days: readonly string[]): string {
  const words = describeDays(days);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Says what happens to the remaining calls when the window closes. A window that is always open never does. */
export function closingWords({ CallingWindowDays, ContinueOnNextDay, ...hours }: CallingWindow): string {
  if (isAllDay(hours) && CallingWindowDays.length === dayNames.length)
    return 'Goes on until everyone has been called';
  return ContinueOnNextDay ? 'Continues on the next calling day' : 'Stops when the window closes';
}
