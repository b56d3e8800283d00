import { domesticDigits } from '../phone/normalise-phone.ts';

/** What every contact has, as it stands between the double braces. Names of custom fields come beside these. */
export const contactMergeFields = ['FirstName', 'LastName', 'FullName', 'Notes', 'PhoneNumber'] as const;

/**
 * How a custom field is written between the braces: a token has no spaces. "Bus route" is {{Bus_route}}. What
 * can't stand in a token, or not at its beginning, becomes an underscore too.
 */
export function mergeFieldOf(customField: string): string {
  return customField
    .trim()
    .replace(/[^\p{L}\p{M}\p{N}_.\-#/&'’]+/gu, '_')
    .replace(/^[^\p{L}\p{N}_]/u, '_');
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

/** The values of one person, by the token. Custom fields first: none can take the place of a contact's own. */
export function mergeValues(person: MergeSource): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(person.customData ?? {})) values[mergeFieldOf(name)] = value;
  const { firstName, lastName, notes = '' } = person;
  const FullName = `${firstName} ${lastName}`.trim();
  const PhoneNumber = domesticDigits(person.phone);
  return { ...values, FirstName: firstName, LastName: lastName, FullName, Notes: notes, PhoneNumber };
}
