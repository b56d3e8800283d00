import { isInsideCallingWindow } from './calling-window.ts';
import { parseClockTime, sameTime } from './clock-time.ts';
import { type DayName, dayNames, hourMs, weekdayNames } from './wall-clock.ts';

/** Never, Always, Custom; a reply that is off is Never, AutoReplyTypeID 1 is Always, 2 Custom. */
export const autoReplyModes = ['Never', 'Always', 'Custom'] as const;
export type AutoReplyMode = (typeof autoReplyModes)[number];

const autoReplyScheduleTypes = ['Weekdays', 'EveryDay', 'Custom'] as const;
export type AutoReplyScheduleType = (typeof autoReplyScheduleTypes)[number];

/** Times in the format h:mm A. A stop before the start is on the next day; equal times are the whole day. */
export interface DayHours {
  StartTime: string;
  StopTime: string;
}
export type DaySchedules = { [day in DayName]?: DayHours | null };

export const defaultAutoReplyHours: DayHours = { StartTime: '08:00 AM', StopTime: '05:00 PM' };

/** Once per contact per 12 hours. */
export const autoReplyPauseMs = 12 * hourMs;
export const sampleAutoReplyId = 1000;

export interface AutoReplySchedule {
  Active: boolean;
  AutoReplyTypeID: 1 | 2;
  DaySchedules: DaySchedules | null;
}

export function autoReplyMode({
  Active,
  AutoReplyTypeID,
}: Pick<AutoReplySchedule, 'Active' | 'AutoReplyTypeID'>): AutoReplyMode {
  if (!Active) return 'Never';
  return AutoReplyTypeID === 1 ? 'Always' : 'Custom';
}

/** The fields that choosing a mode sets. Never keeps the type, so that switching it on again finds it. */
export function chooseAutoReplyMode<T extends Pick<AutoReplySchedule, 'Active' | 'AutoReplyTypeID'>>(
  reply: T,
  mode: AutoReplyMode,
): T {
  if (mode === 'Never') return { ...reply, Active: false };
  return { ...reply, Active: true, AutoReplyTypeID: mode === 'Always' ? 1 : 2 };
}

const isSameHours = (a: DayHours, b: DayHours) => {
  const times = [a.StartTime, b.StartTime, a.StopTime, b.StopTime].map(parseClockTime);
  const [startA, startB, stopA, stopB] = times;
  return startA && startB && stopA && stopB ? sameTime(startA, startB) && sameTime(stopA, stopB) : false;
};

/** Weekdays: the same hours Monday to Friday and none at the weekend. EveryDay: the same on all seven. */
export function deriveScheduleType(schedules: DaySchedules): AutoReplyScheduleType {
  const open = dayNames.filter((day) => schedules[day]);
  const hours = open.map((day) => schedules[day] ?? defaultAutoReplyHours);
  const first = hours[0];
  if (!first || !hours.every((one) => isSameHours(one, first))) return 'Custom';
  if (open.length === 7) return 'EveryDay';
  return open.length === 5 && weekdayNames.every((day) => open.includes(day)) ? 'Weekdays' : 'Custom';
}

/** The days of a schedule type with the same hours; Custom keeps what there is. */
export function chooseScheduleType(
  schedules: DaySchedules,
  type: AutoReplyScheduleType,
  hours: DayHours = defaultAutoReplyHours,
): DaySchedules {
  if (type === 'Custom') return schedules;
  const chosen: DaySchedules = {};
  for (const day of dayNames)
    chosen[day] = type === 'EveryDay' || weekdayNames.includes(day) ? { ...hours } : null;
  return chosen;
}

/** True if the reply is on at the instant, on the clocks of `zone`. */
export function isAutoReplyOn(reply: AutoReplySchedule, epochMs: number, zone: string): boolean {
  const mode = autoReplyMode(reply);
  if (mode !== 'Custom') return mode === 'Always';
  return dayNames.some((day) => {
    const hours = reply.DaySchedules?.[day];
    const start = hours && parseClockTime(hours.StartTime);
    const stop = hours && parseClockTime(hours.StopTime);
    if (!start || !stop) return false;
    const wholeDay = { Hour: 0, Minute: 0 };
    const isWhole = sameTime(start, stop);
    return isInsideCallingWindow(
      {
        CallingWindowDays: [day],
        StartTimeOfDay: isWhole ? wholeDay : start,
        StopTimeOfDay: isWhole ? wholeDay : stop,
      },
      epochMs,
      zone,
    );
  });
}

/** True if a contact who was last answered at `lastMs` may be answered again. */
export function isAutoReplyDue(lastMs: number | undefined, nowMs: number): boolean {
  return lastMs === undefined || nowMs - lastMs >= autoReplyPauseMs;
}
