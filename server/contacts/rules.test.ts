import fc from 'fast-check';
import { expect, it } from 'vitest';
import { digitsToFind } from '../search-text.ts';
import { readContactCursor, searchPatterns, wordPattern, writeContactCursor } from './rules.ts';

it.each([
  ['', [], null],
  ['adams', ['%adams%'], null],
  ['ben  adams ben', ['%ben%', '%adams%'], null],
  // One or two letters match the beginning of a word.
  ['a', ['% a%'], null],
  ['an', ['% an%'], null],
  ['an smi', ['% an%', '%smi%'], null],
  // Wildcard characters aren't letters: they may appear anywhere, and match themselves.
  ['_', ['%\\_%'], null],
  ['100%', ['%100\\%%'], null],
  ['\\', ['%\\\\%'], null],
  // A possible phone is searched without the characters between its digits.
  ['555-0101', ['%555-0101%'], '%5550101%'],
  ['(423) 555-0101', ['%(423)%', '%555-0101%'], '%4235550101%'],
  ['+1 423', ['%+1%', '%423%'], '%1423%'],
  ['42', ['% 42%'], null],
])('%j', (folded, patterns, digits) => {
  expect(searchPatterns(folded)).toEqual({ patterns, digits });
});

it.each([
  ['adams', '%adams%'],
  ['an', 'an%'],
  ['100%', '%100\\%%'],
  ['ben adams', undefined],
  ['', undefined],
  ['555-0101', undefined],
  ['x'.repeat(50), `%${'x'.repeat(50)}%`],
  ['x'.repeat(51), undefined],
])('%j, in a single word', (folded, pattern) => {
  expect(wordPattern(searchPatterns(folded).patterns)).toBe(pattern);
});

it('uses no more words than anybody remembers', () => {
  const words = Array.from({ length: 100 }, (_, i) => `word${i}`).join(' ');
  expect(searchPatterns(words).patterns).toHaveLength(12);
});

it('removes a country’s 1, but no other digit', () => {
  expect(digitsToFind('1-423-555-0101')).toBe('4235550101');
  expect(digitsToFind('1423')).toBe('1423');
  expect(digitsToFind('ext. 5')).toBe('');
});

it('parses every cursor that it writes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, id) => {
      const name = text.replaceAll('\0', '').toWellFormed();
      expect(readContactCursor(writeContactCursor({ name, id }))).toEqual({ name, id });
    }),
  );
});
