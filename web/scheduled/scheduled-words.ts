import { formatPhone } from '../../contract/phone/format-phone.ts';
import type { ScheduledConversation } from '../../contract/scheduled.ts';
import { countOf } from '../ui/format.ts';

export type ScheduledPerson = ScheduledConversation['Contacts'][number];

/** The contact's name, or the number if unknown. */
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

/** The result in a sentence: "The text was sent to 2 of 3 people." */
export function sentWords(people: readonly ScheduledPerson[]): string {
  const reached = people.filter((person) => person.Error === '').length;
  if (reached === people.length) {
    return `The text was sent to ${people.length === 1 ? peopleWords(people) : countOf(people.length, 'person', 'people')}.`;
  }
  return `The text was sent to ${reached} of ${countOf(people.length, 'person', 'people')}.`;
}

export type ScheduledState = ScheduledConversation['Status'] | 'Due';

/** Its time has come but it isn't sent yet: a few seconds under load, longer while the server is down. */
export function stateOf(
  { Status, StartDate }: Pick<ScheduledConversation, 'Status' | 'StartDate'>,
  now: number,
): ScheduledState {
  return Status === 'Scheduled' && Date.parse(StartDate) <= now ? 'Due' : Status;
}
