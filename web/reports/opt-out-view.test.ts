import { expect, it } from 'vitest';
import { emptyTitle, optOutQuery } from './opt-out-view.ts';

it.each([
  [
    { filter: '', q: '' },
    { filter: 'all', q: '' },
  ],
  [
    { filter: 'voice', q: ' 555 ' },
    { filter: 'voice', q: '555' },
  ],
  [
    { filter: 'nonsense', q: 'x'.repeat(300) },
    { filter: 'all', q: 'x'.repeat(200) },
  ],
])('the address %o asks for %o', (state, query) => expect(optOutQuery(state)).toEqual(query));

it('says whether there is nothing or nothing was found', () => {
  expect(emptyTitle({ filter: 'text', q: '' })).toBe('Nobody has opted out of texts');
  expect(emptyTitle({ filter: 'text', q: 'ann' })).toBe('Nothing found for “ann”');
});
