import type { z } from 'zod';
import type { CallInput } from '../../contract/call.ts';
import { fieldErrors } from '../../contract/fields/form.ts';
import { textNumberSettingsForm } from '../../contract/forms/text-number-settings.ts';
import type { TextNumber, updateTextNumber } from '../../contract/numbers.ts';
import { formatClockTime, minutesOf, parseClockTime, timeOfMinutes } from '../../contract/time/clock-time.ts';
import { notificationPeriods, onceADayMinutes } from '../../contract/time/notification-window.ts';
import type { DayName } from '../../contract/time/wall-clock.ts';
import { isWholeDay } from './form-parts.tsx';

/** The dialog's values, with the names of the contract's form. */
export interface NumberSettings extends z.input<typeof textNumberSettingsForm> {
  Name: string;
  Description: string;
  IsDefault: boolean;
  IsActive: boolean;
  Method: 'Email' | 'Text';
  PeriodMinutes: number;
  Days: DayName[];
  startTimeText: string;
  stopTimeText: string;
  BrowserNotificationsEnabled: boolean;
  AudioNotificationsEnabled: boolean;
}

export function settingsOf(number: TextNumber): NumberSettings {
  const { IsActive, Method, PeriodMinutes, NotificationWindow } = number.Notifications;
  return {
    Name: number.Name,
    Description: number.Description,
    IsDefault: number.IsDefault,
    IsActive,
    Method,
    PeriodMinutes,
    Days: [...NotificationWindow.Days],
    startTimeText: formatClockTime(NotificationWindow.StartTimeOfDay),
    stopTimeText: formatClockTime(NotificationWindow.StopTimeOfDay),
    BrowserNotificationsEnabled: number.BrowserNotificationsEnabled,
    AudioNotificationsEnabled: number.AudioNotificationsEnabled,
  };
}

/** The contract's errors by field. "Once a day" has a time and no window, so its end is hidden. */
export function settingsProblems(settings: NumberSettings, number: TextNumber): Record<string, string> {
  return fieldErrors(textNumberSettingsForm, withDailyStop(withSavedWindow(settings, number)));
}

/** With notifications off, their window is hidden. The saved one stays, so that nothing hidden is in the way of Save. */
function withSavedWindow(settings: NumberSettings, number: TextNumber): NumberSettings {
  if (settings.IsActive) return settings;
  const { PeriodMinutes, Days, startTimeText, stopTimeText } = settingsOf(number);
  return { ...settings, PeriodMinutes, Days, startTimeText, stopTimeText };
}

function withDailyStop(settings: NumberSettings): NumberSettings {
  const start = parseClockTime(settings.startTimeText);
  if (settings.PeriodMinutes !== onceADayMinutes || !start) return settings;
  // Before midnight, because the window must end after it starts on the same day.
  const stop = timeOfMinutes(Math.min(minutesOf(start) + 30, 1439));
  return { ...settings, stopTimeText: formatClockTime(stop) };
}

/** The request: only admins send the number's own settings, and the default only if it becomes this number. */
export function changesOf(
  settings: NumberSettings,
  number: TextNumber,
  canManage: boolean,
): CallInput<typeof updateTextNumber>['body'] {
  const { startTimeText, stopTimeText, Days, PeriodMinutes } = withDailyStop(
    withSavedWindow(settings, number),
  );
  const midnight = { Hour: 0, Minute: 0 };
  return {
    ...(canManage && { Name: settings.Name, Description: settings.Description }),
    ...(canManage && settings.IsDefault && !number.IsDefault && { IsDefault: true as const }),
    Notifications: {
      IsActive: settings.IsActive,
      Type: 'TextUnread',
      PeriodMinutes,
      Method: settings.Method,
      NotificationWindow: {
        Days,
        StartTimeOfDay: parseClockTime(startTimeText) ?? midnight,
        StopTimeOfDay: parseClockTime(stopTimeText) ?? midnight,
      },
    },
    BrowserNotificationsEnabled: settings.BrowserNotificationsEnabled,
    AudioNotificationsEnabled: settings.AudioNotificationsEnabled,
  };
}

/** Turns "All day" on and off. Off resets to office hours. */
export function withAllDay(settings: NumberSettings, isAllDay: boolean): NumberSettings {
  return isAllDay
    ? { ...settings, startTimeText: '12:00 AM', stopTimeText: '12:00 AM' }
    : { ...settings, startTimeText: '9:00 AM', stopTimeText: '5:00 PM' };
}

/** Another period. Leaving "Once a day" restores the window's hours. */
export function withPeriod(settings: NumberSettings, PeriodMinutes: number): NumberSettings {
  const next = { ...settings, PeriodMinutes };
  const isWhole = isWholeDay(next.startTimeText, next.stopTimeText);
  return PeriodMinutes === onceADayMinutes && isWhole ? withAllDay(next, false) : next;
}

function periodWords(minutes: number): string {
  if (minutes === onceADayMinutes) return 'Once a day';
  if (minutes === 60) return 'Every hour';
  return minutes % 60 === 0 ? `Every ${minutes / 60} hours` : `Every ${minutes} minutes`;
}

export function periodChoices(set: number): { value: string; label: string }[] {
  const offered: number[] = [...notificationPeriods];
  const all = offered.includes(set) ? offered : [...offered, set].sort((one, other) => one - other);
  return all.map((minutes) => ({ value: String(minutes), label: periodWords(minutes) }));
}
