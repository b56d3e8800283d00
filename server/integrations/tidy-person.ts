import { validatePhone } from '../../contract/phone/validate-phone.ts';
import { limits } from '../../contract/reference/limits.ts';
import { toStorableText } from '../../contract/text/storable-text.ts';
import type { SourceContact } from '../outside/contact-source.ts';

/** A person in the format of contacts; undefined without a usable phone. */
export interface TidyPerson {
  key: string;
  firstName: string;
  lastName: string;
  phone1: string;
  phone2: string | null;
  phone3: string | null;
}

export function tidyPerson(contact: SourceContact, countryId: number): TidyPerson | undefined {
  const phones: string[] = [];
  for (const written of contact.phones) {
    const { phone } = validatePhone(written, countryId);
    if (phone !== undefined && !phones.includes(phone)) phones.push(phone);
    if (phones.length === 3) break;
  }
  const [phone1, phone2 = null, phone3 = null] = phones;
  if (phone1 === undefined) return undefined;
  return {
    key: toStorableText(contact.key).slice(0, 2000),
    firstName: tidyName(contact.firstName),
    lastName: tidyName(contact.lastName),
    ...{ phone1, phone2, phone3 },
  };
}

const plain = /^[ -~\u00a1-\u1fff]{0,50}$/;

function tidyName(text: string): string {
  const one = plain.test(text) ? text : toStorableText(text).replace(/[\p{Cc}\s]+/gu, ' ');
  return [...one.trim()].slice(0, limits.contactName).join('').trim();
}
