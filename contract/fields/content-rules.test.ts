import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { cpuMs } from '../text/testing/cpu-ms.ts';
import * as cases from './content-rules.cases.ts';

testRuleTable(cases.contentFieldRules, ([rule, value]) => cases.contentRules[rule](value));

describe('100,000 hostile characters', () => {
  const units = ['{', '{{', '}', 'a.', 'bit.ly/', 'http://', '@', 'stop ', '{{a', ').', '\u0316\u0301'];
  const hostile = units.map((unit) => unit.repeat(100_000 / unit.length));
  for (const [label, rule] of Object.entries(cases.contentRules)) {
    it(label, () => {
      const ms = cpuMs(() => {
        for (const text of hostile) rule(text);
      });
      expect(ms).toBeLessThan(900);
    });
  }
});
