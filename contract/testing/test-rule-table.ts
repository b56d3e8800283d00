import { describe, expect, it } from 'vitest';
import type { RuleTable } from './rule-table.ts';

/** Runs every case of a rule table through `run`, one test a case, named after rule and input. */
export function testRuleTable<Input, Output>(table: RuleTable<Input, Output>, run: (input: Input) => Output) {
  describe(table.about, () => {
    for (const row of table.rows) {
      describe(row.rule, () => {
        for (const [index, [input, expected]] of row.cases.entries()) {
          it(`${index + 1}: ${JSON.stringify(input)?.slice(0, 80)}`, () => {
            expect(run(input)).toEqual(expected);
          });
        }
      });
    }
  });
}
