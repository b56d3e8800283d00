import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { cpuMs } from '../text/testing/cpu-ms.ts';
import * as cases from './basic-rules.cases.ts';
import {
  duplicateGroupName,
  maxLength,
  minLength,
  required,
  requiredCustomData,
  requiredMessage,
} from './basic-rules.ts';
import { characterCount, firstFailure, isBlank, when } from './rule.ts';

testRuleTable(cases.basicFieldRules, ([rule, value]) => cases.basicRules[rule](value));
testRuleTable(cases.articles, (label) => requiredMessage(label).replace('Enter ', ''));
testRuleTable(cases.customData, requiredCustomData('Shoe Size'));

describe('rules', () => {
  it('the first failing rule sets the message', () => {
    const rules = [required('Name'), minLength('Name', 3), maxLength('Name', 2)];
    expect(firstFailure('', rules)).toBe('Enter a Name');
    expect(firstFailure('ab', rules)).toBe('Name must be at least 3 characters');
    expect(firstFailure('abc', rules)).toBe('Name must be at most 2 characters');
    expect(firstFailure('abc', [])).toBeUndefined();
  });

  it('apply only under their condition', () => {
    expect(firstFailure('', when(false, required('Name')))).toBeUndefined();
    expect(firstFailure('', when(true, required('Name')))).toBe('Enter a Name');
  });

  it('aren’t confused by the names of built-in properties', () => {
    expect(requiredCustomData('constructor')({})).toBe('Enter a constructor');
    expect(duplicateGroupName([])('__proto__')).toBeUndefined();
  });

  it('count characters, not UTF-16 units', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'é', '👋', '\ud83d', '\udc4b', '\u0301')), (units) => {
        const text = units.join('');
        expect(characterCount(text)).toBe([...text].length);
      }),
    );
  });

  it('treat a value that trims to nothing as blank', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 10 }), (text) => {
        if (text.trim() === '') expect(isBlank(text)).toBe(true);
        if (/[a-z0-9]/.test(text)) expect(isBlank(text)).toBe(false);
      }),
    );
    expect(isBlank('👋')).toBe(false);
  });
});

describe('100,000 hostile characters', () => {
  // The last is a heap of accents out of order, which Unicode's normal form sorts.
  const hostile = ['a', ' ', '\u200b', '1', '👋', '\u0316\u0301'].map((unit) =>
    unit.repeat(100_000 / unit.length),
  );
  for (const [label, rule] of Object.entries(cases.basicRules)) {
    it(label, () => {
      const ms = cpuMs(() => {
        for (const text of hostile) rule(text);
      });
      expect(ms).toBeLessThan(900);
    });
  }
});
