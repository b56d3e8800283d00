import type { Contact } from '../../contract/contacts.ts';
import { asynchronousMessages } from '../../contract/fields/asynchronous-checks.ts';
import { composeMessages } from '../../contract/forms/compose-text.ts';
import { parsePastedContacts } from '../../contract/forms/pasted-contacts.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { normalizePhone, wirePhone } from '../../contract/phone/normalize-phone.ts';
import { isInternational, phoneHint } from '../../contract/reference/countries.ts';
import { limits } from '../../contract/reference/limits.ts';
import type { Recipient } from '../queries/new-conversation.ts';

/** One entry per phone of a contact, because people choose a phone, not only a person. */
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
      isPrimary: phone === PrimaryPhone,
      hasOptedOut: phone === PrimaryPhone && PrimaryPhoneOptedOut,
    }));
  });
}

/** The typed text as a recipient; undefined for a name or an incomplete number. */
export function typedRecipient(text: string, countryId: number): Recipient | undefined {
  const phone = normalizePhone(text, countryId);
  if (phone === undefined) return undefined;
  return {
    name: '',
    phone: isInternational(countryId) ? wirePhone(phone, countryId) : phone,
    hasOptedOut: false,
  };
}

/** Removes duplicates by number. Recipients beyond the limit can still get a broadcast. */
export function addRecipients(
  before: readonly Recipient[],
  added: readonly Recipient[],
  countryId: number,
): { recipients: Recipient[]; repeated: number } {
  const digitsOf = ({ phone }: Recipient) => normalizePhone(phone, countryId) ?? phone;
  const seen = new Set(before.map(digitsOf));
  const recipients = [...before];
  let repeated = 0;
  for (const one of added) {
    if (seen.has(digitsOf(one))) repeated += 1;
    else {
      seen.add(digitsOf(one));
      recipients.push(one);
    }
  }
  return { recipients, repeated };
}

/** Splits pasted text into recipients and unreadable lines. */
export function pastedRecipients(text: string, countryId: number) {
  const { contacts, duplicates, invalid } = parsePastedContacts(text, { countryId });
  return {
    recipients: contacts.map(({ name, number }) => ({ name, phone: number, hasOptedOut: false })),
    repeated: duplicates.length,
    invalid,
  };
}

/** More than one number, or a number among other words, is a pasted list and not typing. */
export function isPastedList(text: string, countryId: number): boolean {
  return /[\r\n\t,;|]/.test(text.trim()) && pastedRecipients(text, countryId).recipients.length > 0;
}

/** The field's error in the spec's words. Unfinished typing counts. */
export function recipientsProblem(
  recipients: readonly Recipient[],
  typed: string,
  countryId: number,
): string | undefined {
  if (typed.trim() !== '' && typedRecipient(typed, countryId) === undefined) return phoneHint(countryId);
  if (recipients.length === 0 && typed.trim() === '') return composeMessages.noRecipient;
  if (recipients.length > limits.conversationRecipients) return composeMessages.tooManyRecipients;
  const [only] = recipients;
  return recipients.length === 1 && only?.hasOptedOut ? asynchronousMessages.optedOutOfTexts : undefined;
}

/** "Renee Castellano, (423) 555-0143" */
export function recipientLabel({ name, phone }: Recipient): string {
  return name === '' ? formatPhone(phone) : `${name}, ${formatPhone(phone)}`;
}
