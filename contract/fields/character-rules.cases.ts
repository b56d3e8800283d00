import { ruleTable } from '../testing/rule-table.ts';
import {
  alphanumeric,
  email,
  name,
  noWhitespace,
  number,
  password,
  url,
  username,
  year,
} from './character-rules.ts';

export const characterRules = {
  'email(Email)': email('Email'),
  name: name(),
  number: number(),
  password: password(),
  'noWhitespace(Username)': noWhitespace('Username'),
  username: username(),
  alphanumeric: alphanumeric(),
  'alphanumeric with spaces': alphanumeric({ spaces: true }),
  year: year(),
  url: url(),
};
type Case = [rule: keyof typeof characterRules, value: string];

const letters = 'Use letters only';
const numbers = 'Use only numbers';
const passwordMessage = 'Use at least one letter and number and no spaces, slashes, or quotation marks';
const usernameMessage = "Use alphanumeric characters or ._~!@#$%^&*-/+'?";
const alphanumericMessage = 'Use alphanumeric characters';
const wellFormed = 'Must be a well formed URL.';

export const characterFieldRules = ruleTable<Case, string | undefined>({
  about: 'Characters',
  file: 'contract/fields/character-rules.ts',
  rows: [
    {
      rule: 'email: "Use a valid [field]"',
      message: 'Use a valid [field]',
      cases: [
        [['email(Email)', 'dolores@district.example'], undefined],
        [['email(Email)', "d.o'brien+school@mail.district.k12.tn.us"], undefined],
        [['email(Email)', 'jürgen@müller.example'], undefined],
        [['email(Email)', ''], undefined],
        [['email(Email)', 'dolores'], 'Use a valid Email'],
        [['email(Email)', 'dolores@district'], 'Use a valid Email'],
        [['email(Email)', 'dolores@@district.example'], 'Use a valid Email'],
        [['email(Email)', 'do lores@district.example'], 'Use a valid Email'],
        [['email(Email)', '.dolores@district.example'], 'Use a valid Email'],
        [['email(Email)', 'do..lores@district.example'], 'Use a valid Email'],
        [['email(Email)', 'dolores@-district.example'], 'Use a valid Email'],
        [['email(Email)', 'dolores@10.0.0.1'], 'Use a valid Email'],
        [['email(Email)', `${'x'.repeat(65)}@district.example`], 'Use a valid Email'],
        [['email(Email)', 'a@b.example, c@d.example'], 'Use a valid Email'],
      ],
    },
    {
      rule: 'name: "Use letters only" (letters, spaces, apostrophes, hyphens, ampersands)',
      message: letters,
      cases: [
        [['name', "Mary-Jane O'Neil & Núñez"], undefined],
        [['name', 'D’Angelo'], undefined],
        [['name', '李小龙'], undefined],
        [['name', 'R2'], letters],
        [['name', 'Smith, John'], letters],
        [['name', '<b>'], letters],
      ],
    },
    {
      rule: 'number: "Use only numbers"',
      message: numbers,
      cases: [
        [['number', '0123'], undefined],
        [['number', '1.5'], numbers],
        [['number', '-1'], numbers],
        [['number', '1e3'], numbers],
        [['number', '١٢'], numbers],
      ],
    },
    {
      rule: 'password: "Use at least one letter and number and no spaces, slashes, or quotation marks"',
      message: passwordMessage,
      cases: [
        [['password', 'muster-demo-1'], undefined],
        [['password', 'пароль7'], undefined],
        [['password', 'onlyletters'], passwordMessage],
        [['password', '12345678'], passwordMessage],
        [['password', 'has space 1'], passwordMessage],
        [['password', 'sl/ash1'], passwordMessage],
        [['password', 'back\\slash1'], passwordMessage],
        [['password', 'quo"te1'], passwordMessage],
        [['password', "quo'te1"], passwordMessage],
        [['password', 'quo“te1'], passwordMessage],
      ],
    },
    {
      rule: 'noWhitespace: "[field] cannot contain any spaces"',
      message: '[field] cannot contain any spaces',
      cases: [
        [['noWhitespace(Username)', 'a b'], 'Username cannot contain any spaces'],
        [['noWhitespace(Username)', 'a\u00a0b'], 'Username cannot contain any spaces'],
        [['noWhitespace(Username)', 'ab'], undefined],
      ],
    },
    {
      rule: 'username: 4-50 characters from a fixed set, "Use alphanumeric characters or ._~!@#$%^&*-/+\'?"',
      message: usernameMessage,
      cases: [
        [['username', "a1._~!@#$%^&*-/+'?"], undefined],
        [['username', 'abc'], usernameMessage],
        [['username', 'abcd'], undefined],
        [['username', 'x'.repeat(50)], undefined],
        [['username', 'x'.repeat(51)], usernameMessage],
        [['username', 'dolores,n'], usernameMessage],
        [['username', 'núñez'], usernameMessage],
        [['username', 'a b c d'], usernameMessage],
      ],
    },
    {
      rule: 'alphanumeric (optional spaces): "Use alphanumeric characters"',
      message: alphanumericMessage,
      cases: [
        [['alphanumeric', 'Room12'], undefined],
        [['alphanumeric', 'Room 12'], alphanumericMessage],
        [['alphanumeric with spaces', 'Room 12'], undefined],
        [['alphanumeric with spaces', 'Room #12'], alphanumericMessage],
      ],
    },
    {
      rule: 'year 2 or 4 digits: "Must be a year."',
      message: 'Must be a year.',
      cases: [
        [['year', '27'], undefined],
        [['year', '2027'], undefined],
        [['year', '7'], 'Must be a year.'],
        [['year', '202'], 'Must be a year.'],
        [['year', '20277'], 'Must be a year.'],
      ],
    },
    {
      rule: 'url: "Must be a well formed URL."',
      message: wellFormed,
      cases: [
        [['url', 'https://www.district.example/path?q=1#top'], undefined],
        [['url', 'district.example'], undefined],
        [['url', 'http://müller.example'], undefined],
        [['url', 'district'], wellFormed],
        [['url', 'http://'], wellFormed],
        [['url', 'javascript:alert(1)'], wellFormed],
        [['url', 'ftp://district.example'], wellFormed],
        [['url', 'https://bank.example@evil.example'], wellFormed],
        [['url', 'https://district.example/a b'], wellFormed],
        [['url', 'http://192.168.1.1'], wellFormed],
      ],
    },
  ],
});
