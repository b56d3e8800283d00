import type { Conversation } from '../../contract/conversations.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';

type Named = Pick<Conversation, 'FirstName' | 'LastName' | 'PhoneNumber'>;

/** The contact's name, or the phone number if unknown. */
export function nameOf(person: Named): string {
  return knownName(person) || formatPhone(person.PhoneNumber);
}

/** The contact's name, or empty: the avatar then shows "#". */
export function knownName({ FirstName, LastName }: Pick<Named, 'FirstName' | 'LastName'>): string {
  return `${FirstName} ${LastName}`.trim();
}
