import type { Conversation } from '../../contract/conversations.ts';
import type { TextNumber } from '../../contract/numbers.ts';
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

/** "Main office", or the number of one without a name. */
export function textNumberName({
  Name,
  TextPhoneNumber,
}: Pick<TextNumber, 'Name' | 'TextPhoneNumber'>): string {
  return Name.trim() || formatPhone(TextPhoneNumber);
}

/** "Main office, (423) 555-0100" */
export function textNumberLine({
  Name,
  TextPhoneNumber,
}: Pick<TextNumber, 'Name' | 'TextPhoneNumber'>): string {
  const phone = formatPhone(TextPhoneNumber);
  return Name.trim() ? `${Name.trim()}, ${phone}` : phone;
}
