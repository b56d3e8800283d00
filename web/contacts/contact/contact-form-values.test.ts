import { describe, expect, it } from 'vitest';
import type { CustomField, WholeContact } from '../../../contract/contacts.ts';
import { fieldErrors } from '../../../contract/fields/form.ts';
import { contactBody, contactSchema, pathOfRefused, startValues } from './contact-form-values.ts';

const fields: CustomField[] = [
  { FieldID: 3, Name: 'Bus no. (a.m.)' },
  { FieldID: 9, Name: 'Student' },
];
const person = {
  FirstName: 'Renee',
  LastName: 'Castellano',
  Notes: '',
  PrimaryPhone: '4235550143',
  SecondaryPhone: '',
  TertiaryPhone: '',
  CustomData: { Student: 'Mia' },
} as Partial<WholeContact> as WholeContact;

describe('the form of a contact', () => {
  it('shows a contact and returns it unchanged', () => {
    const values = startValues(person, fields);
    expect(values.PrimaryPhone).toBe('(423) 555-0143');
    expect(fieldErrors(contactSchema(1, fields), values)).toEqual({});
    expect(contactBody(values, fields)).toMatchObject({
      FirstName: 'Renee',
      PrimaryPhone: '(423) 555-0143',
      CustomData: { 'Bus no. (a.m.)': '', Student: 'Mia' },
    });
  });

  it('reports each problem at its field', () => {
    const values = { ...startValues(undefined, fields), Custom: { field3: '', field9: 'x'.repeat(501) } };
    expect(fieldErrors(contactSchema(1, fields), values)).toEqual({
      PrimaryPhone: 'Enter a Phone Number',
      'Custom.field9': 'Student must be at most 500 characters',
    });
  });

  it.each([
    ['SecondaryPhone', 'SecondaryPhone'],
    ['CustomData.Bus no. (a.m.)', 'Custom.field3'],
    ['CustomData.Gone', undefined],
    ['ListIDs', undefined],
  ])('puts a refusal of %s at %s', (refused, path) => expect(pathOfRefused(refused, fields)).toBe(path));
});
