import { formatClockTime, timeOfMinutes } from './clock-time.ts';
import { describeDays } from './describe-days.ts';
import { deriveFrequency, endMs, type RepeatingSchedule } from './repeating-schedule.ts';
import { calendarDate, dayNumber, minuteMs, timeOfDayMs, wallMsAt } from './wall-clock.ts';

const monthNames =
  'January February March April May June July August September October November December'.split(' ');

/** "November 14, 2026". */
function formatDay(day: number): string {
  const date = calendarDate(day);
  return `${monthNames[date.month - 1]} ${date.day}, ${date.year}`;
}

/** "1st", "22nd", "13th". */
export function ordinal(n: number): string {
  const teens = n % 100 >= 11 && n % 100 <= 13;
  const ending = teens ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${ending}`;
}

function describeRepeat(schedule: RepeatingSchedule, startWallMs: number): string {
  const { Interval, IntervalFrequency, DaysOfWeek } = schedule;
  if (IntervalFrequency === 'days') return Interval === 1 ? 'Every day' : `Every ${Interval} days`;
  if (IntervalFrequency === 'weeks') {
    if (deriveFrequency(schedule) === 'Weekdays') return 'Every weekday (Monday to Friday)';
    const days = describeDays(DaysOfWeek);
    const every = Interval === 1 ? 'Every week' : `Every ${Interval} weeks`;
    return days === 'every day' ? `${every} on all days` : `${every} on ${days}`;
  }
  const { day } = calendarDate(dayNumber(startWallMs));
  const every = Interval === 1 ? 'Every month' : `Every ${Interval} months`;
  return `${every} on the ${ordinal(day)}${day > 28 ? ' (or the last day of a shorter month)' : ''}`;
}

/** ScheduleDescription, e.g. "Every 2 weeks on Monday and Friday at 9:00 AM, until December 24, 2026". */
export function describeSchedule(schedule: RepeatingSchedule, startWallMs: number, zone: string): string {
  const time = formatClockTime(timeOfMinutes(Math.floor(timeOfDayMs(startWallMs) / minuteMs)));
  const endsMs = endMs(schedule, zone);
  const until = Number.isFinite(endsMs) ? `, until ${formatDay(dayNumber(wallMsAt(endsMs, zone)))}` : '';
  return `${describeRepeat(schedule, startWallMs)} at ${time}${until}`;
}

/** "Monday to Friday, 9:00 AM to 9:00 PM". */
export function describeHours(days: readonly string[], start: string, stop: string): string {
  const text = describeDays(days);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}, ${start} to ${stop}`;
}
