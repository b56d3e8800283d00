import { open } from 'node:fs/promises';
import { importLimits } from '../../contract/imports.ts';
import { openWorkbook, PartTooLarge, smallPartBytes, type Workbook } from './open-xlsx.ts';
import { type CsvFormat, detectCsv, readCsv, type SheetRows } from './read-csv.ts';
import { readSharedStrings, readSheet } from './read-xlsx.ts';
import { BadFile, emptyFile, oldExcel, passwordProtected, startsEmpty } from './rules.ts';

/** The structure of a file, for reading it. */
export type FileFormat = ({ kind: 'csv' } & CsvFormat) | { kind: 'xlsx' };

/** The beginning of a tab: enough to guess its columns. */
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
/** For a workbook with many wide tabs each shows fewer: cells are used for guessing, stored and sent. */
const startCells = 20_000;
const fewestRows = 3;
/** Of a cell, for the preview. */
const shownCharacters = 100;

/** Limits on the part of a file that is examined. XML costs some 50 ms per megabyte, CSV some 10. */
export interface LookLimits {
  /** Of each part of a workbook that defines how it is read. */
  partBytes: number;
  /** Of a CSV file. */
  csvBytes: number;
  /** Of all sheets of a workbook together, and of their words. */
  rowBytes: number;
  /** Shows what was found until then, instead of failing. */
  isFinal: boolean;
}

/** Small enough for the process that answers requests. Most files need no more. */
export const quickLook: LookLimits = {
  partBytes: 256 * 1024,
  csvBytes: 256 * 1024,
  rowBytes: 256 * 1024,
  isFinal: false,
};
/** In a thread. If a file's first row comes after more than this, its columns aren't guessed. */
export const longLook: LookLimits = {
  partBytes: smallPartBytes,
  csvBytes: 4 * 1024 * 1024,
  rowBytes: 16 * 1024 * 1024,
  isFinal: true,
};

/** There is more to examine than the limits allow. */
export class LookTooLong extends Error {
  override name = 'LookTooLong';
}

/** The structure of a file, from its beginning. Its bytes decide the format, not its name. */
export async function readStructure(path: string, limits = longLook): Promise<FileStart> {
  const format = await detectFormat(path);
  const tabs =
    format.kind === 'csv'
      ? [await startOf('', readCsv(path, format, limits.csvBytes), limits)]
      : await startsOfSheets(path, limits);
  const filled = tabs.filter(({ rows }) => rows.length > 0);
  if (filled.length === 0) throw new BadFile(tabs.every(({ isWhole }) => isWhole) ? emptyFile : startsEmpty);
  return { format, tabs };
}

async function detectFormat(path: string): Promise<FileFormat> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(512), 0, 512, 0);
    if (buffer.readUInt32BE(0) === 0x504b0304) return { kind: 'xlsx' };
    if (buffer.readUInt32BE(0) === 0xd0cf11e0) {
      // A container of old Office: either an old workbook, or an encrypted new one.
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

async function startOf(
  name: string,
  batches: AsyncGenerator<SheetRows>,
  limits: LookLimits,
  mostCells = startCells,
): Promise<TabStart> {
  const rows: TabStart['rows'] = [];
  let cellCount = 0;
  let read = 1;
  for await (const batch of batches) {
    read = batch.part;
    for (const { number, cells } of batch.rows) {
      if (cells.every((cell) => cell.trim() === '')) continue;
      const isEnough = rows.length >= fewestRows && cellCount + cells.length > mostCells;
      if (rows.length === startRows || isEnough) return { name, rows, isWhole: false };
      cellCount += cells.length;
      rows.push({ number, cells: cells.map(shown) });
    }
  }
  if (read < 1 && !limits.isFinal) throw new LookTooLong();
  return { name, rows, isWhole: read === 1 };
}

/** The rows first, with the indexes of their words; then only as many words as these rows need. */
async function startsOfSheets(path: string, limits: LookLimits): Promise<TabStart[]> {
  const book = await openWorkbook(path, limits.partBytes).catch((error: unknown) => {
    throw error instanceof PartTooLarge ? new LookTooLong() : error;
  });
  try {
    let last = -1;
    const mark = (index: number) => {
      last = Math.max(last, index);
      return `\u0000${index}`;
    };
    const starts: TabStart[] = [];
    const count = Math.max(1, book.sheets.length);
    for (const [index, { name }] of book.sheets.entries()) {
      const rows = readSheet(book, index, mark, limits.rowBytes / count);
      starts.push(await startOf(name, rows, limits, startCells / count));
    }
    const words = last === -1 ? [] : await readSharedStrings(book, last, limits.rowBytes);
    if (words.length <= last && !limits.isFinal) throw new LookTooLong();
    for (const { rows } of starts)
      for (const row of rows) row.cells = row.cells.map((cell) => wordOf(cell, words));
    return starts;
  } finally {
    book.zip.close();
  }
}

/** The start of a cell; the marker of a word's index stays unchanged. */
function shown(cell: string): string {
  return cell.slice(0, shownCharacters).toWellFormed();
}

/** Cells contain no NUL of their own: it is removed when they are read. */
function wordOf(cell: string, words: string[]): string {
  if (!cell.startsWith('\u0000')) return cell;
  return shown(words[Number(cell.slice(1))] ?? '');
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

/** The width of a tab, as far as its beginning shows. */
export function widthOf({ rows }: TabStart): number {
  return Math.min(importLimits.columns, Math.max(0, ...rows.map(({ cells }) => cells.length)));
}
