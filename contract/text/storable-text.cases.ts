import { ruleTable } from '../testing/rule-table.ts';
import { unstorableText } from './storable-text.ts';

export const storableTexts = ruleTable<string, boolean>({
  about: 'Text in a call that can be stored',
  file: 'contract/text/storable-text.ts',
  rows: [
    {
      rule: 'Ours: a call with a NUL character or half of a surrogate pair is refused',
      message: unstorableText,
      cases: [
        ['', true],
        ['Grüße, 你好, 👍🏽', true],
        ['\u0001\u007f\ufffe\uffff', true],
        ['a\0b', false],
        ['\0', false],
        ['\ud83d', false],
        ['\udc4d', false],
        ['\udc4d\ud83d', false],
        ['\ud83d\udc4d', true],
      ],
    },
  ],
});

export const cleanedTexts = ruleTable<string, string>({
  about: 'Text in a file, made storable',
  file: 'contract/text/storable-text.ts',
  rows: [
    {
      rule: 'Ours: NUL characters are removed',
      cases: [
        ['Ana\0 Diaz\0', 'Ana Diaz'],
        ['\0', ''],
      ],
    },
    {
      rule: 'Ours: half of a surrogate pair becomes U+FFFD',
      cases: [
        ['Ana \ud83d', 'Ana \ufffd'],
        ['\udc4d\ud83d', '\ufffd\ufffd'],
        ['\ud83d\0\udc4d', '👍'],
      ],
    },
    {
      rule: 'Ours: all else stays as it is',
      cases: [
        ['Grüße, 你好, 👍🏽', 'Grüße, 你好, 👍🏽'],
        ['\u0001\ufffe', '\u0001\ufffe'],
      ],
    },
  ],
});
