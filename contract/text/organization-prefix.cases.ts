import { ruleTable } from '../testing/rule-table.ts';

export const organizationPrefixes = ruleTable<
  { isOn: boolean; senderName: string; companyName: string; text: string },
  string
>({
  about: 'The organization before the text of a broadcast',
  file: 'contract/text/organization-prefix.ts',
  rows: [
    {
      rule: 'Ours: the text starts with the sender name and a colon',
      cases: [
        [
          { isOn: true, senderName: 'Harlow Schools', companyName: 'Harlow Creek', text: 'Hi' },
          'Harlow Schools: ',
        ],
        [{ isOn: true, senderName: ' ', companyName: 'Harlow Creek', text: 'Hi' }, 'Harlow Creek: '],
        [{ isOn: true, senderName: 'A {{First Name}}', companyName: '', text: 'Hi' }, 'A First Name: '],
      ],
    },
    {
      rule: 'Ours: nothing where it is off, nobody has a name, or there are no words',
      cases: [
        [{ isOn: false, senderName: 'Harlow', companyName: 'Harlow', text: 'Hi' }, ''],
        [{ isOn: true, senderName: '', companyName: ' ', text: 'Hi' }, ''],
        [{ isOn: true, senderName: 'Harlow', companyName: 'Harlow', text: ' ' }, ''],
      ],
    },
  ],
});
