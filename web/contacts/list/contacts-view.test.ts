import { describe, expect, it } from 'vitest';
import type { List } from '../../../contract/lists.ts';
import { readListId } from './contacts-address.ts';
import {
  bookWords,
  listWords,
  pageSizeOf,
  rangeWords,
  readFilter,
  selectionQueryOf,
  sortOf,
  writeFilter,
} from './contacts-view.ts';

const list = (ListID: number, RosterCount: number, more: Partial<List> = {}): List => ({
  ListID,
  ListName: 'x',
  ListType: ListID > 0 ? 'User' : 'System',
  RosterCount,
  Color: 0,
  Segment: null,
  PhoneListID: '',
  ...more,
});

describe('the filter in the address', () => {
  it.each([
    ['', { consent: undefined, problem: false }],
    ['optedout', { consent: 'optedout', problem: false }],
    ['problem', { consent: undefined, problem: true }],
    ['notasked-problem', { consent: 'notasked', problem: true }],
  ] as const)('"%s" is read and written', (text, filter) => {
    expect(readFilter(text)).toEqual(filter);
    expect(writeFilter(filter)).toBe(text);
  });
  it('drops unknown parts', () => {
    expect(readFilter('everything-optedin')).toEqual({ consent: 'optedin', problem: false });
    expect(sortOf('-size')).toBe('name');
    expect(sortOf('-name')).toBe('-name');
    expect(pageSizeOf(5_000)).toBe(25);
    expect(pageSizeOf(50)).toBe(50);
  });
  it('is sent with a selection, but only the parts that are set', () => {
    expect(selectionQueryOf({ q: 'ann', filter: '' })).toEqual({ q: 'ann' });
    expect(selectionQueryOf({ q: '', filter: 'optedout-problem' })).toEqual({
      q: '',
      consent: 'optedout',
      problem: true,
    });
  });
});

describe('words', () => {
  it('of the range', () => {
    const shown = { page: 3, pagesize: 25, rows: 7, total: 57, isMore: false };
    expect(rangeWords(shown)).toBe('51–57 of 57');
    expect(rangeWords({ ...shown, rows: 25, total: 50_000, isMore: true })).toBe('51–75 of 50,000+');
    expect(rangeWords({ ...shown, rows: 0, total: 0 })).toBe('0 of 0');
  });
  it('of all contacts: segments don’t count as groups', () => {
    const segment = { Match: 'all' as const, Rules: [{ Kind: 'consent' as const, Is: 'optedin' as const }] };
    const lists = [list(0, 4318), list(-1, 41), list(-2, 19), list(7, 12), list(8, 3, { Segment: segment })];
    expect(bookWords(lists)).toBe('4,318 people in 1 group');
  });
});

describe('a list’s id in an address', () => {
  it.each([
    ['12', 12],
    ['-1', -1],
    ['-2', -2],
    ['-3', Number.NaN],
    ['0', Number.NaN],
    ['12x', Number.NaN],
    ['99999999999999999', Number.NaN],
  ])('%s', (text, id) => expect(readListId(text)).toEqual(id));
});

it('a list says how many people are in it, and what that means', () => {
  expect(listWords(list(7, 1))).toBe('1 person');
  expect(listWords(list(7, 1_234))).toBe('1,234 people');
  expect(listWords(list(7, 2, { Segment: { Match: 'all', Rules: [] } }))).toBe(
    '2 people match its conditions',
  );
  expect(listWords(list(-1, 1))).toBe('1 person not in any group');
  expect(listWords(list(-2, 3))).toBe('3 people you can restore');
});
