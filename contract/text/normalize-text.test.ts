import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { gsmBasicCharacters, gsmExtensionCharacters, isGsm } from './gsm.ts';
import { normalizedTexts, plainTexts } from './normalize-text.cases.ts';
import { makePlain, normalizeText } from './normalize-text.ts';
import { findPersonalizedFields } from './personalized-fields.ts';
import { cpuMs } from './testing/cpu-ms.ts';

testRuleTable(normalizedTexts, normalizeText);
testRuleTable(plainTexts, makePlain);

const anyText = fc.string({ unit: 'grapheme', maxLength: 200 });

describe('normalizeText', () => {
  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = normalizeText(text);
        expect(normalizeText(once)).toBe(once);
        const plain = makePlain(text);
        expect(makePlain(plain)).toBe(plain);
      }),
      { numRuns: 500 },
    );
  });

  it('leaves GSM text alone, except for line breaks', () => {
    const gsm = fc.string({
      unit: fc.constantFrom(...gsmBasicCharacters.replace('\r', ''), ...gsmExtensionCharacters),
    });
    fc.assert(
      fc.property(gsm, (text) => {
        expect(normalizeText(text)).toBe(text);
      }),
    );
  });

  it('leaves every merge field as it was', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const text = `${before.replace(/[{}]/g, '')}{{Mother’s|“x”}}${after.replace(/[{}]/g, '')}`;
        const [field] = findPersonalizedFields(normalizeText(text));
        expect(field).toMatchObject({ name: 'Mother’s', fallback: '“x”' });
      }),
    );
  });

  it('reads every styled Latin letter of the mathematical alphabets', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    // 13 alphabets of 52 letters; gaps in the block are for letters that are encoded elsewhere (ℎ, ℬ …).
    for (let code = 0x1d400; code < 0x1d6a4; code += 1) {
      const character = String.fromCodePoint(code);
      if (!/\p{L}/u.test(character)) continue;
      expect(normalizeText(character)).toBe(letters.charAt((code - 0x1d400) % 52));
    }
  });

  it('turns a text from a word processor into GSM', () => {
    expect(isGsm(normalizeText('“Don’t forget” – it’s Friday… see you\u00a0there'))).toBe(true);
  });

  it('takes well under a second for 100,000 hostile characters', () => {
    const hostile = ['’', '{', '{{a', '\u0301\u0327', 'a\u0301\u0327', '\r', '😀', '\u200b', '\u05d0\u200f'];
    for (const piece of hostile) {
      const text = `a${piece.repeat(100_000 / piece.length)}`;
      const ms = cpuMs(() => {
        normalizeText(text);
        makePlain(text);
      });
      expect(ms).toBeLessThan(900);
    }
  });
});
