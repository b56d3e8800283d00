import type { Contact } from '../../contract/contacts.ts';
import { asynchronousMessages } from '../../contract/fields/asynchronous-checks.ts';
import { composeMessages } from '../../contract/forms/compose-text.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { normalisePhone } from '../../contract/phone/normalise-phone.ts';
import { phoneHint } from '../../contract/reference/countries.ts';

/** Somebody of the contacts, or a number that was typed. */
export interface Recipient {
  PersonID?: number;
  name: string;
  /** As it was written down or typed. */
  phone: string;
  hasOptedOut: boolean;
}

/** A contact once for every number they have: one chooses a phone, not only a person. */
export function recipientsOf(contacts: readonly Contact[]): Recipient[] {
  return contacts.flatMap((contact) => {
    const {
      PersonID,
      FirstName,
      LastName,
      PrimaryPhone,
      SecondaryPhone,
      TertiaryPhone,
      PrimaryPhoneOptedOut,
    } = contact;
    const phones = [...new Set([PrimaryPhone, SecondaryPhone, TertiaryPhone])].filter(
      (phone) => phone !== '',
    );
    return phones.map((phone) => ({
      PersonID,
      name: `${FirstName} ${LastName}`.trim(),
      phone,
      hasOptedOut: phone === PrimaryPhone && PrimaryPhoneOptedOut,
    }));
  });
}

/** What was typed, as somebody to write to: undefined for a name or half a number. */
export function typedRecipient(text: string, countryId: number): Recipient | undefined {
  const phone = normalisePhone(text, countryId);
  return phone === undefined ? undefined : { name: '', phone, hasOptedOut: false };
}

/** Why the field can't be used as it is, in the specification's words. */
export function recipientProblem(
  recipient: Recipient | null,
  typed: string,
  countryId: number,
): string | undefined {
  if (recipient) return recipient.hasOptedOut ? asynchronousMessages.optedOutOfTexts : undefined;
  return typed.trim() === '' ? composeMessages.noRecipient : phoneHint(countryId);
}

/** "Renee Castellano, (423) 555-0143" */
export function recipientLabel({ name, phone }: Recipient): string {
  return name === '' ? formatPhone(phone) : `${name}, ${formatPhone(phone)}`;
}
