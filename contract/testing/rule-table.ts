/**
 * A table of cases for one subject of the rulebook. The rows are named after the specification's own
 * sentences; the test runs them, and docs/rules.md is written from them, so the page can't drift from the
 * code.
 */
export interface RuleTable<Input, Output> {
  /** The subject as a heading, e.g. "Card form". */
  about: string;
  /** File with the rule, e.g. "contract/forms/card.ts". */
  file: string;
  rows: RuleRow<Input, Output>[];
}

interface RuleRow<Input, Output> {
  /** The specification's sentence, or ours where it is silent (then start it with "Ours:"). */
  rule: string;
  /** The sentence a user sees when the rule fails, where there is one. */
  message?: string;
  /** Input and the rule's result for it. */
  cases: [Input, Output][];
}

export function ruleTable<Input, Output>(table: RuleTable<Input, Output>): RuleTable<Input, Output> {
  return table;
}
