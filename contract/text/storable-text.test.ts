import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { cleanedTexts, storableTexts } from './storable-text.cases.ts';
import { isStorableText, toStorableText } from './storable-text.ts';

testRuleTable(storableTexts, isStorableText);
testRuleTable(cleanedTexts, toStorableText);

it('makes any string storable, and leaves a storable one alone', () => {
  const anyUnits = fc
    .array(fc.integer({ min: 0, max: 0xffff }))
    .map((units) => String.fromCharCode(...units));
  fc.assert(
    fc.property(anyUnits, (text) => {
      const cleaned = toStorableText(text);
      expect(isStorableText(cleaned)).toBe(true);
      expect(toStorableText(cleaned)).toBe(cleaned);
      if (isStorableText(text)) expect(cleaned).toBe(text);
    }),
  );
});
