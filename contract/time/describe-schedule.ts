import { say } from '../say.ts';
import { formatClockTime, timeOfMinutes } from './clock-time.ts';
import { describeDays, isEveryDay } from './describe-days.ts';
import { deriveFrequency, endMs, type RepeatingSchedule } from './repeating-schedule.ts';
import { calendarDate, dayNumber, minuteMs, timeOfDayMs, wallMsAt } from './wall-clock.ts';

const monthNames = [
  say('January', 'month'),
  say('February', 'month'),
  say('March', 'month'),
  say('April', 'month'),
  say('May', 'month'),
  say('June', 'month'),
  say('July', 'month'),
  say('August', 'month'),
  say('September', 'month'),
  say('October', 'month'),
  say('November', 'month'),
  say('December', 'month'),
];

/** Of "1st", "22nd", "13th". */
export function endingOf(n: number): string {
  const teens = n % 100 >= 11 && n % 100 <= 13;
  return teens ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
}

function describeRepeat(schedule: RepeatingSchedule, startWallMs: number): string {
  const { Interval, IntervalFrequency, DaysOfWeek } = schedule;
  if (IntervalFrequency === 'days') return Interval === 1 ? 'Every day' : `Every ${Interval} days`;
  if (IntervalFrequency === 'weeks') {
    if (deriveFrequency(schedule) === 'Weekdays') return 'Every weekday (Monday to Friday)';
    if (isEveryDay(DaysOfWeek))
      return Interval === 1 ? 'Every week on all days' : `Every ${Interval} weeks on all days`;
    const every = Interval === 1 ? 'Every week' : `Every ${Interval} weeks`;
    return `${every} on ${describeDays(DaysOfWeek)}`;
  }
  const { day } = calendarDate(dayNumber(startWallMs));
  const every = Interval === 1 ? 'Every month' : `Every ${Interval} months`;
  const rest = day > 28 ? ' (or the last day of a shorter month)' : '';
  switch (endingOf(day)) {
    case 'st':
      return `${every} on the ${day}st${rest}`;
    case 'nd':
      return `${every} on the ${day}nd${rest}`;
    case 'rd':
      return `${every} on the ${day}rd${rest}`;
    default:
      return `${every} on the ${day}th${rest}`;
  }
}

/** ScheduleDescription, e.g. "Every 2 weeks on Monday and Friday at 9:00 AM, until December 24, 2026". */
export function describeSchedule(schedule: RepeatingSchedule, startWallMs: number, zone: string): string {
  const time = formatClockTime(timeOfMinutes(Math.floor(timeOfDayMs(startWallMs) / minuteMs)));
  const repeat = describeRepeat(schedule, startWallMs);
  const endsMs = endMs(schedule, zone);
  if (!Number.isFinite(endsMs)) return `${repeat} at ${time}`;
  const until = calendarDate(dayNumber(wallMsAt(endsMs, zone)));
  const month = monthNames[until.month - 1];
  return `${repeat} at ${time}, until ${month} ${until.day}, ${until.year}`;
}

/** "Monday to Friday, 9:00 AM to 9:00 PM". */
export function describeHours(days: readonly string[], start: string, stop: string): string {
  const text = describeDays(days);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}, ${start} to ${stop}`;
}
