import { dayNumber, wallMsAt } from '../../../contract/time/wall-clock.ts';
import { formatDay, formatTime } from '../../ui/format.ts';
import { say } from '../../ui/say.ts';

/** "Today at 4:52 PM", "Tomorrow at 8:00 AM", "Tuesday, March 10 at 8:00 AM". */
export function startWords(at: string, now: number, zone: string): string {
  return `${startDay(at, now, zone)} at ${formatTime(at, zone)}`;
}

/** "Today", "Tomorrow", "Tuesday, March 10". */
export function startDay(at: string, now: number, zone: string): string {
  return daysAhead(at, now, zone) === 1 ? say('Tomorrow') : formatDay(at, now, zone);
}

function daysAhead(at: string, now: number, zone: string): number {
  return dayNumber(wallMsAt(Date.parse(at), zone)) - dayNumber(wallMsAt(now, zone));
}

/** The same inside a sentence: "today at 4:52 PM"; weekdays keep their capital. */
export function spokenStart(at: string, now: number, zone: string): string {
  const words = startWords(at, now, zone);
  const isNamed = Math.abs(daysAhead(at, now, zone)) <= 1;
  return isNamed ? words.charAt(0).toLowerCase() + words.slice(1) : words;
}
