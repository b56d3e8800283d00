import { describe, expect, it } from 'vitest';
import { type FileTab, fileColumns } from '../../../contract/imports.ts';
import {
  columnOf,
  guessedColumns,
  letterOf,
  rowsIn,
  showTab,
  skip,
  targetLabel,
  targetOf,
  withTarget,
} from './file-columns.ts';

const columns = fileColumns.parse({
  FirstName: 1,
  Phone1: 3,
  CustomData: [{ ColumnNumber: 4, Name: 'Bus route' }],
});
const tab: FileTab = {
  ...columns,
  TabNumber: 1,
  TabName: 'Guardians',
  HasHeader: true,
  TitleRows: 0,
  RowCount: 2,
  Columns: [
    { ColumnNumber: 1, Header: 'First' },
    { ColumnNumber: 2, Header: 'Cell' },
  ],
  Rows: [
    { RowNumber: 2, Cells: ['Tamika', '4235550117'] },
    { RowNumber: 3, Cells: ['Renee', '4235550143'] },
  ],
  IsRemembered: false,
};

describe('the target of a column', () => {
  it('is a field of contacts, a custom field, or skipped', () => {
    expect([1, 2, 3, 4].map((number) => targetLabel(targetOf(columns, number)))).toEqual([
      'First name',
      'Skip',
      'Primary phone',
      'Custom: Bus route',
    ]);
  });

  it('moves to another column: a target is used once', () => {
    const moved = withTarget(columns, 2, { kind: 'fixed', name: 'Phone1' });
    expect([2, 3].map((number) => targetLabel(targetOf(moved, number)))).toEqual(['Primary phone', 'Skip']);
    const custom = withTarget(moved, 3, { kind: 'custom', name: 'bus route' });
    expect(custom.CustomData).toEqual([{ ColumnNumber: 3, Name: 'bus route' }]);
  });

  it('loses its previous target', () => {
    const changed = withTarget(columns, 3, { kind: 'fixed', name: 'Notes' });
    expect([changed.Phone1, changed.Notes]).toEqual([null, 3]);
    expect(withTarget(columns, 4, skip).CustomData).toEqual([]);
  });

  it('can be looked up by target, custom fields regardless of case', () => {
    expect(columnOf(columns, { kind: 'custom', name: 'BUS ROUTE' })).toBe(4);
    expect(columnOf(columns, { kind: 'fixed', name: 'Groups' })).toBeUndefined();
  });

  it('comes with the tab as a guess, without the tab’s other data', () => {
    expect(guessedColumns(tab)).toEqual(columns);
  });
});

describe('a tab', () => {
  it('shows the guessed heading as a row, if it isn’t one', () => {
    expect(showTab(tab, false).rows).toEqual([
      { rowNumber: 1, cells: ['First', 'Cell'] },
      { rowNumber: 2, cells: ['Tamika', '4235550117'] },
      { rowNumber: 3, cells: ['Renee', '4235550143'] },
    ]);
    expect(showTab(tab, false).columns.map(({ header }) => header)).toEqual(['', '']);
    expect(rowsIn(tab, false)).toBe(3);
    expect(rowsIn({ ...tab, TitleRows: 2 }, false)).toBe(5);
    expect(showTab({ ...tab, TitleRows: 2 }, false).rows[0]?.rowNumber).toBe(3);
  });

  it('shows its first row as the heading, if it is one', () => {
    const plain: FileTab = { ...tab, HasHeader: false };
    expect(showTab(plain, true)).toEqual({
      columns: [
        { columnNumber: 1, header: 'Tamika' },
        { columnNumber: 2, header: '4235550117' },
      ],
      rows: [{ rowNumber: 3, cells: ['Renee', '4235550143'] }],
    });
    expect(rowsIn(plain, true)).toBe(1);
    expect(rowsIn({ ...plain, RowCount: null }, true)).toBeNull();
  });

  it.each([
    [1, 'A'],
    [26, 'Z'],
    [27, 'AA'],
    [52, 'AZ'],
    [200, 'GR'],
  ])('calls column %i %s', (number, letter) => expect(letterOf(number)).toBe(letter));
});
