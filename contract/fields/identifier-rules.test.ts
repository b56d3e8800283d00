import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { cpuMs } from '../text/testing/cpu-ms.ts';
import { required } from './basic-rules.ts';
import { fieldErrors } from './form.ts';
import * as cases from './identifier-rules.cases.ts';
import { hasLuhnChecksum } from './identifier-rules.ts';
import { phoneField } from './phone-rules.ts';

testRuleTable(cases.identifierFieldRules, ([rule, value]) => cases.identifierRules[rule](value));

/** The checksum written the other way round: from the left, over numbers. */
function luhnByTable(digits: string): boolean {
  const doubled = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
  const sum = Array.from(digits, Number).reduce(
    (total, digit, index) => total + ((digits.length - index) % 2 === 0 ? (doubled[digit] ?? 0) : digit),
    0,
  );
  return sum % 10 === 0;
}

describe('checksum', () => {
  it('agrees with a calculator written another way', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{1,20}$/), (digits) => {
        expect(hasLuhnChecksum(digits)).toBe(luhnByTable(digits));
      }),
    );
  });

  it('holds for exactly one last digit', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{5,15}$/), (digits) => {
        const passing = [...'0123456789'].filter((last) => hasLuhnChecksum(digits + last));
        expect(passing).toHaveLength(1);
      }),
    );
  });
});

describe('phone field', () => {
  const form = z.object({ Phone: phoneField(1, required('Phone Number')) });

  it('leaves the form normalized', () => {
    expect(form.parse({ Phone: '(423) 555-0143' })).toEqual({ Phone: '14235550143' });
  });

  it('reports each problem once', () => {
    expect(fieldErrors(form, { Phone: '' })).toEqual({ Phone: 'Enter a Phone Number' });
    expect(fieldErrors(form, { Phone: '12' })).toEqual({ Phone: 'Must be 10 digits; use only numbers' });
  });
});

describe('100,000 hostile characters', () => {
  const hostile = ['1', '-', ' ', 'K1', '+', '(', '１', 'é', '\u0316\u0301'].map((unit) =>
    unit.repeat(100_000 / unit.length),
  );
  for (const [label, rule] of Object.entries(cases.identifierRules)) {
    it(label, () => {
      const ms = cpuMs(() => {
        for (const text of hostile) rule(text);
      });
      expect(ms).toBeLessThan(900);
    });
  }
});
