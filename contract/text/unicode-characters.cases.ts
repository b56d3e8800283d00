import { ruleTable } from '../testing/rule-table.ts';

export const unicodeCharacters = ruleTable<string, [string, number, string | undefined][]>({
  about: 'Characters that make a text Unicode',
  file: 'contract/text/unicode-characters.ts',
  rows: [
    {
      rule: 'Ours: the character, its position, and a plain replacement',
      cases: [
        ['Plain text', []],
        ['Don’t', [['’', 3, "'"]]],
        [
          'Snow ❄ day–off',
          [
            ['❄', 5, undefined],
            ['–', 10, '-'],
          ],
        ],
        ['está', [['á', 3, undefined]]],
      ],
    },
    {
      rule: 'Ours: an emoji of several code points is one character',
      cases: [
        ['Hi 👩‍👩‍👧!', [['👩‍👩‍👧', 3, undefined]]],
        [
          '👏🏽👍',
          [
            ['👏🏽', 0, undefined],
            ['👍', 4, undefined],
          ],
        ],
        ['1️⃣', [['1️⃣', 0, undefined]]],
      ],
    },
    {
      rule: 'Merge fields in double braces are ignored in that check',
      cases: [
        ['{{Mother’s}} ok', []],
        ['{{Mother’s}} “ok', [['“', 13, '"']]],
      ],
    },
  ],
});
