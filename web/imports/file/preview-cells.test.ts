import { describe, expect, it } from 'vitest';
import { fileColumns } from '../../../contract/imports.ts';
import { previewRows } from './preview-cells.ts';

function preview(cells: string[][], named: Record<string, number>) {
  const width = Math.max(...cells.map((row) => row.length));
  const tab = {
    columns: Array.from({ length: width }, (_, at) => ({ columnNumber: at + 1, header: '' })),
    rows: cells.map((row, at) => ({ rowNumber: at + 2, cells: row })),
  };
  return previewRows(tab, fileColumns.parse(named), 1).map((row) =>
    row.cells.map(({ text, state, note }) => [text, state, note]),
  );
}

describe('the preview of the first rows', () => {
  it('repairs phones that a spreadsheet damaged, and shows the original', () => {
    expect(preview([['4.235550117E9'], ['4235550143.0'], ['(423) 555-0144']], { Phone1: 1 }).flat()).toEqual([
      ['(423) 555-0117', 'repaired', 'The file says 4.235550117E9'],
      ['(423) 555-0143', 'repaired', 'The file says 4235550143.0'],
      ['(423) 555-0144', 'plain', ''],
    ]);
  });

  it('marks a repeated primary phone, an invalid one, and a row without one', () => {
    expect(preview([['4235550122'], ['423-555-0122'], ['423-555-016'], ['']], { Phone1: 1 }).flat()).toEqual([
      ['(423) 555-0122', 'plain', ''],
      ['(423) 555-0122', 'duplicate', 'Already in row 2'],
      ['423-555-016', 'wrong', 'Must be 10 digits; use only numbers'],
      ['No phone', 'wrong', 'A contact needs a phone'],
    ]);
  });

  it('uses the second phone where the first is empty', () => {
    const rows = preview(
      [
        ['4235550122', ''],
        ['', '4235550122'],
      ],
      { Phone1: 1, Phone2: 2 },
    );
    expect(rows[1]).toEqual([
      ['', 'plain', ''],
      ['(423) 555-0122', 'duplicate', 'Already in row 2'],
    ]);
  });

  it('puts a separate area code before a number that has none', () => {
    const named = { AreaCode1: 1, Phone1: 2 };
    expect(
      preview(
        [
          ['423.0', '5550199'],
          ['423', '9315550190'],
        ],
        named,
      ).map((row) => row[1]?.[0]),
    ).toEqual(['(423) 555-0199', '(931) 555-0190']);
  });

  it('leaves columns that aren’t phones as they are', () => {
    expect(preview([['  3.1E9 ', '4235550199']], { Phone1: 2, Notes: 1 })[0]?.[0]).toEqual([
      '3.1E9',
      'plain',
      '',
    ]);
  });
});
