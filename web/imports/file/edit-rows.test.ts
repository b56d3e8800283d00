import { describe, expect, it } from 'vitest';
import type { FileRow } from '../../../contract/imports.ts';
import { inBatches, isChanged, problemsOf, shownFields } from './edit-rows.ts';

const row: FileRow = {
  RowNumber: 6,
  Kind: 'rejected',
  FirstName: 'Carl',
  LastName: 'Dunham',
  Notes: '',
  PrimaryPhone: '423-555-01',
  SecondaryPhone: '',
  TertiaryPhone: '',
  Groups: [],
  CustomData: {},
  Problem: 'This is a date, not a phone number',
  FirstRow: null,
  PersonID: null,
  Cells: [],
};

describe('a row that was left out', () => {
  it('has the server’s reason at the field that is wrong', () => {
    expect(problemsOf(row, undefined, 1)).toEqual({ PrimaryPhone: row.Problem });
    const long = { ...row, PrimaryPhone: '4235550143', FirstName: 'x'.repeat(51), Problem: 'Too long' };
    expect(problemsOf(long, undefined, 1)).toEqual({ FirstName: 'Too long' });
  });

  it('is validated by the rules of the form once it is changed', () => {
    const typed = (PrimaryPhone: string) => ({ values: { PrimaryPhone }, isRemoved: false });
    expect(problemsOf(row, typed('12'), 1)).toEqual({ PrimaryPhone: 'Must be 10 digits; use only numbers' });
    expect(problemsOf(row, typed('(423) 555-0143'), 1)).toEqual({});
  });

  it('has no errors when it is left out', () => {
    expect(problemsOf(row, { values: {}, isRemoved: true }, 1)).toEqual({});
  });

  it('is sent when something is different, and only then', () => {
    expect(isChanged(row, undefined)).toBe(false);
    expect(isChanged(row, { values: { FirstName: 'Carl' }, isRemoved: false })).toBe(false);
    expect(isChanged(row, { values: { FirstName: 'Carla' }, isRemoved: false })).toBe(true);
    expect(isChanged(row, { values: {}, isRemoved: true })).toBe(true);
  });

  it('shows the fields that any row has, and always the three main ones', () => {
    expect(shownFields([row]).map(([name]) => name)).toEqual(['FirstName', 'LastName', 'PrimaryPhone']);
    expect(shownFields([row, { ...row, Notes: 'Gate 4' }]).map(([name]) => name)).toContain('Notes');
  });
});

describe('batches', () => {
  it('hold everything once', () => expect(inBatches([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]));
  it('are none for an empty list', () => expect(inBatches([], 2)).toEqual([]));
});
