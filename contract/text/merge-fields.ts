import { domesticDigits } from '../phone/normalize-phone.ts';
import { findPersonalizedFields, type PersonalizedField } from './personalized-fields.ts';

/**
 * The fields of every contact, as written between the double braces. Names of custom fields are added to
 * these.
 */
export const contactMergeFields = ['FirstName', 'LastName', 'FullName', 'Notes', 'PhoneNumber'] as const;

/**
 * Token of a custom field between the braces: a token has no spaces. "Bus route" is {{Bus_route}}. Characters that
 * aren't allowed in a token, or not at its beginning, become underscores too.
 */
export function mergeFieldOf(customField: string): string {
  return customField
    .trim()
    .replace(/[^\p{L}\p{M}\p{N}_.\-#/&'’]+/gu, '_')
    .replace(/^[^\p{L}\p{N}_]/u, '_');
}

/**
 * The fields of a text that no contact can have, as they are written: misspelled ones, and those of another list. Names
 * of custom fields are given as people know them.
 */
export function unknownMergeFields(text: string, customFields: readonly string[]): PersonalizedField[] {
  const known = new Set(
    [...contactMergeFields, ...customFields.map(mergeFieldOf)].map((name) => name.toLowerCase()),
  );
  return findPersonalizedFields(text).filter(
    ({ name }) => name.trim() !== '' && !known.has(name.toLowerCase()),
  );
}

/** Ours: the specification has no message for a field that doesn't exist. */
export function unknownFieldMessage(names: readonly string[]): string {
  const shown = [...new Set(names)].map((name) => `{{${name}}}`);
  return shown.length === 1
    ? `There is no personalized field ${shown[0]}. Correct it, or choose one with the personalize button.`
    : `There are no personalized fields ${shown.join(', ')}. Correct them, or choose others with the personalize button.`;
}

export interface MergeSource {
  firstName: string;
  lastName: string;
  notes?: string;
  /** International digits without the plus. */
  phone: string;
  /** By the field's name. */
  customData?: Readonly<Record<string, string>>;
}

/**
 * The values of one person, by the token. Custom fields come first, so that none can replace a contact's own
 * field.
 */
export function mergeValues(person: MergeSource): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(person.customData ?? {})) values[mergeFieldOf(name)] = value;
  const { firstName, lastName, notes = '' } = person;
  const FullName = `${firstName} ${lastName}`.trim();
  const PhoneNumber = domesticDigits(person.phone);
  return { ...values, FirstName: firstName, LastName: lastName, FullName, Notes: notes, PhoneNumber };
}
