import { ruleTable } from '../testing/rule-table.ts';
import {
  duplicateGroupName,
  isEqualToValue,
  match,
  maxLength,
  maxValue,
  minLength,
  minValue,
  nonWhitespace,
  required,
} from './basic-rules.ts';

/** The rules as the cases below use them. */
export const basicRules = {
  'required(Name)': required('Name'),
  'required(Email)': required('Email'),
  'nonWhitespace(Message)': nonWhitespace('Message'),
  'maxLength(Name, 5)': maxLength('Name', 5),
  'minLength(Name, 3)': minLength('Name', 3),
  'minValue(Amount, 1)': minValue('Amount', 1),
  'maxValue(Amount, 10)': maxValue('Amount', 10),
  'isEqualToValue(same)': isEqualToValue('same'),
  'match(Password, secret1)': match('Password', 'secret1'),
  'duplicateGroupName(Bus 7, Choir)': duplicateGroupName(['Bus 7', 'Choir']),
};
type Case = [rule: keyof typeof basicRules, value: string];

export const basicFieldRules = ruleTable<Case, string | undefined>({
  about: 'Presence, length and value',
  file: 'contract/fields/basic-rules.ts',
  rows: [
    {
      rule: 'required: "Enter a [field]"',
      message: 'Enter a [field]',
      cases: [
        [['required(Name)', ''], 'Enter a Name'],
        [['required(Name)', ' \t\n'], 'Enter a Name'],
        [['required(Name)', '\u200b\u2060'], 'Enter a Name'],
        [['required(Name)', '\u00ad\u034f\u061c\u115f\u1160\u180e'], 'Enter a Name'],
        [['required(Name)', '\u2061\u2064\u202a\u202e\u2066\u2069\u2800'], 'Enter a Name'],
        [['required(Name)', '\u3164\ufe0f\ufeff\uffa0\u{e0041}\u{e007f}'], 'Enter a Name'],
        [['required(Name)', '❤\ufe0f'], undefined],
        [['required(Name)', '0'], undefined],
        [['required(Email)', ''], 'Enter an Email'],
      ],
    },
    {
      rule: 'must contain a non-whitespace character',
      cases: [
        [['nonWhitespace(Message)', ''], undefined],
        [['nonWhitespace(Message)', '  '], 'Enter a Message'],
        [['nonWhitespace(Message)', ' x '], undefined],
      ],
    },
    {
      rule: 'maxLength: "[field] must be at most n characters"',
      message: '[field] must be at most n characters',
      cases: [
        [['maxLength(Name, 5)', '12345'], undefined],
        [['maxLength(Name, 5)', '123456'], 'Name must be at most 5 characters'],
        [['maxLength(Name, 5)', '👋👋👋👋👋'], undefined],
      ],
    },
    {
      rule: 'minLength: "[field] must be at least n characters"',
      message: '[field] must be at least n characters',
      cases: [
        [['minLength(Name, 3)', '12'], 'Name must be at least 3 characters'],
        [['minLength(Name, 3)', '👋👋'], 'Name must be at least 3 characters'],
        [['minLength(Name, 3)', '123'], undefined],
        [['minLength(Name, 3)', ''], undefined],
      ],
    },
    {
      rule: 'minValue: "[field] must be greater than or equal to n"',
      message: '[field] must be greater than or equal to n',
      cases: [
        [['minValue(Amount, 1)', '0'], 'Amount must be greater than or equal to 1'],
        [['minValue(Amount, 1)', '1'], undefined],
        [['minValue(Amount, 1)', 'one'], 'Amount must be greater than or equal to 1'],
      ],
    },
    {
      rule: 'maxValue: "[field] must be less than or equal to n"',
      message: '[field] must be less than or equal to n',
      cases: [
        [['maxValue(Amount, 10)', '11'], 'Amount must be less than or equal to 10'],
        [['maxValue(Amount, 10)', '10'], undefined],
      ],
    },
    {
      rule: 'isEqualToValue: "This already matches the existing value"',
      message: 'This already matches the existing value',
      cases: [
        [['isEqualToValue(same)', 'same'], 'This already matches the existing value'],
        [['isEqualToValue(same)', 'other'], undefined],
      ],
    },
    {
      rule: 'match: "[field]s should match."',
      message: '[field]s should match.',
      cases: [
        [['match(Password, secret1)', 'secret2'], 'Passwords should match.'],
        [['match(Password, secret1)', ''], 'Passwords should match.'],
        [['match(Password, secret1)', 'secret1'], undefined],
      ],
    },
    {
      rule: 'duplicate group name, case-insensitive: "The group name is already in use."',
      message: 'The group name is already in use.',
      cases: [
        [['duplicateGroupName(Bus 7, Choir)', 'CHOIR'], 'The group name is already in use.'],
        [['duplicateGroupName(Bus 7, Choir)', ' bus 7 '], 'The group name is already in use.'],
        [['duplicateGroupName(Bus 7, Choir)', 'Bus 8'], undefined],
      ],
    },
  ],
});

export const articles = ruleTable<string, string>({
  about: 'Article of a label',
  file: 'contract/fields/basic-rules.ts',
  rows: [
    {
      rule: 'Ours: "Enter a [field]" takes the article that the label is spoken with, as the specification\'s own examples do',
      cases: [
        ['Caller ID', 'a Caller ID'],
        ['EIN', 'an EIN'],
        ['Organization Type', 'an Organization Type'],
        ['Username', 'a Username'],
        ['URL', 'a URL'],
        ['Umbrella', 'an Umbrella'],
        ['NPI', 'an NPI'],
        ['MFA Code', 'an MFA Code'],
        ['CVN', 'a CVN'],
        ['Last Name', 'a Last Name'],
      ],
    },
  ],
});

export const customData = ruleTable<Record<string, string | null>, string | undefined>({
  about: 'requiredCustomData(Shoe Size)',
  file: 'contract/fields/basic-rules.ts',
  rows: [
    {
      rule: 'requiredCustomData: "Enter a [field]"',
      message: 'Enter a [field]',
      cases: [
        [{}, 'Enter a Shoe Size'],
        [{ 'Shoe Size': null }, 'Enter a Shoe Size'],
        [{ 'Shoe Size': ' ' }, 'Enter a Shoe Size'],
        [{ 'Shoe Size': '44' }, undefined],
      ],
    },
  ],
});
