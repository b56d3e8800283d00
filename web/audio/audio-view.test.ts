import { expect, it } from 'vitest';
import { filterOf, readSort, readView } from './audio-view.ts';

it('knows the views by the ends of their paths', () => {
  expect([undefined, 'all', 'starred', 'shared', 'never-used', 'nothing'].map(readView)).toEqual([
    'all',
    'all',
    'starred',
    'shared',
    'never-used',
    undefined,
  ]);
});

it('asks for what the address says', () => {
  expect(filterOf('never-used', { q: 'snow', filter: 'survey' })).toEqual({
    unused: true,
    q: 'snow',
    type: 'survey',
  });
  expect(filterOf('all', { q: '', filter: 'nonsense' })).toEqual({});
  expect([readSort('newest'), readSort('; drop')]).toEqual(['newest', 'name']);
});
