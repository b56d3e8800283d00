import { describe, expect, it } from 'vitest';
import type { Account } from '../../../../contract/accounts.ts';
import { secondTextMessages } from '../../../../contract/forms/second-text.ts';
import { messageProblems } from './message-state.ts';

const account = {
  CountryID: 1,
  Profile: { PrependOrganizationToText: false },
  CurrentUser: {
    TextMessageCharacterLimit: 160,
    Signature: { IsEnabled: true, SignatureText: 'Harlow Creek Schools' },
  },
} as Account;
const written = {
  BroadcastType: 'GroupSMS',
  startOption: 'START_IMMEDIATELY',
  TextMessage: 'Picture day is on Thursday.',
  Media: [],
  IncludeSignature: false,
  KeepCharacters: false,
  ShortenLinks: false,
  LinkBase: '',
  SecondText: null,
  TextNumberCount: 200,
  IsAdding: false,
  IsTextSurvey: false,
  TextSurveyAutoReplies: [],
} as const;
type Written = Parameters<typeof messageProblems>[0];
const problems = (changed: Partial<Written>) =>
  messageProblems({ ...written, Media: [], TextSurveyAutoReplies: [], ...changed }, account);

describe('problems of a text', () => {
  it('are none for an ordinary text', () => {
    expect(problems({})).toEqual({ text: undefined, yes: undefined, no: undefined });
  });
  it('are that it is missing, too long with the signature, or has a shortened link', () => {
    expect(problems({ TextMessage: '' }).text).toBe('Enter a Text Message');
    expect(problems({ TextMessage: 'x'.repeat(150) }).text).toBeUndefined();
    expect(problems({ TextMessage: 'x'.repeat(150), IncludeSignature: true }).text).toBe(
      "Can't exceed 160 characters.",
    );
    expect(problems({ TextMessage: 'See bit.ly/x' }).text).toBe(
      'Text Message must not contain a shortened URL',
    );
  });
  it('count short links as they go out', () => {
    const TextMessage = `See https://school.example.com/${'x'.repeat(150)}`;
    expect(problems({ TextMessage }).text).toBe("Can't exceed 160 characters.");
    const short = { ShortenLinks: true, LinkBase: 'https://text.example.org/l/' };
    expect(problems({ TextMessage, ...short }).text).toBeUndefined();
  });
  it('leave the length of a text with fields to the merge, because values are shorter or longer', () => {
    expect(problems({ TextMessage: `{{FirstName}} ${'x'.repeat(150)}` }).text).toBeUndefined();
  });
  it('include those of the replies to a question, where empty replies send nothing', () => {
    const replies = (Yes: string, No: string): Written['TextSurveyAutoReplies'] => [
      { Label: 'Yes', Message: Yes },
      { Label: 'No', Message: No },
    ];
    const question = { IsTextSurvey: true };
    expect(problems({ ...question, TextSurveyAutoReplies: replies('', '') })).toEqual(problems({}));
    const { yes, no } = problems({ ...question, TextSurveyAutoReplies: replies('', 'x'.repeat(161)) });
    expect([yes, no]).toEqual([undefined, "Can't exceed 160 characters."]);
    expect(problems({ TextSurveyAutoReplies: replies('', 'x'.repeat(161)) })).toEqual(problems({}));
    const merged = { ...question, TextMessage: 'Will you come, {{FirstName}}?' };
    expect(
      problems({ ...merged, TextSurveyAutoReplies: replies('x'.repeat(161), 'Hi {{FirstName}}') }),
    ).toEqual({
      ...problems({}),
      yes: "Can't exceed 160 characters.",
      no: 'Text cannot contain personalization',
    });
  });
  it('include those of the second of two texts, and of the two together', () => {
    const second = (by: object, changed: Partial<Written> = {}) => {
      const kept = { TextMessage: 'See you on Thursday?', Share: 10, DecideBy: 'Replies', Hours: 2 } as const;
      return problems({ ...changed, SecondText: { ...kept, ...by } }).second;
    };
    expect(second({})).toBeUndefined();
    expect(second({ TextMessage: 'x'.repeat(161) })).toBe("Can't exceed 160 characters.");
    expect(second({ TextMessage: written.TextMessage })).toBe(secondTextMessages.same);
    expect(second({}, { TextNumberCount: 99 })).toBe(secondTextMessages.fewPeople);
    expect(second({}, { TextNumberCount: 99, IsAdding: true })).toBeUndefined();
    // The type or the schedule was changed after it was written; Review would refuse it.
    expect(second({}, { BroadcastType: 'SMSAndAnnouncement' })).toBe(secondTextMessages.calls);
    expect(second({}, { startOption: 'REPEATING' })).toBe(secondTextMessages.repeating);
    expect(second({}, { BroadcastType: 'Announcement' })).toBeUndefined();
    const linked = { ShortenLinks: true, LinkBase: 'https://text.example.org/l/' };
    const link = 'See https://school.example.com/a';
    expect(second({ DecideBy: 'Clicks', TextMessage: link }, linked)).toBe(secondTextMessages.noLinks);
    const both = { ...linked, TextMessage: `Hi. ${link}` };
    expect(second({ DecideBy: 'Clicks', TextMessage: link }, both)).toBeUndefined();
  });
});
