import { ruleTable } from '../testing/rule-table.ts';

interface Pasted {
  contacts?: [name: string, number: string][];
  duplicates?: [name: string, number: string][];
  invalid?: [number: string, error: string][];
}

const tenDigits = 'Must be 10 digits; use only numbers';

export const pasted = ruleTable<string, Pasted>({
  about: 'Pasted contacts',
  file: 'contract/forms/pasted-contacts.ts',
  rows: [
    {
      rule: 'Pasted phone: 10 digits, or 11 starting with 1 (the leading 1 is dropped)',
      message: tenDigits,
      cases: [
        ['4235550143', { contacts: [['', '4235550143']] }],
        ['14235550143', { contacts: [['', '4235550143']] }],
        ['(423) 555-0143', { contacts: [['', '4235550143']] }],
        ['４２３５５５０１４３', { contacts: [['', '4235550143']] }],
        ['24235550143', { invalid: [['24235550143', tenDigits]] }],
        ['Bob 555-0143', { invalid: [['555-0143', tenDigits]] }],
      ],
    },
    {
      rule: 'Duplicates are separated out',
      cases: [
        [
          'Ann 423-555-0143\nAnn again 1 423 555 0143\nBob 423-555-0144',
          {
            contacts: [
              ['Ann', '4235550143'],
              ['Bob', '4235550144'],
            ],
            duplicates: [['Ann again', '4235550143']],
          },
        ],
      ],
    },
    {
      rule: 'Ours: names before or after the number, cells divided by tabs, commas, semicolons or bars',
      cases: [
        ['Dolores Núñez, (423) 555-0143', { contacts: [['Dolores Núñez', '4235550143']] }],
        ['423.555.0143\tDolores\tNúñez', { contacts: [['Dolores Núñez', '4235550143']] }],
        ['"Dolores" <423 555 0143>', { contacts: [['Dolores', '4235550143']] }],
        ['Dolores: 423-555-0143 (12 Station Rd)', { contacts: [['Dolores 12 Station Rd', '4235550143']] }],
        ['\r\n\r\n  \n', {}],
      ],
    },
    {
      rule: 'Ours: several numbers on a line are several contacts of that name',
      cases: [
        [
          'Ann; 423-555-0143; 423-555-0144',
          {
            contacts: [
              ['Ann', '4235550143'],
              ['Ann', '4235550144'],
            ],
          },
        ],
        [
          '4235550143 4235550144',
          {
            contacts: [
              ['', '4235550143'],
              ['', '4235550144'],
            ],
          },
        ],
      ],
    },
    {
      rule: 'Ours: dashes that word processors insert are also allowed between digits',
      cases: [
        ['Bob 310–555–0102', { contacts: [['Bob', '3105550102']] }],
        ['Bob — 310—555‑0102', { contacts: [['Bob', '3105550102']] }],
      ],
    },
    {
      rule: 'Ours: a number before the phone belongs to the name, where the phone is written in the usual way',
      message: tenDigits,
      cases: [
        ['Person 100 310-555-0100', { contacts: [['Person 100', '3105550100']] }],
        ['Room 12 (310) 555-0100', { contacts: [['Room 12', '3105550100']] }],
        ['Person 7 310–555–0100', { contacts: [['Person 7', '3105550100']] }],
        ['Person 100 310 555 0100', { invalid: [['100 310 555 0100', tenDigits]] }],
        ['100 310-555-0100', { invalid: [['100 310-555-0100', tenDigits]] }],
        [
          'Nigel 0044 207-946-0958',
          { invalid: [['0044 207-946-0958', "This number isn't in the US, Puerto Rico, or Canada"]] },
        ],
      ],
    },
    {
      rule: 'Ours: a line without a number is not lost',
      message: 'Please add a phone number',
      cases: [['Dolores Núñez', { invalid: [['', 'Please add a phone number']] }]],
    },
    {
      rule: 'Ours: a number with + and another country’s code is that country’s, never a US number',
      message: "This number isn't in the US, Puerto Rico, or Canada",
      cases: [
        [
          'Nigel +44 20 7946 0958',
          { invalid: [['+44 20 7946 0958', "This number isn't in the US, Puerto Rico, or Canada"]] },
        ],
      ],
    },
    {
      rule: 'Ours: spreadsheet damage is repaired where nothing was lost, and is an error where digits were',
      message: tenDigits,
      cases: [
        ['Ann, 3.108207129E9', { contacts: [['Ann', '3108207129']] }],
        ['Ann, 3.11E+09', { invalid: [['', 'Please add a phone number']] }],
        ['Ann 3.108207129E10', { invalid: [['3.108207129E10', tenDigits]] }],
      ],
    },
  ],
});

export const names = ruleTable<string, [first: string, last: string]>({
  about: 'First and last name of a pasted name',
  file: 'contract/forms/pasted-contacts.ts',
  rows: [
    {
      rule: 'Ours: the last word is the last name',
      cases: [
        ['Dolores', ['Dolores', '']],
        ['Mary Jane Watson', ['Mary Jane', 'Watson']],
        ['', ['', '']],
      ],
    },
  ],
});
