import { describe, expect, it } from 'vitest';
import type { Contact } from '../../contract/contacts.ts';
import { recipientLabel, recipientProblem, recipientsOf, typedRecipient } from './recipient.ts';

const renee: Contact = {
  PersonID: 3,
  FirstName: 'Renee',
  LastName: 'Castellano',
  Notes: '',
  PrimaryPhone: '4235550143',
  SecondaryPhone: '4235550144',
  TertiaryPhone: '4235550143',
  PrimaryPhoneTextable: true,
  SecondaryPhoneTextable: true,
  TertiaryPhoneTextable: true,
  PrimaryPhoneError: '',
  PrimaryPhoneOptedIn: false,
  PrimaryPhoneOptedOut: true,
  CustomData: {},
  Lists: [],
  LastTextTimestamp: null,
  LastTextStatus: '',
  CreateTimestamp: '2026-03-10T14:00:00.000Z',
};

it('offers a contact once for every number, and knows which one has opted out', () => {
  expect(recipientsOf([renee]).map(({ phone, hasOptedOut }) => [phone, hasOptedOut])).toEqual([
    ['4235550143', true],
    ['4235550144', false],
  ]);
  expect(recipientsOf([{ ...renee, PrimaryPhone: '', SecondaryPhone: '', TertiaryPhone: '' }])).toEqual([]);
});

it('takes a typed number however it is written', () => {
  for (const typed of ['423-555-0143', '(423) 555 0143', '+1 4235550143']) {
    expect(typedRecipient(typed, 1)?.phone).toBe('14235550143');
  }
  expect(typedRecipient('Renee', 1)).toBeUndefined();
  expect(typedRecipient('555-0143', 1)).toBeUndefined();
});

describe('recipientProblem', () => {
  it.each([
    [null, '', 'Please add a phone number'],
    [null, '555-0143', 'Must be 10 digits; use only numbers'],
    [recipientsOf([renee])[0] ?? null, '', 'This number has opted out of receiving texts.'],
    [recipientsOf([renee])[1] ?? null, '', undefined],
  ])('case %#', (recipient, typed, problem) => {
    expect(recipientProblem(recipient, typed, 1)).toBe(problem);
  });
});

it('names a recipient with and without a name', () => {
  expect(recipientsOf([renee]).map(recipientLabel)[0]).toBe('Renee Castellano, (423) 555-0143');
  expect(recipientLabel({ name: '', phone: '14235550143', hasOptedOut: false })).toBe('(423) 555-0143');
});
