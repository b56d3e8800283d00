import { ruleTable } from '../../testing/rule-table.ts';

export const eins = ruleTable<string, string>({
  about: 'EIN as typed',
  file: 'contract/forms/registration/registration-changes.ts',
  rows: [
    {
      rule: 'Typed input is auto-formatted as XX-XXXXXXX',
      cases: [
        ['', ''],
        ['1', '1'],
        ['12', '12'],
        ['123', '12-3'],
        ['123456789', '12-3456789'],
        ['12-3456789', '12-3456789'],
        ['12 34 56 789 0', '12-3456789'],
      ],
    },
  ],
});

export const lookups = ruleTable<string, string | undefined>({
  about: 'EIN lookup',
  file: 'contract/forms/registration/registration-changes.ts',
  rows: [
    {
      rule: 'A lookup fires at 9 digits',
      cases: [
        ['12-345678', undefined],
        ['12-3456789', '123456789'],
      ],
    },
  ],
});
