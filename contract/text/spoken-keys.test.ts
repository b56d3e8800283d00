import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { possibleKeys, spokenKeys } from './spoken-keys.cases.ts';
import { readSpokenKeys } from './spoken-keys.ts';
import { cpuMs } from './testing/cpu-ms.ts';

testRuleTable(spokenKeys, (words) => {
  const { answers, saysZero, saysNine } = readSpokenKeys(words);
  return {
    ...(answers.length > 0 ? { answers: answers.join(' ') } : {}),
    ...(saysZero ? { zero: true as const } : {}),
    ...(saysNine ? { nine: true as const } : {}),
  };
});

testRuleTable(possibleKeys, (words) => {
  const { named, takesAny } = readSpokenKeys(words);
  return takesAny ? 'any' : named.join(' ');
});

it.each([
  ['To talk to us, press 0.', true],
  ['For the office, 0.', true],
  ['Zero connects you to the office.', true],
  ['Para la oficina, el cero.', true],
  ['Our school has zero tolerance.', false],
  ['We have zero seats left.', false],
  ['It will be below 0 tonight.', false],
  ['It costs $0. Press star 0.', false],
])('tells whether a 0 may be a key: %s', (words, maySayZero) => {
  expect(readSpokenKeys(words).maySayZero).toBe(maySayZero);
});

it('finds each key that is offered, whatever surrounds it', () => {
  const around = fc.constantFrom(
    '',
    'Hello, this is Oak School.',
    'It is 2026!',
    'We open at 7:30 am.',
    '¿Viene?',
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), around, around, (digit, before, after) => {
      for (const offer of [`Press ${digit}.`, `*${digit}`, `For yes, press star ${digit} now.`]) {
        expect(readSpokenKeys(`${before} ${offer} ${after}`).answers).toEqual([`*${digit}`]);
      }
    }),
  );
});

it('reads any text, and a long one quickly', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { answers, named } = readSpokenKeys(text);
      expect(answers.every((key) => named.includes(key))).toBe(true);
    }),
  );
  const ms = cpuMs(() => {
    for (const part of ['1 ', '1-', 'press the ', '*', 'a.', '1,1', 'un o ', '1 to the ', 'any other ', "'."])
      readSpokenKeys(part.repeat(20_000));
  });
  expect(ms).toBeLessThan(1000);
});
