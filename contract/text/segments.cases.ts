import { ruleTable } from '../testing/rule-table.ts';
import type { SegmentCount, SegmentOptions } from './segments.ts';

type Asked = { text: string } & SegmentOptions;

/** A text of so many plain characters. */
function plain(characters: number): string {
  return 'Snow day today. '.repeat(Math.ceil(characters / 16)).slice(0, characters);
}

export const segmentCounts = ruleTable<Asked, SegmentCount['segments']>({
  about: 'SMS segments by which credits are reckoned',
  file: 'contract/text/segments.ts',
  rows: [
    {
      rule: 'An SMS segment is 160 characters; segment counts round up',
      cases: [
        [{ text: '' }, 0],
        [{ text: plain(1) }, 1],
        [{ text: plain(160) }, 1],
        [{ text: plain(161) }, 2],
        [{ text: plain(320) }, 2],
        [{ text: plain(321) }, 3],
      ],
    },
    {
      rule: '150 for international accounts when over 160',
      cases: [
        [{ text: plain(150), international: true }, 1],
        [{ text: plain(160), international: true }, 1],
        [{ text: plain(161), international: true }, 2],
        [{ text: plain(300), international: true }, 2],
        [{ text: plain(301), international: true }, 3],
      ],
    },
    {
      rule: 'A minimum of 2 units applies when the extra-credit rule is on',
      cases: [
        [{ text: plain(10), extraCredit: true }, 2],
        [{ text: '', extraCredit: true }, 2],
        [{ text: plain(321), extraCredit: true }, 3],
      ],
    },
    {
      rule: 'Personalization tokens in double braces count by full length',
      cases: [
        [{ text: `${plain(147)}{{FirstName}}` }, 1],
        [{ text: `${plain(148)}{{FirstName}}` }, 2],
      ],
    },
    {
      rule: 'Length counts the text plus 2 plus the length of an optional suffix',
      cases: [
        [{ text: plain(150), suffix: 'Mrs. Lee' }, 1],
        [{ text: plain(151), suffix: 'Mrs. Lee' }, 2],
        [{ text: plain(160), suffix: '' }, 1],
      ],
    },
  ],
});

export const billedParts = ruleTable<string, Pick<SegmentCount, 'charset' | 'parts'>>({
  about: 'Parts that a carrier bills',
  file: 'contract/text/segments.ts',
  rows: [
    {
      rule: 'Text is checked against the standard GSM character set; any other character (emoji included) makes the message Unicode',
      cases: [
        ['Hello', { charset: 'GSM', parts: 1 }],
        ['Fee: 5 € [cash] ~ £4', { charset: 'GSM', parts: 1 }],
        ['Snow day ❄', { charset: 'Unicode', parts: 1 }],
        ['Bravo 👏', { charset: 'Unicode', parts: 1 }],
        ['Don’t be late', { charset: 'Unicode', parts: 1 }],
        ['a\tb', { charset: 'Unicode', parts: 1 }],
      ],
    },
    {
      rule: 'Merge fields in double braces are ignored in that check',
      cases: [
        ['Hi {{Prénom’}}', { charset: 'GSM', parts: 1 }],
        ['Hi {{Prénom’} there', { charset: 'Unicode', parts: 1 }],
        ['“ {{FirstName}}', { charset: 'Unicode', parts: 1 }],
        ['{{a“ {{FirstName}}', { charset: 'Unicode', parts: 1 }],
      ],
    },
    {
      rule: 'Ours: 160 characters in one message, 153 a part when concatenated',
      cases: [
        ['', { charset: 'GSM', parts: 0 }],
        [plain(160), { charset: 'GSM', parts: 1 }],
        [plain(161), { charset: 'GSM', parts: 2 }],
        [plain(306), { charset: 'GSM', parts: 2 }],
        [plain(307), { charset: 'GSM', parts: 3 }],
        [plain(459), { charset: 'GSM', parts: 3 }],
        [plain(460), { charset: 'GSM', parts: 4 }],
      ],
    },
    {
      rule: 'Personalization tokens in double braces count by full length',
      cases: [
        [`${plain(147)}{{FirstName}}`, { charset: 'GSM', parts: 1 }],
        [`${plain(148)}{{FirstName}}`, { charset: 'GSM', parts: 2 }],
        [`${plain(293)}{{FirstName}}`, { charset: 'GSM', parts: 2 }],
        [`${plain(294)}{{FirstName}}`, { charset: 'GSM', parts: 3 }],
      ],
    },
    {
      rule: 'Ours: Unicode has 70 characters in one message, 67 a part',
      cases: [
        [`${plain(69)}“`, { charset: 'Unicode', parts: 1 }],
        [`${plain(70)}“`, { charset: 'Unicode', parts: 2 }],
        [`${plain(133)}“`, { charset: 'Unicode', parts: 2 }],
        [`${plain(134)}“`, { charset: 'Unicode', parts: 3 }],
      ],
    },
    {
      rule: 'Ours: an extension character takes the room of two and is never torn apart',
      cases: [
        ['€'.repeat(80), { charset: 'GSM', parts: 1 }],
        ['€'.repeat(81), { charset: 'GSM', parts: 2 }],
        // 152 characters and an escape do not share the first part, so the second holds one more.
        [`${plain(152)}€${plain(151)}`, { charset: 'GSM', parts: 2 }],
        [`${plain(152)}€${plain(152)}`, { charset: 'GSM', parts: 3 }],
      ],
    },
    {
      rule: 'Ours: an emoji is never torn apart',
      cases: [
        [`${plain(66)}😀${plain(66)}`, { charset: 'Unicode', parts: 3 }],
        [`${plain(65)}😀${plain(67)}`, { charset: 'Unicode', parts: 2 }],
      ],
    },
  ],
});
