import { ruleTable } from '../testing/rule-table.ts';
import { fieldIssueMessages } from './personalized-fields.ts';

const { empty, format, unbalanced } = fieldIssueMessages;

export const personalizedFields = ruleTable<string, string | undefined>({
  about: 'Personalized fields',
  file: 'contract/text/personalized-fields.ts',
  rows: [
    {
      rule: 'Non-empty token with no spaces except an optional default part',
      cases: [
        ['Hi {{FirstName}}', undefined],
        ['Hi {{FirstName|dear friend}}, {{LastName}}', undefined],
        ['{{Bus_No.}} {{Montant-dû}}', undefined],
        ['No fields at all', undefined],
      ],
    },
    {
      rule: 'Empty gives "Personalized fields should not be empty."',
      message: empty,
      cases: [
        ['Hi {{}}', empty],
        ['Hi {{  }}', empty],
        ['Hi {{|friend}}', empty],
      ],
    },
    {
      rule: 'A bad format gives its message',
      message: format,
      cases: [
        ['Hi {{First Name}}', format],
        ['Hi {{ FirstName }}', format],
        ['Hi {{FirstName|}}', format],
        [`Hi {{${'x'.repeat(51)}}}`, format],
      ],
    },
    {
      rule: 'Unbalanced braces give their message',
      message: unbalanced,
      cases: [
        ['Hi {{FirstName', unbalanced],
        ['Hi FirstName}}', unbalanced],
        ['Hi {{FirstName}', unbalanced],
        ['Hi {FirstName}}', unbalanced],
        ['Hi {FirstName}', unbalanced],
        ['Hi {{{FirstName}}', unbalanced],
        ['{{A {{B}}', unbalanced],
      ],
    },
    {
      rule: 'Ours: a lone brace that could be no field is left alone',
      cases: [
        [':-{ and :-}', undefined],
        ['{ not a field }', undefined],
      ],
    },
    {
      rule: 'The first failing rule sets the message',
      cases: [
        ['{{ }} {{a b}} {{', empty],
        ['{{a b}} {{', format],
      ],
    },
  ],
});

const values = { FirstName: 'Ana', LastName: '', Notes: '{{FirstName}}' };

export const personalizedTexts = ruleTable<string, { text: string; missing: readonly string[] }>({
  about: 'Personalized texts (first name Ana, no last name, notes "{{FirstName}}")',
  file: 'contract/text/personalized-fields.ts',
  rows: [
    {
      rule: 'Ours: the value, else the default part, else nothing and the field is reported',
      cases: [
        ['Hi {{FirstName}}!', { text: 'Hi Ana!', missing: [] }],
        ['Hi {{firstname}}!', { text: 'Hi Ana!', missing: [] }],
        ['Dear {{LastName|friend}}', { text: 'Dear friend', missing: [] }],
        ['Dear {{LastName}} {{Bus}}{{Bus}}', { text: 'Dear  ', missing: ['LastName', 'Bus'] }],
        ['No fields', { text: 'No fields', missing: [] }],
      ],
    },
    {
      rule: 'Ours: a value is never read again',
      cases: [['{{Notes}}', { text: '{{FirstName}}', missing: [] }]],
    },
  ],
});

export const personalizedValues = values;
