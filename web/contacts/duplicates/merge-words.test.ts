import { expect, it } from 'vitest';
import { contactLine } from './merge-words.ts';

const nothing = {
  PrimaryPhone: '',
  SecondaryPhone: '',
  TertiaryPhone: '',
  Lists: [],
  Notes: '',
  CustomData: {},
};

it('distinguishes contacts by all their details, and leaves out empty ones', () => {
  expect(contactLine(nothing)).toBe('');
  const full = {
    ...nothing,
    PrimaryPhone: '4235550143',
    TertiaryPhone: '4235550144',
    Lists: [
      { ListID: 1, ListName: 'Staff', Color: 0 },
      { ListID: 2, ListName: 'PTA', Color: 0 },
    ],
    Notes: ' Works until 2 ',
    CustomData: { Bus: '14' },
  };
  expect(contactLine(full)).toBe('(423) 555-0143, (423) 555-0144 · Staff, PTA · Works until 2 · Bus: 14');
});
