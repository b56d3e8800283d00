import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { spokenKeys } from './spoken-keys.cases.ts';
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

it('names every key that people may have understood, and none of a phone number or a time', () => {
  expect(readSpokenKeys('For yes, press one. For no, two. Maybe: 3.').named).toEqual(['*1', '*2', '*3']);
  expect(readSpokenKeys('Press 1 for yes. We start at 6 pm. Call (423) 555-0143.').named).toEqual(['*1']);
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
    for (const part of ['1 ', '1-', 'press the ', '*', 'a.', '1,1']) readSpokenKeys(part.repeat(20_000));
  });
  expect(ms).toBeLessThan(1000);
});
