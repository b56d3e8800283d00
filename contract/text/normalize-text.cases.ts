import { ruleTable } from '../testing/rule-table.ts';

export const normalizedTexts = ruleTable<string, string>({
  about: 'Normalized text',
  file: 'contract/text/normalize-text.ts',
  rows: [
    {
      rule: 'Fancy quotes are normalized to plain equivalents',
      cases: [
        ['“Don’t” ‘go’ «now»', '"Don\'t" \'go\' "now"'],
        ['5′ 3″', '5\' 3"'],
      ],
    },
    {
      rule: 'Full-width letters are normalized to plain equivalents',
      cases: [['ＨＥＬＬＯ　１２３！', 'HELLO 123!']],
    },
    {
      rule: 'Styled letters are normalized to plain equivalents',
      cases: [
        ['𝐇𝐞𝐥𝐥𝐨 𝑤𝑜𝑟𝑙𝑑 𝟚𝟘𝟚𝟞', 'Hello world 2026'],
        ['𝓢𝓪𝓵𝓮 𝔉𝔯𝔬𝔪 𝕋𝕠𝕕𝕒𝕪 𝙼𝚘𝚗𝚘 ℋℯℓℓℴ', 'Sale From Today Mono Hello'],
        ['Ⓢⓐⓛⓔ 🅢🅐🅛🅔 🅂🄰🄻🄴 🆂🅰🅻🅴', 'Sale SALE SALE SALE'],
        ['ꜱᴍᴀʟʟ ᴄᴀᴘꜱ', 'small caps'],
        ['ﬁnal x² ™', 'final x2 TM'],
      ],
    },
    {
      rule: 'Ours: dashes, spaces, bullets, dots and invisible marks become what a keyboard has',
      cases: [
        ['Mon–Fri — 9…5', 'Mon-Fri - 9...5'],
        ['a\u00a0b\u2009c\td', 'a b c d'],
        ['• one\u200b', '- one'],
        ['\u202a(423) 555-0143\u202c', '(423) 555-0143'],
        ['½ cup', '1/2 cup'],
        ['a\r\nb\rc', 'a\nb\nc'],
        ['cafe\u0301', 'café'],
      ],
    },
    {
      rule: 'Ours: emoji, accents, other scripts and merge fields stay as they are',
      cases: [
        ['Bravo 👏🏽 ❄️ 1️⃣', 'Bravo 👏🏽 ❄️ 1️⃣'],
        ['Mañana, está, ça va', 'Mañana, está, ça va'],
        ['学校は休み', '学校は休み'],
        ['שלום\u200f “x”', 'שלום\u200f "x"'],
        ['{{Mother’s}} ’s', "{{Mother’s}} 's"],
      ],
    },
  ],
});

export const plainTexts = ruleTable<string, string>({
  about: 'Made plain',
  file: 'contract/text/normalize-text.ts',
  rows: [
    {
      rule: 'Ours: one click also drops accents that the GSM alphabet lacks, and keeps those it has',
      cases: [
        ['Mañana está', 'Mañana esta'],
        ['façade, naïve, Łódź, œuvre', 'facade, naive, Lodz, oeuvre'],
        ['été à Genève', 'été à Genève'],
        ['Bravo 👏', 'Bravo 👏'],
        ['{{Prénom}} “á”', '{{Prénom}} "a"'],
      ],
    },
  ],
});
