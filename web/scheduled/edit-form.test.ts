import { describe, expect, it } from 'vitest';
import type { ScheduledConversation } from '../../contract/scheduled.ts';
import { bodyOf, draftOf, editErrors, refusedFields, startOf } from './edit-form.ts';

const zone = 'America/New_York';
const now = Date.parse('2026-03-10T14:00:00Z');
const one: ScheduledConversation = {
  ScheduledConversationID: 1,
  Status: 'Scheduled',
  StartDate: '2026-03-10T14:05:42.000Z',
  TextNumberID: 7,
  TextMessage: 'The bus is late',
  Media: [],
  IncludeSignature: false,
  KeepCharacters: false,
  Contacts: [
    {
      PersonID: 12,
      FirstName: 'Ana',
      LastName: 'Lopez',
      PhoneNumber: '4235550123',
      TextMessage: null,
      ConversationID: null,
      Error: '',
    },
    {
      PersonID: null,
      FirstName: '',
      LastName: '',
      PhoneNumber: '4235550124',
      TextMessage: 'Yours alone',
      ConversationID: null,
      Error: '',
    },
  ],
  User: { UserID: 1, Name: 'Dana Whitfield' },
  CreateTimestamp: '2026-03-10T13:00:00Z',
  EndTimestamp: null,
  Error: '',
};
const around = { one, zone, now, limit: 160, signature: undefined };
const draft = draftOf(one, zone);

describe('the time', () => {
  it('is in the user’s zone, and keeps its seconds when it isn’t changed', () => {
    expect(draft.start).toBe('2026-03-10T10:05');
    expect(startOf(draft, around)).toBe(Date.parse(one.StartDate));
    expect(startOf({ ...draft, start: '2026-03-11T08:00' }, around)).toBe(Date.parse('2026-03-11T12:00:00Z'));
  });

  it.each([
    ['', 'Enter a Start Time'],
    ['2026-03-10T09:59', 'Your start date and time cannot be in the past.'],
    ['2028-03-10T09:59', 'Your start date and time is too far in the future.'],
    ['2026-03-10T10:05', undefined],
  ])('%s: %s', (start, error) => {
    expect(editErrors({ ...draft, start }, around).start).toBe(error);
  });
});

describe('editErrors', () => {
  it('needs a recipient, and no text', () => {
    expect(editErrors({ ...draft, people: [], text: '' }, around)).toEqual({
      people: 'Please add a phone number',
    });
  });

  it('holds text and signature against the limit', () => {
    const text = 'a'.repeat(150);
    expect(editErrors({ ...draft, text }, around)).toEqual({});
    expect(editErrors({ ...draft, text }, { ...around, signature: 'Dana, main office' }).text).toMatch(/160/);
  });
});

describe('the scheduled text’s body', () => {
  it('names contacts by their id, and keeps the texts of their own', () => {
    expect(bodyOf(draft, now)).toMatchObject({
      Contacts: [
        { PersonID: 12, PrimaryPhone: '4235550123' },
        { PrimaryPhone: '4235550124', TextMessage: 'Yours alone' },
      ],
      TextNumberID: 7,
      TextMessage: 'The bus is late',
      PrimaryPhoneNumbersOnly: true,
      StartDate: '2026-03-10T14:00:00.000Z',
    });
    expect(bodyOf(draft, now).Contacts[0]).not.toHaveProperty('TextMessage');
    expect(bodyOf(draft, now).Contacts[1]).not.toHaveProperty('PersonID');
  });

  it('a refusal finds its field', () => {
    const messages = { 'Contacts.0.PrimaryPhone': 'Opted out', StartDate: 'Past', Media: 'Gone' };
    expect(refusedFields(messages, one.Contacts)).toEqual({
      people: 'Ana Lopez: Opted out',
      start: 'Past',
      form: 'Gone',
    });
    expect(refusedFields({ Contacts: 'Too many' }, one.Contacts)).toEqual({ people: 'Too many' });
  });
});
