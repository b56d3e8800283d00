import { dayKey, formatDate, formatSmall } from '../ui/format.ts';

/** "Good morning, Dana": until noon morning, until six afternoon, then evening. */
export function greeting(now: number, zone: string, firstName: string): string {
  const hour = Number(
    new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }).format(now),
  );
  const part = hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening';
  return firstName === '' ? `Good ${part}` : `Good ${part}, ${firstName}`;
}

/** "Tuesday, March 10. One broadcast is going out, seven people wait for an answer." */
export function waitingSentence(now: number, zone: string, waiting: number, goingOut = 0): string {
  // The day's own name, at noon UTC of the zone's date, so that no zone shifts it again.
  const weekday = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'long' }).format(
    Date.parse(`${dayKey(now, zone)}T12:00:00Z`),
  );
  const today = `${weekday}, ${formatDate(now, now, zone)}.`;
  const broadcasts = goingOut === 1 ? 'broadcast is' : 'broadcasts are';
  const people = waiting === 1 ? 'person waits' : 'people wait';
  const parts = [
    ...(goingOut > 0 ? [`${formatSmall(goingOut)} ${broadcasts} going out`] : []),
    waiting === 0 ? 'nobody waits for an answer' : `${formatSmall(waiting)} ${people} for an answer`,
  ];
  const sentence = parts.join(', ');
  return `${today} ${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}
