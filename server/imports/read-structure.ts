import { open } from 'node:fs/promises';
import { importLimits } from '../../contract/imports.ts';
import { openWorkbook, type Workbook } from './open-xlsx.ts';
import { type CsvFormat, detectCsv, readCsv, type SheetRows } from './read-csv.ts';
import { readSharedStrings, readSheet } from './read-xlsx.ts';
import { BadFile, emptyFile, oldExcel, passwordProtected } from './rules.ts';

/** How a file has to be read. */
export type FileFormat = ({ kind: 'csv' } & CsvFormat) | { kind: 'xlsx' };

/** The beginning of a tab: enough to guess its columns by. */
export interface TabStart {
  name: string;
  rows: { number: number; cells: string[] }[];
  /** These are all its rows. */
  isWhole: boolean;
}

export interface FileStart {
  format: FileFormat;
  tabs: TabStart[];
}

const startRows = 20;
/** Of a workbook's words, to find those of the first rows: they nearly always come first. */
const previewCharacters = 4_000_000;
/** Of a cell, for the preview. */
const shownCharacters = 100;

/** What is in a file, by its beginning. Its bytes decide what it is, not its name. */
export async function readStructure(path: string): Promise<FileStart> {
  const format = await detectFormat(path);
  const tabs =
    format.kind === 'csv' ? [await startOf('', readCsv(path, format))] : await startsOfSheets(path);
  const filled = tabs.filter(({ rows }) => rows.length > 0);
  if (filled.length === 0) throw new BadFile(emptyFile);
  return { format, tabs };
}

async function detectFormat(path: string): Promise<FileFormat> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(512), 0, 512, 0);
    if (buffer.readUInt32BE(0) === 0x504b0304) return { kind: 'xlsx' };
    if (buffer.readUInt32BE(0) === 0xd0cf11e0) {
      // A container of old Office: either an old workbook, or a new one encrypted.
      const sectorBytes = 1 << Math.min(buffer.readUInt16LE(30), 16);
      const directory = Buffer.alloc(4096);
      await file.read(directory, 0, 4096, (buffer.readUInt32LE(48) + 1) * sectorBytes);
      const isEncrypted = directory.includes(Buffer.from('EncryptedPackage', 'utf16le'));
      throw new BadFile(isEncrypted ? passwordProtected : oldExcel);
    }
  } finally {
    await file.close();
  }
  return { kind: 'csv', ...(await detectCsv(path)) };
}

async function startOf(name: string, batches: AsyncGenerator<SheetRows>): Promise<TabStart> {
  const rows: TabStart['rows'] = [];
  for await (const batch of batches) {
    for (const { number, cells } of batch.rows) {
      if (cells.every((cell) => cell.trim() === '')) continue;
      if (rows.length === startRows) return { name, rows, isWhole: false };
      rows.push({ number, cells: cells.map((cell) => cell.slice(0, shownCharacters).toWellFormed()) });
    }
  }
  return { name, rows, isWhole: true };
}

/** The rows first, with the numbers of their words; then only as many words as these rows need. */
async function startsOfSheets(path: string): Promise<TabStart[]> {
  const book = await openWorkbook(path);
  try {
    let last = -1;
    const mark = (index: number) => {
      last = Math.max(last, index);
      return `\u0000${index}`;
    };
    const starts: TabStart[] = [];
    for (const [index, { name }] of book.sheets.entries())
      starts.push(await startOf(name, readSheet(book, index, mark)));
    const words = last === -1 ? [] : await readSharedStrings(book, last, previewCharacters);
    for (const { rows } of starts)
      for (const row of rows) row.cells = row.cells.map((cell) => wordOf(cell, words));
    return starts;
  } finally {
    book.zip.close();
  }
}

function wordOf(cell: string, words: string[]): string {
  if (!cell.startsWith('\u0000')) return cell;
  return (words[Number(cell.slice(1))] ?? '').slice(0, shownCharacters).toWellFormed();
}

/** All rows of a tab, from 1. */
export async function* readTab(
  path: string,
  format: FileFormat,
  tabNumber: number,
): AsyncGenerator<SheetRows> {
  if (format.kind === 'csv') {
    yield* readCsv(path, format);
    return;
  }
  const book: Workbook = await openWorkbook(path);
  try {
    const words = await readSharedStrings(book);
    yield* readSheet(book, tabNumber - 1, (index) => words[index] ?? '');
  } finally {
    book.zip.close();
  }
}

/** How wide a tab is, as far as its beginning shows. */
export function widthOf({ rows }: TabStart): number {
  return Math.min(importLimits.columns, Math.max(0, ...rows.map(({ cells }) => cells.length)));
}
