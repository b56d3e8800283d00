import { ruleTable } from '../testing/rule-table.ts';

export const cutTexts = ruleTable<[text: string, max: number], string>({
  about: 'Texts that are cut to the limit',
  file: 'contract/text/cut-text.ts',
  rows: [
    {
      rule: 'PUT /textmessages/{id} with TruncateIfExceedsLimit',
      cases: [
        [['See you at five', 7], 'See you'],
        [['See you at five', 15], 'See you at five'],
        [['See you at five', 8], 'See you'],
      ],
    },
    {
      rule: 'Ours: no sign is torn apart',
      cases: [
        [['ab👍', 3], 'ab'],
        [['ab👍', 4], 'ab👍'],
        [['👨‍👩‍👧', 5], ''],
        [['e\u0301e\u0301', 3], 'e\u0301'],
      ],
    },
  ],
});
