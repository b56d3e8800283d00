import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { type CallResult, callResultCodes, callResults, isCallResultCode } from './call-result.ts';
import { callLabels, failureWarnings, textLabels, textMoves } from './delivery.cases.ts';
import { showsFailureWarning } from './failure-warning.ts';
import {
  type DeliveryStatus,
  isTextStatusCode,
  movesForward,
  textStatusCodes,
  textStatuses,
} from './text-status.ts';

testRuleTable(textLabels, (code) => {
  const { label, kind, rank } = textStatuses[code];
  return { label, kind, rank };
});
testRuleTable(textMoves, ([from, to]) => movesForward(from, to));
testRuleTable(callLabels, (code) => {
  const { label, kind, mayRetry } = callResults[code];
  return { label, kind, mayRetry };
});
testRuleTable(failureWarnings, ({ failed, total }) => showsFailureWarning(failed, total));

describe('statuses', () => {
  const tables: readonly [string, readonly (DeliveryStatus | CallResult)[]][] = [
    ['text', textStatusCodes.map((code) => textStatuses[code])],
    ['call', callResultCodes.map((code) => callResults[code])],
  ];

  for (const [name, statuses] of tables) {
    it(`of a ${name} have each a label of their own and a tooltip of one or two sentences`, () => {
      expect(new Set(statuses.map(({ label }) => label)).size).toBe(statuses.length);
      for (const { tooltip } of statuses) {
        expect(tooltip).toMatch(/^[A-Z].*\.$/s);
        expect(tooltip.length).toBeLessThan(170);
        expect(tooltip.match(/[.?!](?: |$)/g)?.length).toBeLessThanOrEqual(2);
      }
    });
  }

  it('are all in the tables above', () => {
    const inTables = (table: { rows: { cases: [string, unknown][] }[] }) =>
      table.rows.flatMap(({ cases }) => cases.map(([code]) => code)).sort();
    expect(inTables(textLabels)).toEqual([...textStatusCodes].sort());
    expect(inTables(callLabels)).toEqual([...callResultCodes].sort());
  });

  it('are known by their code only', () => {
    expect(isTextStatusCode('sent')).toBe(true);
    expect(isTextStatusCode('toString')).toBe(false);
    expect(isCallResultCode('busy')).toBe(true);
    expect(isCallResultCode('sent')).toBe(false);
  });
});
