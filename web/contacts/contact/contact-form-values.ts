import { z } from 'zod';
import { type CustomField, contactLimits, type WholeContact } from '../../../contract/contacts.ts';
import { maxLength } from '../../../contract/fields/basic-rules.ts';
import { trimmedField } from '../../../contract/fields/form.ts';
import { contactForm } from '../../../contract/forms/contact.ts';
import { typedPhone } from '../../../contract/phone/format-phone.ts';

export const phoneNames = ['PrimaryPhone', 'SecondaryPhone', 'TertiaryPhone'] as const;

export interface ContactValues {
  FirstName: string;
  LastName: string;
  Notes: string;
  PrimaryPhone: string;
  SecondaryPhone: string;
  TertiaryPhone: string;
  /** By fieldKey, because a field's own name may contain dots, which a form reads as a path. */
  Custom: Record<string, string>;
}

export function fieldKey({ FieldID }: Pick<CustomField, 'FieldID'>): `field${number}` {
  return `field${FieldID}`;
}

/** The shared rules of a contact, with one for each field of the organization's own. */
export function contactSchema(countryId: number, fields: readonly CustomField[]) {
  const custom = fields.map(
    (field) => [fieldKey(field), trimmedField(maxLength(field.Name, contactLimits.customValue))] as const,
  );
  return contactForm({ countryId }).extend({ Custom: z.object(Object.fromEntries(custom)) });
}

/** The initial values of the form: those of the contact, or only the phone for a new one. */
export function startValues(
  person: WholeContact | undefined,
  fields: readonly CustomField[],
  { phone = '', countryId = 1 }: { phone?: string | undefined; countryId?: number | undefined } = {},
): ContactValues {
  return {
    FirstName: person?.FirstName ?? '',
    LastName: person?.LastName ?? '',
    Notes: person?.Notes ?? '',
    PrimaryPhone: typedPhone(person?.PrimaryPhone ?? phone, countryId),
    SecondaryPhone: typedPhone(person?.SecondaryPhone ?? '', countryId),
    TertiaryPhone: typedPhone(person?.TertiaryPhone ?? '', countryId),
    Custom: Object.fromEntries(
      fields.map((field) => [fieldKey(field), person?.CustomData[field.Name] ?? '']),
    ),
  };
}

/**
 * The body as it is sent: custom values by the field's name, including empty ones, since those clear a value.
 */
export function contactBody({ Custom, ...rest }: ContactValues, fields: readonly CustomField[]) {
  return {
    ...rest,
    CustomData: Object.fromEntries(fields.map((field) => [field.Name, Custom[fieldKey(field)] ?? ''])),
  };
}

type FormPath = Exclude<keyof ContactValues, 'Custom'> | `Custom.${string}`;

/** The form's path for a field that the server refused; undefined for one that isn't shown. */
export function pathOfRefused(refused: string, fields: readonly CustomField[]): FormPath | undefined {
  if (refused.startsWith('CustomData.')) {
    const name = refused.slice('CustomData.'.length);
    const field = fields.find((one) => one.Name === name);
    return field && `Custom.${fieldKey(field)}`;
  }
  const own = ['FirstName', 'LastName', 'Notes', ...phoneNames] as const;
  return own.find((name) => name === refused);
}
