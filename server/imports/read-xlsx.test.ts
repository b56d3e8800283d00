import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { isDateFormat } from './open-xlsx.ts';
import { LookTooLong, longLook, quickLook, readStructure, readTab } from './read-structure.ts';
import * as sentences from './rules.ts';
import { makeXlsx, type XlsxSheet, zip } from './testing/make-xlsx.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-xlsx-'));
  return () => rm(folder, { recursive: true });
});

let serial = 0;
async function keep(bytes: Buffer): Promise<string> {
  serial += 1;
  const path = join(folder, `${serial}.xlsx`);
  await writeFile(path, bytes);
  return path;
}

async function readRows(sheets: XlsxSheet[], tab = 1) {
  const path = await keep(await makeXlsx(sheets));
  const rows: string[][] = [];
  for await (const batch of readTab(path, { kind: 'xlsx' }, tab))
    rows.push(...batch.rows.map(({ cells }) => cells));
  return rows;
}

describe('cells', () => {
  it.each([
    ['words', 'Jane & Joe', 'Jane & Joe'],
    ['words in the cell itself', { inline: 'Jane <b>' }, 'Jane <b>'],
    ['numbers', 4_235_550_143, '4235550143'],
    ['numbers with a fraction', 1.5, '1.5'],
    ['large numbers', 4.235550143e9, '4235550143'],
    ['dates', { date: 45_306 }, '2024-01-15'],
    ['dates with a time', { date: 45_306.75 }, '2024-01-15 18:00'],
    ['yes and no', true, 'TRUE'],
    ['characters as Office writes them', 'two_x000D_\n_x0041_ lines', 'two\r\nA lines'],
    ['the same in the cell itself', { inline: 'caf_x00e9_' }, 'café'],
    ['what only looks like it', 'a_x005F_x000D_b _x00_', 'a_x000D_b _x00_'],
    ['characters that can’t be kept', 'a_x0000__xD800_b_xD83D__xDE00_', 'a\ufffdb😀'],
    ['words behind the apostrophe that keeps them from being a formula', "'=1+1", '=1+1'],
    ['formulas by what they came to', { formula: 'A1&"x"', value: 'came out' }, 'came out'],
  ])('%s', async (_name, cell, text) => {
    expect(await readRows([{ name: 'One', rows: [['x', cell]] }])).toEqual([['x', text]]);
  });

  it('stay in their columns, and rows at their positions', async () => {
    const path = await keep(
      await makeXlsx([{ name: 'One', rows: [[null, 'b', null, 'd'], [], [null, null], ['a']] }]),
    );
    const rows = [];
    for await (const batch of readTab(path, { kind: 'xlsx' }, 1)) rows.push(...batch.rows);
    expect(rows).toEqual([
      { number: 1, cells: ['', 'b', '', 'd'] },
      { number: 4, cells: ['a'] },
    ]);
  });

  it.each([
    ['yyyy\\-mm\\-dd', true],
    ['[$-409]d/m/yy h:mm;@', true],
    ['0.00', false],
    ['[Red]0', false],
    ['"day" 0', false],
  ])('the format %s is a date: %s', (code, is) => {
    expect(isDateFormat(code)).toBe(is);
  });
});

const sheetOf = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
/** A workbook with one or more tabs. They may all be the same sheet. */
function workbookOf(sheet: string | { spaces: number }, tabs = ['a'], more: [string, string][] = []) {
  const list = tabs.map((name) => `<sheet name="${name}" r:id="rId1"/>`).join('');
  return zip(
    new Map<string, string | { spaces: number }>([
      ['xl/workbook.xml', `<workbook xmlns:r="r"><sheets>${list}</sheets></workbook>`],
      [
        'xl/_rels/workbook.xml.rels',
        '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
      ],
      ['xl/worksheets/sheet1.xml', sheet],
      ...more,
    ]),
  );
}

it('assigns the next positions to rows and cells with invalid ones, and never the same twice', async () => {
  const places = ['NaN', '-7', '1e300', '3', '3', '2', '99999999999', '0.5', '12'];
  const rows = places.map((r, at) => `<row r="${r}"><c r="1"><v>${at}</v></c><c r="zz9"><v>x</v></c></row>`);
  const path = await keep(await workbookOf(sheetOf(rows.join(''))));
  const read = [];
  for await (const batch of readTab(path, { kind: 'xlsx' }, 1)) read.push(...batch.rows);
  expect(read.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 12]);
  expect(read.every(({ cells }) => cells.length === 2 && cells[1] === 'x')).toBe(true);
  expect((await readStructure(path)).tabs[0]?.rows.map(({ number }) => number)).toEqual(
    read.map(({ number }) => number),
  );
});

it('ignores a word with an invalid index', async () => {
  const words: [string, string] = ['xl/sharedStrings.xml', '<sst><si><t>Phone</t></si></sst>'];
  const cells = ['0', 'NaN', '-1', '1e3', '7'].map((v) => `<c t="s"><v>${v}</v></c>`).join('');
  const path = await keep(await workbookOf(sheetOf(`<row>${cells}<c><v>1</v></c></row>`), ['a'], [words]));
  expect((await readStructure(path)).tabs[0]?.rows).toEqual([
    { number: 1, cells: ['Phone', '', '', '', '', '1'] },
  ]);
});

describe('a look into a workbook', () => {
  const empty = '<row><c></c></row>'.repeat(40_000);
  const people = '<row><c><v>4235550143</v></c></row>';

  it('stops at its limits, and says so', async () => {
    const path = await keep(await workbookOf(sheetOf(people + empty + people), ['a', 'b']));
    await expect(readStructure(path, quickLook)).rejects.toThrow(LookTooLong);
    const { tabs } = await readStructure(path, { ...longLook, rowBytes: 100_000 });
    expect(tabs.map(({ rows, isWhole }) => [rows.length, isWhole])).toEqual([
      [1, false],
      [1, false],
    ]);
    const hidden = await keep(await workbookOf(sheetOf(empty + people)));
    await expect(readStructure(hidden, { ...longLook, rowBytes: 100_000 })).rejects.toThrow(
      sentences.startsEmpty,
    );
    expect((await readStructure(hidden)).tabs[0]?.rows).toHaveLength(1);
  });

  it('costs fifty tabs of 2.6 million empty rows no more than one', async () => {
    const names = Array.from({ length: 50 }, (_, at) => `tab ${at}`);
    const bytes = await workbookOf(sheetOf(people + '<row/>'.repeat(2_600_000) + people), names);
    expect(bytes.length).toBeLessThan(500_000);
    const path = await keep(bytes);
    const before = process.cpuUsage();
    expect((await readStructure(path)).tabs).toHaveLength(50);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000_000).toBeLessThan(6);
  });

  it('shows fewer rows of many wide tabs', async () => {
    const row = `<row>${'<c><v>1</v></c>'.repeat(200)}</row>`;
    const names = Array.from({ length: 50 }, (_, at) => `tab ${at}`);
    const { tabs } = await readStructure(await keep(await workbookOf(sheetOf(row.repeat(40)), names)));
    expect(tabs.every(({ rows, isWhole }) => rows.length === 3 && !isWhole)).toBe(true);
  });
});

it('shows each tab, hidden ones last', async () => {
  const { tabs } = await readStructure(
    await keep(
      await makeXlsx([
        { name: 'Lists', isHidden: true, rows: [['secret']] },
        { name: 'Empty', rows: [] },
        {
          name: 'People',
          rows: [
            ['Name', 'Phone'],
            ['Jane', 4_235_550_143],
          ],
        },
      ]),
    ),
  );
  expect(tabs.map(({ name, rows, isWhole }) => [name, rows.length, isWhole])).toEqual([
    ['Empty', 0, true],
    ['People', 2, true],
    ['Lists', 1, true],
  ]);
  expect(tabs[1]?.rows[1]).toEqual({ number: 2, cells: ['Jane', '4235550143'] });
});

describe('an unreadable file is refused with the reason', () => {
  const workbook = (sheet: string | { spaces: number }) =>
    new Map<string, string | { spaces: number }>([
      ['xl/workbook.xml', '<workbook xmlns:r="r"><sheets><sheet name="a" r:id="rId1"/></sheets></workbook>'],
      [
        'xl/_rels/workbook.xml.rels',
        '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
      ],
      ['xl/worksheets/sheet1.xml', sheet],
    ]);
  const container = (name: string) => {
    const bytes = Buffer.alloc(4096);
    Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
    bytes.writeUInt16LE(9, 30);
    bytes.writeUInt32LE(0, 48);
    bytes.write(name, 512 + 128, 'utf16le');
    return bytes;
  };
  const wide = `<worksheet><sheetData><row r="1">${Array.from({ length: 16_384 }, () => '<c><v>1</v></c>').join('')}</row></sheetData></worksheet>`;
  const long = `<worksheet><sheetData><row r="1"><c t="inlineStr"><is><t>${Array.from({ length: 1_000_000 }, (_, at) => (at * 7919) % 99_991).join('')}</t></is></c></row></sheetData></worksheet>`;

  it.each<[string, () => Buffer | Promise<Buffer>, string]>([
    ['a zip without a workbook', () => zip(new Map([['a.txt', 'x']])), sentences.notASpreadsheet],
    ['a workbook without rows', () => makeXlsx([{ name: 'a', rows: [] }]), sentences.emptyFile],
    ['protected by a password', () => container('EncryptedPackage'), sentences.passwordProtected],
    ['an old workbook', () => container('Workbook'), sentences.oldExcel],
    ['16,384 columns', () => zip(workbook(wide)), sentences.tooManyColumns],
    ['a row of several MB', () => zip(workbook(long)), sentences.rowTooLong(1)],
    ['broken XML', () => zip(workbook('<worksheet><sheetData><row><c></row>')), sentences.damagedFile],
    [
      'a zip cut off',
      async () => (await makeXlsx([{ name: 'a', rows: [['x', 'y']] }])).subarray(0, 400),
      sentences.damagedFile,
    ],
  ])('%s', async (_name, make, sentence) => {
    await expect(keep(await make()).then((path) => readStructure(path))).rejects.toThrow(sentence);
  });

  it('half a megabyte that unpacks to 512 MB, whatever its declared size', async () => {
    const bomb = await zip(workbook({ spaces: 512 * 1024 * 1024 }));
    expect(bomb.length).toBeLessThan(600_000);
    await expect(keep(bomb).then((path) => readStructure(path))).rejects.toThrow(sentences.unpacksTooLarge);
    // The declared sizes reduced to 1 MB.
    const lying = Buffer.from(bomb);
    const honest = Buffer.alloc(4);
    honest.writeUInt32LE(512 * 1024 * 1024);
    for (let at = lying.indexOf(honest); at !== -1; at = lying.indexOf(honest, at + 1))
      lying.writeUInt32LE(1_000_000, at);
    const before = process.memoryUsage().rss;
    await expect(keep(lying).then((path) => readStructure(path))).rejects.toThrow(/unpacks to more|damaged/);
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });
});
