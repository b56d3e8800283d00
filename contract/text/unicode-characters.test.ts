import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { charsetOf } from './segments.ts';
import { cpuMs } from './testing/cpu-ms.ts';
import { unicodeCharacters } from './unicode-characters.cases.ts';
import { findUnicodeCharacters } from './unicode-characters.ts';

testRuleTable(unicodeCharacters, (text) =>
  findUnicodeCharacters(text).map(({ character, index, plain }) => [character, index, plain]),
);

describe('findUnicodeCharacters', () => {
  it('finds characters exactly when the text is Unicode, and points at them', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('{{’}}', '{{', '}}', 'Hi '),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        const found = findUnicodeCharacters(text);
        expect(found.length > 0).toBe(charsetOf(text) === 'Unicode');
        for (const { character, index, length } of found)
          expect(text.slice(index, index + length)).toBe(character);
      }),
      { numRuns: 500 },
    );
  });

  it('stops at the limit, and takes well under a second for 100,000 hostile characters', () => {
    for (const text of [
      '漢'.repeat(100_000),
      `a${'\u0301'.repeat(100_000)}`,
      '{{’}}’'.repeat(16_000),
      '\u200d'.repeat(100_000),
    ]) {
      const ms = cpuMs(() => {
        expect(findUnicodeCharacters(text).length).toBeLessThanOrEqual(200);
      });
      expect(ms).toBeLessThan(500);
    }
  });
});
