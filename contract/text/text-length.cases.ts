import { ruleTable } from '../testing/rule-table.ts';

export const counterLabels = ruleTable<{ text: string; max: number; suffix?: string }, string>({
  about: 'Counter label',
  file: 'contract/text/text-length.ts',
  rows: [
    {
      rule: 'Counter label: "Characters: n/max"',
      cases: [
        [{ text: '', max: 160 }, 'Characters: 0/160'],
        [{ text: 'Hello', max: 320 }, 'Characters: 5/320'],
        [{ text: 'Hi {{FirstName}}', max: 160 }, 'Characters: 16/160'],
      ],
    },
    {
      rule: 'Length counts the text plus 2 plus the length of an optional suffix',
      cases: [[{ text: 'Hello', max: 160, suffix: 'Mrs. Lee' }, 'Characters: 15/160']],
    },
  ],
});

export const tooLong = ruleTable<{ text: string; max: number; suffix?: string }, boolean>({
  about: 'Length rule',
  file: 'contract/text/text-length.ts',
  rows: [
    {
      rule: 'Max length per account setting; length is checked together with the signature',
      message: "Your message can't exceed [n] characters.",
      cases: [
        [{ text: 'a'.repeat(160), max: 160 }, false],
        [{ text: 'a'.repeat(161), max: 160 }, true],
        [{ text: 'a'.repeat(150), max: 160, suffix: 'Mrs. Lee' }, false],
        [{ text: 'a'.repeat(151), max: 160, suffix: 'Mrs. Lee' }, true],
      ],
    },
  ],
});
