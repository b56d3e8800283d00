import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvDownload, csvLine, plainCell } from './csv.ts';
import { anyText } from './testing/any-text.ts';

it.each([
  ['=1+1', "'=1+1"],
  ['+1+1', "'+1+1"],
  ['-2', "'-2"],
  ['@sum(a1)', "'@sum(a1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', "'\n=1"],
  ['\u0000=1', "'=1"],
  ['a\u0007b\u009fc', 'abc'],
  ['(423) 555-0143', '(423) 555-0143'],
  ['+44 20 7946 0958', '+44 20 7946 0958'],
  ['+44 20 7946 0958|calc', "'+44 20 7946 0958|calc"],
  ['José', 'José'],
])('a cell with %j becomes %j', (given, plain) => {
  expect(plainCell(given)).toBe(plain);
});

it('quotes what has to be, and ends lines with CR LF', () => {
  expect(csvLine(['a', 'b,c', 'say "hi"', 'two\r\nlines', '', ' x'])).toBe(
    'a,"b,c","say ""hi""","two\nlines",," x"\r\n',
  );
});

it('reads back as it was written, whatever stands in the cells', async () => {
  const table = fc.array(fc.array(anyText(), { minLength: 3, maxLength: 3 }));
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      const { stream } = csvDownload('a.csv', ['A', 'B', 'C'], rows);
      const text = (await buffer(stream)).toString('utf8');
      expect(text.codePointAt(0)).toBe(0xfeff);
      const back: string[][] = parse(text, { bom: true, record_delimiter: '\r\n', relax_column_count: true });
      const kept = rows.map((cells) => cells.map((cell) => plainCell(cell).toWellFormed()));
      expect(back).toEqual([['A', 'B', 'C'], ...kept]);
    }),
    { numRuns: 60 },
  );
});
