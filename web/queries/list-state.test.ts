import { describe, expect, it } from 'vitest';
import { readListSearch } from './list-search.ts';
import { listSearch } from './list-state.ts';

const defaults = { page: 1, pagesize: 10, sort: '', filter: '', q: '' };

describe('list state in the address', () => {
  it('takes what is well-formed and drops the rest', () => {
    const search = { page: '3', pagesize: -5, sort: 'name', q: 5550143, filter: ['x'], other: 1 };
    expect(readListSearch(search)).toEqual({ page: 3, sort: 'name', q: '5550143' });
  });
  it('leaves defaults out', () => {
    expect(listSearch({ ...defaults, page: 2, q: 'ann' }, defaults)).toEqual({ page: 2, q: 'ann' });
    expect(listSearch(defaults, defaults)).toEqual({});
  });
  it('says that something remembered is not wanted this time', () => {
    const search = listSearch(defaults, { ...defaults, sort: 'name' });
    expect({ ...defaults, sort: 'name', ...readListSearch(search) }).toEqual(defaults);
  });
});
