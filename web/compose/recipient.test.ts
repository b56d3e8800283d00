import { describe, expect, it } from 'vitest';
import type { Contact } from '../../contract/contacts.ts';
import { splitRecipients } from './broadcast-instead.ts';
import {
  addRecipients,
  isPastedList,
  pastedRecipients,
  recipientLabel,
  recipientsOf,
  recipientsProblem,
  typedRecipient,
} from './recipient.ts';

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

describe('recipientsProblem', () => {
  const [optedOut, other] = recipientsOf([renee]);
  it.each([
    [[], '', 'Please add a phone number'],
    [[], '555-0143', 'Must be 10 digits; use only numbers'],
    [[other], '555-0143', 'Must be 10 digits; use only numbers'],
    [[optedOut], '', 'This number has opted out of receiving texts.'],
    [[other], '', undefined],
    // Of several, those who can get it do; the chips say who can't.
    [[optedOut, other], '', undefined],
    [[], '(423) 555-0143', undefined],
  ])('case %#', (recipients, typed, problem) => {
    const given = recipients.filter((one) => one !== undefined);
    expect(recipientsProblem(given, typed, 1)).toBe(problem);
  });
});

describe('addRecipients', () => {
  const number = (line: number) => ({ name: '', phone: `423555${1000 + line}`, hasOptedOut: false });

  it('takes each number once, however it is written, and more than a conversation has room for', () => {
    const some = [number(1), { ...number(1), phone: '+1 (423) 555-1001' }, number(2)];
    expect(addRecipients([number(2)], some, 1)).toEqual({
      recipients: [number(2), number(1)],
      repeated: 2,
    });
    const many = Array.from({ length: 18 }, (_, line) => number(line));
    expect(addRecipients([], many, 1).recipients).toHaveLength(18);
    expect(recipientsProblem(many, '', 1)).toBe('You can text at most 15 people at a time.');
  });
});

it('reads a pasted list: who can be written to, and which lines are nobody', () => {
  const text = 'Ann Bell, 423-555-0101\nBo Cruz\t(423) 555-0102\nnobody\n4235550101';
  expect(isPastedList(text, 1)).toBe(true);
  const { recipients, repeated, invalid } = pastedRecipients(text, 1);
  expect(recipients.map(({ name, phone }) => [name, phone])).toEqual([
    ['Ann Bell', '4235550101'],
    ['Bo Cruz', '4235550102'],
  ]);
  expect([repeated, invalid.map(({ name }) => name)]).toEqual([1, ['nobody']]);
  expect(isPastedList('(423) 555-0101', 1)).toBe(false);
  expect(isPastedList('Castellano, Renee', 1)).toBe(false);
});

it('sends contacts to a broadcast as contacts only with the phone that it would use', () => {
  const typed = { name: 'Ann Bell', phone: '4235550101', hasOptedOut: false };
  expect(splitRecipients([...recipientsOf([renee]), typed])).toEqual({
    personIds: [3],
    numbers: [
      { PrimaryPhone: '4235550144', Name: 'Renee Castellano' },
      { PrimaryPhone: '4235550101', Name: 'Ann Bell' },
    ],
  });
});

it('names a recipient with and without a name', () => {
  expect(recipientsOf([renee]).map(recipientLabel)[0]).toBe('Renee Castellano, (423) 555-0143');
  expect(recipientLabel({ name: '', phone: '14235550143', hasOptedOut: false })).toBe('(423) 555-0143');
});
