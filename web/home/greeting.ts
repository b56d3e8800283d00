import { dayKey, formatDate, formatSmall } from '../ui/format.ts';

/** "Good morning, Dana": until noon morning, until six afternoon, then evening. */
export function greeting(now: number, zone: string, firstName: string): string {
  const hour = Number(
    new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }).format(now),
  );
  const part = hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening';
  return firstName === '' ? `Good ${part}` : `Good ${part}, ${firstName}`;
}

/** "Tuesday, March 10. Seven people wait for an answer." */
export function waitingSentence(now: number, zone: string, waiting: number): string {
  // The day's own name, at noon UTC of the zone's date, so that no zone shifts it again.
  const weekday = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'long' }).format(
    Date.parse(`${dayKey(now, zone)}T12:00:00Z`),
  );
  const today = `${weekday}, ${formatDate(now, now, zone)}.`;
  if (waiting === 0) return `${today} Nobody waits for an answer.`;
  const many = formatSmall(waiting);
  const people = waiting === 1 ? 'person waits' : 'people wait';
  return `${today} ${many.charAt(0).toUpperCase()}${many.slice(1)} ${people} for an answer.`;
}
