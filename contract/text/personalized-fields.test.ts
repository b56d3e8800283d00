import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { personalizedFields, personalizedTexts, personalizedValues } from './personalized-fields.cases.ts';
import {
  findFieldIssues,
  findPersonalizedFields,
  hasPersonalizedFields,
  personalize,
  personalizedFieldError,
} from './personalized-fields.ts';
import { cpuMs } from './testing/cpu-ms.ts';

testRuleTable(personalizedFields, personalizedFieldError);
testRuleTable(personalizedTexts, (text) => personalize(text, personalizedValues));

const braces = fc.array(fc.constantFrom('{', '}', '{{', '}}', 'a', ' ', '|', 'FirstName'), { maxLength: 30 });

describe('personalized fields', () => {
  it('are the same as those a regular expression finds', () => {
    fc.assert(
      fc.property(braces, (pieces) => {
        const text = pieces.join('');
        const expected = [...text.matchAll(/\{\{(?!\{)(?:(?!\{\{|\}\}).)*\}\}/gs)].map((match) => match[0]);
        expect(findPersonalizedFields(text).map(({ start, end }) => text.slice(start, end))).toEqual(
          expected,
        );
        expect(hasPersonalizedFields(text)).toBe(expected.length > 0);
      }),
      { numRuns: 2000 },
    );
  });

  it('point at the issues, in order', () => {
    expect(findFieldIssues('{{}} and {{a b}} and {{c')).toEqual([
      { kind: 'empty', start: 0, end: 4 },
      { kind: 'format', start: 9, end: 16 },
      { kind: 'unbalanced', start: 21, end: 23 },
    ]);
    expect(findFieldIssues('{{a {b} c}}')).toEqual([{ kind: 'format', start: 0, end: 11 }]);
    fc.assert(
      fc.property(braces, (pieces) => {
        const text = pieces.join('');
        for (const { start, end } of findFieldIssues(text)) {
          expect(text.slice(start, end)).toMatch(/[{}]/);
          expect(end).toBeGreaterThan(start);
        }
      }),
    );
  });

  it('are replaced by the given values, and nothing else changes', () => {
    const plain = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[{}]/g, ''));
    fc.assert(
      fc.property(plain, plain, plain, (before, value, after) => {
        fc.pre(value.trim() !== '');
        const text = `${before}{{Name}}${after}`;
        expect(personalize(text, { Name: value }).text).toBe(before + value.trim() + after);
      }),
    );
  });

  it('are not found in the prototype', () => {
    expect(personalize('{{constructor}}', {}).missing).toEqual(['constructor']);
  });

  it('take well under a second for 100,000 hostile characters', () => {
    for (const piece of ['{', '}', '{{', '{a', '{{a}}', '{{a ', '{a}', '|']) {
      const text = piece.repeat(100_000 / piece.length);
      const ms = cpuMs(() => {
        personalizedFieldError(text);
        personalize(text, {});
      });
      expect(ms).toBeLessThan(900);
    }
  });
});
