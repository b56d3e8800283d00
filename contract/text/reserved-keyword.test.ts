import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { recognizeInbound } from './inbound-word.ts';
import { reservedKeywords } from './reserved-keyword.cases.ts';
import { reservedKeywordError } from './reserved-keyword.ts';
import { helpWords, joinWords, optOutWords, unstopWords } from './reserved-words.ts';
import { cpuMs } from './testing/cpu-ms.ts';

testRuleTable(reservedKeywords, ({ keyword, ...options }) => reservedKeywordError(keyword, options));

describe('reservedKeywordError', () => {
  it('refuses every word that is handled automatically in an incoming text', () => {
    for (const word of [...optOutWords, ...unstopWords, ...helpWords, ...joinWords]) {
      expect(reservedKeywordError(word), word).toBeDefined();
    }
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'STOPENDJINHLU '), maxLength: 6 }), (word) => {
        if (reservedKeywordError(word) === undefined) expect(recognizeInbound(word)).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  it('takes well under a second for 100,000 hostile characters', () => {
    for (const text of [' '.repeat(100_000), `a${'\u0301\u0327'.repeat(50_000)}`, 'ﷺ'.repeat(100_000)]) {
      const ms = cpuMs(() => {
        expect(reservedKeywordError(text)).toBeUndefined();
      });
      expect(ms).toBeLessThan(500);
    }
  });
});
