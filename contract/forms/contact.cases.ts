import { ruleTable } from '../testing/rule-table.ts';

export const contact = ruleTable<Record<string, string>, Record<string, string>>({
  about: 'Contact',
  file: 'contract/forms/contact.ts',
  rows: [
    {
      rule: 'Contact: first name, last name, notes each max 50. Phone required',
      message: 'Enter a Phone Number',
      cases: [
        [{ PrimaryPhone: '423-555-0143' }, {}],
        [{}, { PrimaryPhone: 'Enter a Phone Number' }],
        [{ PrimaryPhone: '12' }, { PrimaryPhone: 'Must be 10 digits; use only numbers' }],
        [
          { PrimaryPhone: '4235550143', FirstName: 'x'.repeat(51) },
          { FirstName: 'First Name must be at most 50 characters' },
        ],
        [
          { PrimaryPhone: '4235550143', LastName: 'x'.repeat(51) },
          { LastName: 'Last Name must be at most 50 characters' },
        ],
        [
          { PrimaryPhone: '4235550143', Notes: 'x'.repeat(51) },
          { Notes: 'Notes must be at most 50 characters' },
        ],
        [
          { PrimaryPhone: '4235550143', SecondaryPhone: 'none' },
          { SecondaryPhone: 'Must be 10 digits; use only numbers' },
        ],
      ],
    },
  ],
});

export const group = ruleTable<string, Record<string, string>>({
  about: 'Group beside "Bus 7"',
  file: 'contract/forms/contact.ts',
  rows: [
    {
      rule: 'duplicate group name, case-insensitive: "The group name is already in use."',
      message: 'The group name is already in use.',
      cases: [
        ['Bus 8', {}],
        ['BUS 7', { ListName: 'The group name is already in use.' }],
        ['', { ListName: 'Enter a Group Name' }],
        ['x'.repeat(51), { ListName: 'Group Name must be at most 50 characters' }],
      ],
    },
  ],
});

export const mfaCodes = ruleTable<string, Record<string, string>>({
  about: 'MFA code',
  file: 'contract/forms/mfa.ts',
  rows: [
    {
      rule: 'MFA: phone required and formatted; code numeric, max 6',
      message: 'Use only numbers',
      cases: [
        ['123456', {}],
        [' 123456 ', {}],
        ['', { Code: 'Enter a Code' }],
        ['12345a', { Code: 'Use only numbers' }],
        ['1234567', { Code: 'Code must be at most 6 characters' }],
      ],
    },
  ],
});

export const integrationLogins = ruleTable<Record<string, string>, Record<string, string>>({
  about: 'Integration login with SchoolUrl and api_key',
  file: 'contract/forms/integration-login.ts',
  rows: [
    {
      rule: 'Integration login model fields are all required',
      cases: [
        [{ SchoolUrl: 'district.example', api_key: 'k' }, {}],
        [{ SchoolUrl: '' }, { SchoolUrl: 'Enter a School Url', api_key: 'Enter an API key' }],
      ],
    },
  ],
});
