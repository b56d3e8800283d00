import type { Contact } from '../../../contract/contacts.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';

type Lined = Pick<
  Contact,
  'PrimaryPhone' | 'SecondaryPhone' | 'TertiaryPhone' | 'Lists' | 'Notes' | 'CustomData'
>;

/** Everything that distinguishes two contacts, in one line: phones, groups, notes, custom fields. */
export function contactLine(contact: Lined): string {
  const { PrimaryPhone, SecondaryPhone, TertiaryPhone, Lists, Notes, CustomData } = contact;
  return [
    [PrimaryPhone, SecondaryPhone, TertiaryPhone]
      .filter((phone) => phone !== '')
      .map(formatPhone)
      .join(', '),
    Lists.map(({ ListName }) => ListName).join(', '),
    Notes.trim(),
    Object.entries(CustomData)
      .map(([name, value]) => `${name}: ${value}`)
      .join(', '),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
