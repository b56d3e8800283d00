import type { Contact } from '../../../contract/contacts.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { fullName } from '../../queries/current-user.ts';

/** The name, or the phone of somebody who has none. */
export function nameOfContact(contact: Pick<Contact, 'FirstName' | 'LastName' | 'PrimaryPhone'>): string {
  return fullName(contact) || formatPhone(contact.PrimaryPhone);
}
