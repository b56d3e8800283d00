import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { gsmBasicCharacters, gsmExtensionCharacters, isGsm } from './gsm.ts';
import { billedParts, segmentCounts } from './segments.cases.ts';
import { charsetOf, countSegments, creditSegments, textLength, withSuffix } from './segments.ts';
import { cpuMs } from './testing/cpu-ms.ts';

testRuleTable(segmentCounts, ({ text, ...options }) => countSegments(text, options).segments);
testRuleTable(billedParts, (text) => {
  const { charset, parts } = countSegments(text);
  return { charset, parts };
});

describe('the GSM alphabet', () => {
  it('has the 127 characters of the default table (the escape is none) and 10 of the extension', () => {
    expect(new Set(gsmBasicCharacters).size).toBe(127);
    expect(new Set(gsmExtensionCharacters).size).toBe(10);
  });

  it('lacks the characters that it should lack', () => {
    for (const character of ['`', '\t', 'ç', 'á', 'í', 'ó', 'ú', 'ê', '’', '–', '°', '😀']) {
      expect(isGsm(character)).toBe(false);
    }
  });
});

/**
 * A second calculator, written differently: it builds the messages, character by character, and counts them.
 */
function messagesOf(text: string): { charset: string; messages: string[] } {
  const outside = text.replace(/\{\{(?!\{)(?:(?!\{\{|\}\}).)*\}\}/gs, '');
  const gsm = [...outside].every((c) => gsmBasicCharacters.includes(c) || gsmExtensionCharacters.includes(c));
  // A field counts as the same number of plain characters, whatever is in it.
  const placed = gsm
    ? text.replace(/\{\{(?!\{)(?:(?!\{\{|\}\}).)*\}\}/gs, (field) => 'x'.repeat(field.length))
    : text;
  const size = (c: string) => (gsm ? (gsmExtensionCharacters.includes(c) ? 2 : 1) : c.length);
  const total = [...placed].reduce((sum, c) => sum + size(c), 0);
  const most = gsm ? (total <= 160 ? 160 : 153) : total <= 70 ? 70 : 67;
  const messages: string[] = [];
  let current = '';
  let used = 0;
  for (const c of placed) {
    if (used + size(c) > most) {
      messages.push(current);
      current = '';
      used = 0;
    }
    current += c;
    used += size(c);
  }
  if (current !== '') messages.push(current);
  return { charset: gsm ? 'GSM' : 'Unicode', messages };
}

const pieces = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...gsmBasicCharacters) },
  { weight: 2, arbitrary: fc.constantFrom(...gsmExtensionCharacters) },
  { weight: 1, arbitrary: fc.constantFrom('{{', '}}', '{{FirstName}}', '{{Ort‘s}}') },
);
const foreignPieces = fc.oneof(
  { weight: 8, arbitrary: pieces },
  { weight: 1, arbitrary: fc.constantFrom('’', '😀', 'á', '漢', '👩‍👩‍👧') },
);

describe('countSegments', () => {
  it('agrees with a calculator that builds the messages', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, foreignPieces), { maxLength: 700 }), (parts) => {
        const text = parts.join('');
        const { charset, messages } = messagesOf(text);
        expect(countSegments(text)).toMatchObject({ charset, parts: messages.length });
        expect(charsetOf(text)).toBe(charset);
      }),
      { numRuns: 500 },
    );
  });

  it('agrees with it at every length around a border', () => {
    for (const filler of ['a', '€', '’', '😀']) {
      for (let length = 1; length <= 480; length += 1) {
        const text = filler.repeat(length);
        expect(countSegments(text).parts).toBe(messagesOf(text).messages.length);
      }
    }
  });

  it('gives the exact number of characters left in the last part', () => {
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 400 }), (parts) => {
        const text = parts.join('').replaceAll('{{', '(').replaceAll('}}', ')').replace(/[{}]/g, '|');
        const { parts: before, leftInPart } = countSegments(text);
        expect(countSegments(text + 'a'.repeat(leftInPart)).parts).toBe(before);
        // A single message that overflows becomes two parts at least.
        expect(countSegments(text + 'a'.repeat(leftInPart + 1)).parts).toBeGreaterThan(before);
      }),
    );
  });

  it('never counts fewer credits for a longer text, and counts the suffix as it is sent', () => {
    fc.assert(
      fc.property(fc.nat(2000), fc.nat(400), fc.boolean(), (length, more, international) => {
        const options = { international };
        expect(creditSegments(length + more, options)).toBeGreaterThanOrEqual(
          creditSegments(length, options),
        );
      }),
    );
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, suffix) => {
        expect(textLength(text, suffix)).toBe(withSuffix(text, suffix).length);
      }),
    );
  });

  it('takes well under a second for 100,000 hostile characters', () => {
    for (const text of [
      '{'.repeat(100_000),
      '{{a'.repeat(33_000),
      '€'.repeat(100_000),
      '{{}}'.repeat(25_000),
      '{{’'.repeat(33_000),
    ]) {
      const ms = cpuMs(() => {
        countSegments(text);
      });
      expect(ms).toBeLessThan(500);
    }
  });
});
