import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { courtesies } from './courtesy.cases.ts';
import { isCourtesy } from './courtesy.ts';
import { recognizeInbound } from './inbound-word.ts';
import { cpuMs } from './testing/cpu-ms.ts';

testRuleTable(courtesies, isCourtesy);

it('never treats a question, a number or a request to stop as a courtesy, whatever surrounds it', () => {
  const polite = fc.constantFrom('thank you', 'ok', '👍', 'gracias', 'Got it');
  const needy = fc.constantFrom('?', '7', 'stop', 'call me', 'quit', '👎');
  fc.assert(
    fc.property(polite, needy, polite, (before, asked, after) => {
      expect(isCourtesy(`${before} ${asked} ${after}`)).toBe(false);
    }),
  );
});

it('never hides a word that is handled automatically', () => {
  for (const word of ['STOP', 'stop please', 'HELP', 'START', 'UNSTOP', 'opt out thanks']) {
    expect([word, recognizeInbound(word) !== undefined, isCourtesy(word)]).toEqual([word, true, false]);
  }
});

it('checks a long text quickly', () => {
  const ms = cpuMs(() => {
    isCourtesy(`liked “${'”'.repeat(100_000)}x`);
    isCourtesy('o'.repeat(100_000));
  });
  expect(ms).toBeLessThan(200);
});
