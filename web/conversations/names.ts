import type { Conversation } from '../../contract/conversations.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';

type Named = Pick<Conversation, 'FirstName' | 'LastName' | 'PhoneNumber'>;

/** The person's name, or the number where nobody is known. */
export function nameOf(person: Named): string {
  return knownName(person) || formatPhone(person.PhoneNumber);
}

/** The person's name, or nothing: the face of somebody without a name is "#". */
export function knownName({ FirstName, LastName }: Pick<Named, 'FirstName' | 'LastName'>): string {
  return `${FirstName} ${LastName}`.trim();
}
