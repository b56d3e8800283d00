import { dayKey, formatCount, formatDate } from '../ui/format.ts';
import { locale } from '../ui/locale.ts';

/** "Good morning, Dana": morning until noon, afternoon until six, then evening. */
export function greeting(now: number, zone: string, firstName: string): string {
  const hour = Number(
    new Intl.DateTimeFormat(locale, { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }).format(now),
  );
  const words = hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening';
  return firstName === '' ? words : `${words}, ${firstName}`;
}

/** "Tuesday, March 10. 1 broadcast is going out, and 7 people are waiting for a reply." */
export function waitingSentence(now: number, zone: string, waiting: number, goingOut = 0): string {
  // Formats the zone's date at noon UTC, so that no time zone shifts it.
  const weekday = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: 'long' }).format(
    Date.parse(`${dayKey(now, zone)}T12:00:00Z`),
  );
  const day = `${weekday}, ${formatDate(now, now, zone)}.`;
  // Spanish writes days in lower case, and a sentence begins here.
  const today = day.charAt(0).toUpperCase() + day.slice(1);
  const broadcasts = goingOut === 1 ? 'broadcast is' : 'broadcasts are';
  const people = waiting === 1 ? 'person is' : 'people are';
  const parts = [
    ...(goingOut > 0 ? [`${formatCount(goingOut)} ${broadcasts} going out`] : []),
    waiting === 0 ? 'nobody is waiting for a reply' : `${formatCount(waiting)} ${people} waiting for a reply`,
  ];
  const [first = '', second] = parts;
  const sentence = second === undefined ? first : `${first}, and ${second}`;
  return `${today} ${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}
