import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { cpuMs } from '../text/testing/cpu-ms.ts';
import * as cases from './character-rules.cases.ts';
import { isEmail, parseUrl, withScheme } from './character-rules.ts';

testRuleTable(cases.characterFieldRules, ([rule, value]) => cases.characterRules[rule](value));

describe('email', () => {
  it('takes every address of the usual form', () => {
    fc.assert(
      fc.property(fc.emailAddress({ size: 'small' }), (address) => {
        const [local = '', domain = ''] = address.split('@');
        fc.pre(
          local.length <= 64 &&
            address.length <= 254 &&
            domain.split('.').every((label) => label.length <= 63),
        );
        expect(isEmail(address)).toBe(true);
      }),
    );
  });

  it('refuses anything that could break a mail header', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 30 }),
        fc.constantFrom('\r\n', ',', ';', '<', ' ', '\0'),
        (text, bad) => {
          expect(isEmail(`${text}${bad}x@district.example`)).toBe(false);
        },
      ),
    );
  });
});

describe('url', () => {
  it('prepends http:// if missing', () => {
    expect(withScheme('district.example')).toBe('http://district.example');
    expect(withScheme('HTTPS://district.example')).toBe('HTTPS://district.example');
    expect(parseUrl('district.example')?.href).toBe('http://district.example/');
  });

  it('is bounded', () => {
    const longest = `http://district.example/${'x'.repeat(2048 - 'http://district.example/'.length)}`;
    expect(parseUrl(longest)).toBeDefined();
    expect(parseUrl(`${longest}x`)).toBeUndefined();
  });

  it('accepts every address that browsers accept', () => {
    const path = fc.stringMatching(/^[\w.~%?=&#/-]{0,30}$/);
    fc.assert(
      fc.property(fc.constantFrom('http', 'https'), path, (scheme, rest) => {
        const address = `${scheme}://www.district.example/${rest}`;
        expect(parseUrl(address)?.href).toBe(new URL(address).href);
      }),
    );
  });
});

describe('100,000 hostile characters', () => {
  const hostile = ['a', '.', '@', '-', ' ', 'é', '://', 'a.', "'", '𝒜', '\u0316\u0301'].map((unit) =>
    unit.repeat(100_000 / unit.length),
  );
  for (const [label, rule] of Object.entries(cases.characterRules)) {
    it(label, () => {
      const ms = cpuMs(() => {
        for (const text of hostile) {
          rule(text);
          rule(`a@${text}.com`);
          rule(`${text}@district.example`);
        }
      });
      expect(ms).toBeLessThan(900);
    });
  }
});
