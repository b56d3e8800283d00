import { ruleTable } from '../testing/rule-table.ts';
import {
  noPersonalization,
  personalizedFields,
  reservedKeyword,
  restrictedValues,
  restrictShortUrls,
  shouldNotIncludeString,
} from './content-rules.ts';
import { maxTextLength } from './max-text-length.ts';

export const contentRules = {
  noPersonalization: noPersonalization(),
  'shouldNotIncludeString(free money)': shouldNotIncludeString('free money'),
  'restrictedValues(PIN Code, dolores, 4235550143)': restrictedValues('PIN Code', [
    'dolores',
    '',
    '4235550143',
  ]),
  'restrictShortUrls(Message)': restrictShortUrls('Message'),
  'maxTextLength(10, suffix "abc")': maxTextLength(10, "Can't exceed 10 characters.", 'abc'),
  personalizedFields: personalizedFields(),
  reservedKeyword: reservedKeyword(),
  'reservedKeyword with JOIN as prefix': reservedKeyword({ joinAsPrefix: true }),
};
type Case = [rule: keyof typeof contentRules, value: string];

const personalization = 'Text cannot contain personalization';
const short = 'Message must not contain a shortened URL';

export const contentFieldRules = ruleTable<Case, string | undefined>({
  about: 'Content',
  file: 'contract/fields/content-rules.ts',
  rows: [
    {
      rule: 'noPersonalization: "Text cannot contain personalization" (rejects double braces)',
      message: personalization,
      cases: [
        [['noPersonalization', 'Hello {{FirstName}}'], personalization],
        [['noPersonalization', 'Hello }} you'], personalization],
        [['noPersonalization', 'Hello {you}'], undefined],
      ],
    },
    {
      rule: 'shouldNotIncludeString: "Text cannot contain \\"[x]\\""',
      message: 'Text cannot contain "[x]"',
      cases: [
        [['shouldNotIncludeString(free money)', 'Get FREE MONEY now'], 'Text cannot contain "free money"'],
        [['shouldNotIncludeString(free money)', 'free lunch'], undefined],
      ],
    },
    {
      rule: 'restrictedValues: "[field] must not contain [x]"',
      message: '[field] must not contain [x]',
      cases: [
        [
          ['restrictedValues(PIN Code, dolores, 4235550143)', 'Dolores-1'],
          'PIN Code must not contain dolores',
        ],
        [
          ['restrictedValues(PIN Code, dolores, 4235550143)', 'x4235550143'],
          'PIN Code must not contain 4235550143',
        ],
        [['restrictedValues(PIN Code, dolores, 4235550143)', 'blue-horse-7'], undefined],
      ],
    },
    {
      rule: 'restrictShortUrls: "[field] must not contain a shortened URL"',
      message: '[field] must not contain a shortened URL',
      cases: [
        [['restrictShortUrls(Message)', 'See https://bit.ly/3xYz'], short],
        [['restrictShortUrls(Message)', 'See tinyurl.com/abc.'], short],
        [['restrictShortUrls(Message)', 'See https://district.example/bit.ly'], undefined],
      ],
    },
    {
      rule: 'Length counts the text plus 2 plus the length of an optional suffix',
      message: "Can't exceed {n} characters.",
      cases: [
        [['maxTextLength(10, suffix "abc")', '12345'], undefined],
        [['maxTextLength(10, suffix "abc")', '123456'], "Can't exceed 10 characters."],
      ],
    },
    {
      rule: 'Personalized field: non-empty token with no spaces except an optional default part',
      message: 'Personalized fields should not be empty.',
      cases: [
        [['personalizedFields', 'Hello {{FirstName}}'], undefined],
        [['personalizedFields', 'Hello {{}}'], 'Personalized fields should not be empty.'],
        [
          ['personalizedFields', 'Hello {{First Name}}'],
          'Your message has a personalized field with an invalid format. Try using the personalize button above instead.',
        ],
        [
          ['personalizedFields', 'Hello {{FirstName'],
          'Your message may not get personalized as expected. The issues have been highlighted in red.',
        ],
      ],
    },
    {
      rule: '"[WORD] is reserved for explicit opt outs. Please use a different word."',
      message: '[WORD] is reserved for explicit opt outs. Please use a different word.',
      cases: [
        [['reservedKeyword', 'stop'], 'STOP is reserved for explicit opt outs. Please use a different word.'],
        [['reservedKeyword', 'PIZZA'], undefined],
        [['reservedKeyword', ''], undefined],
        [['reservedKeyword', 'joiners'], undefined],
        [
          ['reservedKeyword with JOIN as prefix', 'joiners'],
          'JOINERS is reserved for our Join Reply feature',
        ],
      ],
    },
  ],
});
