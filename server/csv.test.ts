import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvDownload, csvLine, plainCell, readAhead } from './csv.ts';
import type { Actor } from './serve.ts';
import { anyText } from './testing/any-text.ts';

it.each([
  ['=1+1', "'=1+1"],
  ['+1+1', "'+1+1"],
  ['-2', '-2'],
  ['-1250.50', '-1250.50'],
  ['-2+3', "'-2+3"],
  ["'-2", "''-2"],
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

it('quotes cells that need it, and ends lines with CR LF', () => {
  expect(csvLine(['a', 'b,c', 'say "hi"', 'two\r\nlines', '', ' x'])).toBe(
    'a,"b,c","say ""hi""","two\nlines",," x"\r\n',
  );
});

it('parses back what it wrote, whatever is in the cells', async () => {
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

it('has its headings and labels in the language of a person at a screen, and in English for programs', async () => {
  const file = async (reader: { languageId: number; sessionId: number }) => {
    const rows = [['Delivered', 'Delivered']];
    const header = ['Result', 'Reply', 'Time (America/New_York)'];
    return (await buffer(csvDownload('a.csv', header, rows, reader as Actor).stream)).toString('utf8').trim();
  };
  const english = 'Result,Reply,Time (America/New_York)\r\nDelivered,Delivered';
  expect(await file({ languageId: 2, sessionId: 5 })).toBe(
    'Resultado,Respuesta,Hora (America/New_York)\r\nEntregado,Delivered',
  );
  expect(await file({ languageId: 2, sessionId: 0 })).toBe(english);
  expect(await file({ languageId: 1, sessionId: 5 })).toBe(english);
});

it('fetches a page while the previous one is read, none after the last, and reports errors', async () => {
  const asked: (string | undefined)[] = [];
  const pages = readAhead(async (next) => {
    asked.push(next);
    return { Next: next === 'c' ? null : next === 'b' ? 'c' : 'b' };
  });
  await pages.next();
  expect(asked).toEqual([undefined, 'b']);
  for await (const _ of pages);
  expect(asked).toEqual([undefined, 'b', 'c']);
  const failing = readAhead(async (next) => {
    if (next !== undefined) throw new Error('gone');
    return { Next: 'b' };
  });
  await failing.next();
  await expect(failing.next()).rejects.toThrow('gone');
});
