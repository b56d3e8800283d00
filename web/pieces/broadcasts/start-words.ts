import { dayNumber, wallMsAt } from '../../../contract/time/wall-clock.ts';
import { formatDay, formatTime } from '../../ui/format.ts';

/** "Today at 4:52 PM", "Tomorrow at 8:00 AM", "Tuesday, March 10 at 8:00 AM". */
export function startWords(at: string, now: number, zone: string): string {
  const days = dayNumber(wallMsAt(Date.parse(at), zone)) - dayNumber(wallMsAt(now, zone));
  return `${days === 1 ? 'Tomorrow' : formatDay(at, now, zone)} at ${formatTime(at, zone)}`;
}

/** The same inside a sentence: "today at 4:52 PM"; weekdays keep their capital. */
export function spokenStart(at: string, now: number, zone: string): string {
  return startWords(at, now, zone).replace(/^(Today|Tomorrow|Yesterday)/, (word) => word.toLowerCase());
}
