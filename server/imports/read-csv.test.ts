import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { importLimits } from '../../contract/imports.ts';
import { cpuMs } from '../../contract/text/testing/cpu-ms.ts';
import { createCsvParser, type SheetRow } from './parse-csv.ts';
import { detectCsv, detectDelimiter, readCsv } from './read-csv.ts';
import { notASpreadsheet, rowTooLong, tooManyColumns } from './rules.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-csv-'));
  return () => rm(folder, { recursive: true });
});

let serial = 0;
async function keep(bytes: Buffer | string): Promise<string> {
  serial += 1;
  const path = join(folder, `${serial}.csv`);
  await writeFile(path, bytes);
  return path;
}

async function readWhole(path: string): Promise<SheetRow[]> {
  const rows: SheetRow[] = [];
  for await (const batch of readCsv(path, await detectCsv(path))) rows.push(...batch.rows);
  return rows;
}

function parseInPieces(text: string, delimiter: string, pieces: number[]): SheetRow[] {
  const parser = createCsvParser(delimiter);
  const rows: SheetRow[] = [];
  let at = 0;
  for (const size of pieces) {
    rows.push(...parser.push(text.slice(at, at + size)));
    at += size;
  }
  rows.push(...parser.push(text.slice(at)), ...parser.end());
  return rows;
}

const cellsOf = (rows: SheetRow[]) => rows.map(({ cells }) => cells);

describe('rows of a CSV text', () => {
  it.each([
    [
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\rc,d\r',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['"a, b","c ""d"""\n', [['a, b', 'c "d"']]],
    [
      '"two\nlines",x\r\ny,z',
      [
        ['two\nlines', 'x'],
        ['y', 'z'],
      ],
    ],
    ['5" pipe,x', [['5" pipe', 'x']]],
    ['"John "Johnny" Doe",x', [['John Johnny" Doe"', 'x']]],
    ['a\n\n\nb,c,d', [['a'], ['b', 'c', 'd']]],
    [',,\n', [['', '', '']]],
    ['', []],
  ])('%j', (text, cells) => {
    expect(cellsOf(parseInPieces(text, ',', []))).toEqual(cells);
  });

  it('numbers rows as a spreadsheet does', () => {
    expect(parseInPieces('a\n\n"b\nb"\nc', ',', [])).toEqual([
      { number: 1, cells: ['a'] },
      { number: 3, cells: ['b\nb'] },
      { number: 4, cells: ['c'] },
    ]);
  });

  it('reports the row in which the file ends', () => {
    expect(parseInPieces('a,b\n"c,d\n', ',', [])).toEqual([
      { number: 1, cells: ['a', 'b'] },
      { number: 2, cells: ['c,d\n'], fault: 'cutOff' },
    ]);
  });

  it('reports the row with a missing quotation mark, and reads the others', () => {
    const others = [
      { number: 1, cells: ['a', 'b'] },
      { number: 2, cells: ['x', 'c', 'd'], fault: 'openQuote' },
    ];
    // Nothing closes it; a cell further down seems to; a row of quotation marks does, until the end.
    for (const pieces of [[], [3, 2, 5], [1, 1, 1, 1, 1, 1, 1, 1, 1]]) {
      expect(parseInPieces('a,b\nx,"c,d\ne,f\n', ',', pieces)).toEqual([
        ...others,
        { number: 3, cells: ['e', 'f'] },
      ]);
      expect(parseInPieces('a,b\nx,"c,d\n"e","f\ng"\n"h",i', ',', pieces)).toEqual([
        ...others,
        { number: 3, cells: ['e', 'f\ng'] },
        { number: 4, cells: ['h', 'i'] },
      ]);
    }
    const many = parseInPieces(`a,b\nx,"c,d\n${'e,f\n'.repeat(90_000)}`, ',', []);
    expect(many.slice(0, 2)).toEqual(others);
    expect(many).toHaveLength(90_002);
  });

  it('takes no longer with a quotation mark in each of 100,000 rows', () => {
    const text = 'Jane,"Doe,1\n'.repeat(100_000);
    expect(cpuMs(() => parseInPieces(text, ',', []))).toBeLessThan(900);
  });

  it('match csv-parse’s, however the text is split into pieces', () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', 'é', ' ', '"', ',', ';', '\n', '\r', '1'),
      maxLength: 6,
    });
    const row = fc.array(cell, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 6 }),
        fc.array(fc.nat({ max: 8 }), { maxLength: 20 }),
        fc.constantFrom('\n', '\r\n'),
        (rows, pieces, end) => {
          const written = rows
            .map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(',') + end)
            .join('');
          const peer = (parse(written, { relax_column_count: true }) as string[][]).filter(
            (cells) => cells.length > 1 || cells[0] !== '',
          );
          expect(cellsOf(parseInPieces(written, ',', pieces))).toEqual(peer);
        },
      ),
    );
  });

  it('never loses or duplicates text without quotation marks', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', ',', '\n', '\r'), maxLength: 40 }),
        fc.array(fc.nat({ max: 5 }), { maxLength: 20 }),
        (text, pieces) => {
          const whole = text.split(/\r\n|\n|\r/).map((line) => line.split(','));
          const expected = whole.filter((cells) => cells.length > 1 || cells[0] !== '');
          expect(cellsOf(parseInPieces(text, ',', pieces))).toEqual(expected);
        },
      ),
    );
  });
});

describe('encodings', () => {
  const text = 'Name;Phone\r\nJosé Muñoz;4235550143\r\nŁukasz “Luke” €;4235550144\r\n';
  const latin = 'Name;Phone\r\nJosé Muñoz;4235550143\r\n';
  const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();
  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with its mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 LE with its mark', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 LE', Buffer.from(text, 'utf16le')],
    ['UTF-16 BE with its mark', swapped(Buffer.from(`\ufeff${text}`, 'utf16le'))],
    ['UTF-16 BE', swapped(Buffer.from(text, 'utf16le'))],
  ])('%s', async (_name, bytes) => {
    expect(cellsOf(await readWhole(await keep(bytes)))).toEqual([
      ['Name', 'Phone'],
      ['José Muñoz', '4235550143'],
      ['Łukasz “Luke” €', '4235550144'],
    ]);
  });

  it('Windows-1252, by an é near the end', async () => {
    const long = `${latin.slice(0, 12)}${'Plain Name;4235550100\r\n'.repeat(20_000)}José;4235550143\r\n`;
    const rows = await readWhole(await keep(Buffer.from(long, 'latin1')));
    expect(rows).toHaveLength(20_002);
    expect(rows.at(-1)?.cells[0]).toBe('José');
  });

  it('UTF-8 whose characters are split across the pieces', async () => {
    const rows = await readWhole(await keep('x,€€€\n'.repeat(200_000)));
    expect(rows).toHaveLength(200_000);
    expect(rows.every(({ cells }) => cells[1] === '€€€')).toBe(true);
  });
});

describe('delimiters', () => {
  it.each([
    ['a,b,c\n1,2,3\n', ','],
    ['a;b;c\n"1,5";2,5;3,5\n', ';'],
    ['a\tb\n1, x\t2\n', '\t'],
    ['a|b|c\n1|2|3\n', '|'],
    ['a^b\n1^2\n', '^'],
    ['sep=;\na;b,c,d\n', ';'],
    ['Name, Title;Phone\nDoe, Jane;1\nRoe, Joe;2\n', ';'],
    ['4235550143\n4235550144\n', ','],
    ['"a;b;c",d\n"e;f;g",h\n', ','],
  ])('%j', (text, delimiter) => {
    expect(detectDelimiter(text)).toBe(delimiter);
  });

  it('leaves out the line that names it', async () => {
    const rows = await readWhole(await keep('sep=;\r\nName;Phone\r\nJane;1\r\n'));
    expect(rows.map(({ number }) => number)).toEqual([2, 3]);
  });
});

describe('files that aren’t lists of contacts', () => {
  it.each([
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), notASpreadsheet],
    ['a PDF', Buffer.from('%PDF-1.7\nstream'), notASpreadsheet],
    ['a web page', Buffer.from('<html><table><tr><td>1</td></tr></table>'), notASpreadsheet],
    ['random bytes', Buffer.from(Array.from({ length: 999 }, (_, at) => (at * 7919) % 256)), notASpreadsheet],
    ['a row of 10 MB', `Name,Phone\nJane,1\n${'x'.repeat(10_000_000)},1\n`, rowTooLong(3)],
    [
      'a quotation mark that never closes, in a line that never ends',
      `Name,Phone\n"Jane,1${'Joe,2,'.repeat(100_000)}`,
      rowTooLong(2),
    ],
    ['16,384 columns', `${Array.from({ length: 16_384 }, (_, at) => at).join(',')}\n`, tooManyColumns],
  ])('%s', async (_name, bytes, sentence) => {
    await expect(keep(bytes).then(readWhole)).rejects.toThrow(sentence);
  });

  it('removes NUL characters, and the apostrophe that keeps a cell from being a formula', async () => {
    const rows = await readWhole(
      await keep(`${'x,y\n'.repeat(50)}Na\u0000me,Phone\n'=Jane,'+1 423\u0000 5550143\n''-x,'y\n`),
    );
    expect(cellsOf(rows).slice(50)).toEqual([
      ['Name', 'Phone'],
      ['=Jane', '+1 423 5550143'],
      ["'-x", "'y"],
    ]);
  });

  it('ignores commas after the last cell', async () => {
    const rows = await readWhole(await keep(`Jane,4235550143${','.repeat(16_000)}\n`));
    expect(rows[0]?.cells.length).toBe(importLimits.columns);
  });
});
