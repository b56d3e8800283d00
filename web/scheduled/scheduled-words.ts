import { formatPhone } from '../../contract/phone/format-phone.ts';
import type { ScheduledConversation } from '../../contract/scheduled.ts';
import { dayNumber, wallMsAt } from '../../contract/time/wall-clock.ts';
import { countOf, formatDay, formatTime } from '../ui/format.ts';

export type ScheduledPerson = ScheduledConversation['Contacts'][number];

/** "Today at 4:52 PM", "Tomorrow at 8:00 AM", "Tuesday, March 10 at 8:00 AM". */
export function startWords(at: string, now: number, zone: string): string {
  const days = dayNumber(wallMsAt(Date.parse(at), zone)) - dayNumber(wallMsAt(now, zone));
  return `${days === 1 ? 'Tomorrow' : formatDay(at, now, zone)} at ${formatTime(at, zone)}`;
}

/** The same inside a sentence: "today at 4:52 PM"; weekdays keep their capital. */
export function spokenStart(at: string, now: number, zone: string): string {
  return startWords(at, now, zone).replace(/^(Today|Tomorrow|Yesterday)/, (word) => word.toLowerCase());
}

/** The person's name, or the number where nobody is known. */
export function personName({ FirstName, LastName, PhoneNumber }: ScheduledPerson): string {
  return `${FirstName} ${LastName}`.trim() || formatPhone(PhoneNumber);
}

/** "Maria Lopez", "Maria Lopez and Jon Smith", "Maria Lopez and 3 others". */
export function peopleWords(people: readonly ScheduledPerson[]): string {
  const [first, second] = people.map(personName);
  if (first === undefined) return 'nobody';
  if (second === undefined) return first;
  return people.length === 2 ? `${first} and ${second}` : `${first} and ${people.length - 1} others`;
}

/** What became of it, in a sentence: "The text was sent to 2 of 3 people." */
export function sentWords(people: readonly ScheduledPerson[]): string {
  const reached = people.filter((person) => person.Error === '').length;
  if (reached === people.length) {
    return `The text was sent to ${people.length === 1 ? peopleWords(people) : countOf(people.length, 'person', 'people')}.`;
  }
  return `The text was sent to ${reached} of ${countOf(people.length, 'person', 'people')}.`;
}

export type ScheduledState = ScheduledConversation['Status'] | 'Due';

/** Its minute has come and it isn't sent yet: at the busiest for seconds, longer while the server is down. */
export function stateOf(
  { Status, StartDate }: Pick<ScheduledConversation, 'Status' | 'StartDate'>,
  now: number,
): ScheduledState {
  return Status === 'Scheduled' && Date.parse(StartDate) <= now ? 'Due' : Status;
}
