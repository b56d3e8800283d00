import { ruleTable } from '../testing/rule-table.ts';
import type { MergeSource } from './merge-fields.ts';

export const mergeFieldNames = ruleTable<string, string>({
  about: 'Custom fields between double braces',
  file: 'contract/text/merge-fields.ts',
  rows: [
    {
      rule: 'Ours: a token has no spaces, so they become underscores, and so does what no token holds',
      cases: [
        ['Bus', 'Bus'],
        [' Bus route ', 'Bus_route'],
        ['Montant dû', 'Montant_dû'],
        ['Due (in $)', 'Due_in_'],
        ['#1 contact', '_1_contact'],
      ],
    },
  ],
});

export const mergedValues = ruleTable<MergeSource, Record<string, string>>({
  about: 'Values for personalized fields',
  file: 'contract/text/merge-fields.ts',
  rows: [
    {
      rule: 'Ours: the names, notes and number of a contact, and the custom fields',
      cases: [
        [
          {
            firstName: 'Ana',
            lastName: 'Silva',
            notes: 'Twin',
            phone: '14235550143',
            customData: { 'Bus route': '12' },
          },
          {
            FirstName: 'Ana',
            LastName: 'Silva',
            FullName: 'Ana Silva',
            Notes: 'Twin',
            PhoneNumber: '4235550143',
            Bus_route: '12',
          },
        ],
        [
          { firstName: '', lastName: 'Silva', phone: '447700900123' },
          { FirstName: '', LastName: 'Silva', FullName: 'Silva', Notes: '', PhoneNumber: '447700900123' },
        ],
      ],
    },
    {
      rule: 'Ours: no custom field takes the place of a contact’s own',
      cases: [
        [
          { firstName: 'Ana', lastName: '', phone: '14235550143', customData: { FirstName: 'Eve' } },
          { FirstName: 'Ana', LastName: '', FullName: 'Ana', Notes: '', PhoneNumber: '4235550143' },
        ],
      ],
    },
  ],
});
