import {
  dayNumber,
  hourMs,
  minuteMs,
  momentOf,
  momentOnDay,
  timeOfDayMs,
  wallMsAt,
  weekday,
} from '../../../contract/time/wall-clock.ts';
import { formatDate, formatTime, formatWeekday } from '../../ui/format.ts';

/** A short snooze time for a narrow row: "8:00 AM" today, "Tue 8:00 AM" within a week, then "March 10". */
export function formatUntil(at: string, now: number, zone: string): string {
  const days = dayNumber(wallMsAt(Date.parse(at), zone)) - dayNumber(wallMsAt(now, zone));
  if (days > 6) return formatDate(at, now, zone);
  const day = days === 0 ? '' : `${formatWeekday(at, zone)} `;
  return `${day}${formatTime(at, zone)}`;
}

export interface SnoozeChoice {
  label: string;
  at: number;
}

/** The start of the working day. */
const MORNING_MS = 8 * hourMs;
const EVENING_MS = 18 * hourMs;
const MONDAY = 1;

/** Likely snooze times, in the user's time zone. */
export function snoozeChoices(now: number, zone: string): SnoozeChoice[] {
  const wall = wallMsAt(now, zone);
  const today = dayNumber(wall);
  const inThreeHours = Math.ceil((wall + 3 * hourMs) / (30 * minuteMs)) * 30 * minuteMs;
  const choices: SnoozeChoice[] = [];
  if (dayNumber(inThreeHours) === today && timeOfDayMs(inThreeHours) <= EVENING_MS) {
    choices.push({ label: 'Later today', at: momentOf(inThreeHours, zone).epochMs });
  }
  choices.push({ label: 'Tomorrow', at: momentOnDay(today + 1, MORNING_MS, zone).epochMs });
  const daysToMonday = (MONDAY - weekday(today) + 7) % 7 || 7;
  // On Sunday, "Tomorrow" is already Monday.
  if (daysToMonday > 1) {
    choices.push({ label: 'Next Monday', at: momentOnDay(today + daysToMonday, MORNING_MS, zone).epochMs });
  }
  choices.push({ label: 'In four weeks', at: momentOnDay(today + 28, MORNING_MS, zone).epochMs });
  return choices;
}
