import { describe, expect, it } from 'vitest';
import type { BegunReply } from '../../queries/new-conversation.ts';
import { type Beginning, beginningBody, begunBy } from './begin-conversation.ts';

const entry: Beginning = {
  key: 'a',
  conversationId: 0,
  begins: {
    textNumberId: 7,
    recipients: [
      { PersonID: 12, name: 'Ana Bell', phone: '4235550142', hasOptedOut: false },
      { name: 'Bo de la Cruz', phone: '4235550143', hasOptedOut: false },
      { name: '', phone: '4235550144', hasOptedOut: false },
    ],
  },
  text: 'On my way',
  pictures: [],
  hasSignature: true,
  at: '2026-03-11T15:00:00.000Z',
  state: 'sending',
  isUnsure: false,
  reason: '',
  newestKnownId: 0,
  idempotencyKey: 'once',
};

describe('a text to somebody new', () => {
  it('says who wrote it, and carries names of people who are no contacts', () => {
    expect(beginningBody(entry, 5)).toEqual({
      TextNumberID: 7,
      IncludeSignature: true,
      KeepCharacters: false,
      LastMessage: {
        Contact: { PersonID: 12, PrimaryPhone: '4235550142' },
        Message: 'On my way',
        MmsOutboundMedia: [],
      },
      Contacts: [
        { PrimaryPhone: '4235550143', FirstName: 'Bo', LastName: 'de la Cruz' },
        { PrimaryPhone: '4235550144' },
      ],
      UserID: 5,
    });
  });

  it('is left for those who didn’t get it, with the server’s sentences', () => {
    const replyWith = (...errors: string[]) =>
      ({ Items: errors.map((error) => ({ Error: error })) }) as unknown as BegunReply;
    expect(begunBy(entry, replyWith('', '', ''))).toMatchObject({ result: 'sent' });
    expect(begunBy(entry, replyWith('Opted out.', '', 'No such number.'))).toMatchObject({
      result: 'partly',
      reason: 'Ana Bell: Opted out.\n(423) 555-0144: No such number.',
      begins: { textNumberId: 7, recipients: [{ PersonID: 12 }, { phone: '4235550144' }] },
    });
  });
});
