import { findOpening, isInsideCallingWindow, type OpenHours } from './calling-window.ts';
import { sameTime } from './clock-time.ts';
import {
  dayNameOf,
  dayNames,
  dayNumber,
  minuteMs,
  momentOnDay,
  msOfTimeOfDay,
  type TimeOfDay,
  wallMsAt,
} from './wall-clock.ts';

export const onceADayMinutes = 1440;

export interface NotificationSetting {
  IsActive: boolean;
  Type: 'TextUnread';
  PeriodMinutes: number;
  Method: 'Email' | 'Text';
  NotificationWindow: { Days: readonly string[]; StartTimeOfDay: TimeOfDay; StopTimeOfDay: TimeOfDay };
}

/** Window Monday-Sunday 9:00 AM-5:00 PM, every 15 minutes, type TextUnread. */
export const defaultNotificationSetting: NotificationSetting = {
  IsActive: false,
  Type: 'TextUnread',
  PeriodMinutes: 15,
  Method: 'Email',
  NotificationWindow: {
    Days: [...dayNames.slice(1), 'Sunday'],
    StartTimeOfDay: { Hour: 9, Minute: 0 },
    StopTimeOfDay: { Hour: 17, Minute: 0 },
  },
};

/** Ours: how often a user can be notified about unread texts. */
export const notificationPeriods = [15, 30, 60, 240, onceADayMinutes] as const;

type Timing = Pick<NotificationSetting, 'PeriodMinutes' | 'NotificationWindow'>;

/** All-day when start equals stop and period is not 1440. */
export function isNotificationAllDay({ PeriodMinutes, NotificationWindow }: Timing): boolean {
  return (
    sameTime(NotificationWindow.StartTimeOfDay, NotificationWindow.StopTimeOfDay) &&
    PeriodMinutes !== onceADayMinutes
  );
}

function openHours(setting: Timing): OpenHours {
  const { Days, StartTimeOfDay, StopTimeOfDay } = setting.NotificationWindow;
  const midnight = { Hour: 0, Minute: 0 };
  return isNotificationAllDay(setting)
    ? { CallingWindowDays: Days, StartTimeOfDay: midnight, StopTimeOfDay: midnight }
    : { CallingWindowDays: Days, StartTimeOfDay, StopTimeOfDay };
}

/** True if a notice may go out at the instant. Once a day: only in the minute of the start time. */
export function isInsideNotificationWindow(setting: Timing, epochMs: number, zone: string): boolean {
  if (setting.PeriodMinutes !== onceADayMinutes)
    return isInsideCallingWindow(openHours(setting), epochMs, zone);
  const atMs = nextDailyMs(setting, epochMs - minuteMs, zone);
  return atMs !== undefined && atMs <= epochMs;
}

/** The first start time on a chosen day after the instant. */
function nextDailyMs({ NotificationWindow }: Timing, afterMs: number, zone: string): number | undefined {
  const today = dayNumber(wallMsAt(afterMs, zone));
  for (let day = today; day <= today + 8; day++) {
    if (!NotificationWindow.Days.includes(dayNameOf(day))) continue;
    const { epochMs } = momentOnDay(day, msOfTimeOfDay(NotificationWindow.StartTimeOfDay), zone);
    if (epochMs > afterMs) return epochMs;
  }
  return undefined;
}

/**
 * Time of the next notice of unread texts: not before a period has passed since the last one, and inside the window.
 * Once a day it is at the window's start.
 */
export function nextNotificationMs(
  setting: Timing,
  { nowMs, lastMs }: { nowMs: number; lastMs?: number },
  zone: string,
): number | undefined {
  if (setting.PeriodMinutes === onceADayMinutes) {
    return nextDailyMs(setting, Math.max(nowMs - 1, lastMs ?? Number.NEGATIVE_INFINITY), zone);
  }
  const earliest = lastMs === undefined ? nowMs : Math.max(nowMs, lastMs + setting.PeriodMinutes * minuteMs);
  const opening = findOpening(openHours(setting), earliest, zone);
  return opening && Math.max(opening.opensMs, earliest);
}
