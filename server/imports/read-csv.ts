import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { importLimits } from '../../contract/imports.ts';
import { toStorableText } from '../../contract/text/storable-text.ts';
import { withoutGuard } from '../csv.ts';
import { createCsvParser, type SheetRow } from './parse-csv.ts';
import { BadFile, notASpreadsheet, tooManyColumns } from './rules.ts';

/** Rows of a sheet as they are read, and the progress from 0 to 1: it reaches 1 only at the end. */
export interface SheetRows {
  rows: SheetRow[];
  part: number;
}

const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export interface CsvFormat {
  encoding: (typeof encodings)[number];
  delimiter: string;
}

/** The beginning of a file, for detecting its format. */
const sampleBytes = 64 * 1024;
/** Some thousand rows per batch. */
const pieceBytes = 128 * 1024;

/**
 * Reads a CSV file row by row, no faster than the rows are consumed; whole rows up to a number of bytes if
 * given.
 */
export async function* readCsv(
  path: string,
  format: CsvFormat,
  mostBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<SheetRows> {
  const { size } = await stat(path);
  const decoder = new TextDecoder(format.encoding);
  const parser = createCsvParser(format.delimiter);
  let read = 0;
  for await (const bytes of createReadStream(path, { highWaterMark: pieceBytes })) {
    read += bytes.length;
    // The decoder replaces invalid characters; NUL is valid, but PostgreSQL can't store it.
    const rows = parser.push(toStorableText(decoder.decode(bytes, { stream: true })));
    yield { rows: checked(rows), part: read / size };
    if (read >= mostBytes && read < size) return;
  }
  const last = [...parser.push(toStorableText(decoder.decode())), ...parser.end()];
  yield { rows: checked(last), part: 1 };
}

/**
 * Without the line that tells Excel the delimiter and without the apostrophes that keep cells from being
 * formulas, and never wider than a list of contacts.
 */
function checked(rows: SheetRow[]): SheetRow[] {
  for (const row of rows) {
    const { cells } = row;
    if (cells.length > importLimits.columns) trimCells(row);
    for (let at = 0; at < cells.length; at += 1) {
      const cell = cells[at] ?? '';
      if (cell.charCodeAt(0) === 39) cells[at] = withoutGuard(cell);
    }
  }
  const first = rows[0];
  return first?.number === 1 && isDelimiterLine(first.cells.join('')) ? rows.slice(1) : rows;
}

/** Commas after the last cell are not columns. */
function trimCells(row: SheetRow): void {
  while (row.cells.length > importLimits.columns && row.cells.at(-1)?.trim() === '') row.cells.pop();
  if (row.cells.length > importLimits.columns) throw new BadFile(tooManyColumns);
}

function isDelimiterLine(line: string): boolean {
  return /^sep=.?$/i.test(line);
}

/** The encoding of a text file, detected from its bytes. Throws when it isn't text. */
export async function detectCsv(path: string): Promise<CsvFormat> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(sampleBytes), 0, sampleBytes, 0);
    const sample = buffer.subarray(0, bytesRead);
    const wide = wideEncoding(sample);
    if (wide === undefined && isBinary(sample)) throw new BadFile(notASpreadsheet);
    const encoding = wide ?? ((await isWholeUtf8(path)) ? 'utf-8' : 'windows-1252');
    const text = new TextDecoder(encoding).decode(sample, { stream: true });
    return { encoding, delimiter: detectDelimiter(text) };
  } finally {
    await file.close();
  }
}

/** UTF-16 by its byte order mark, or by the zeros that every second byte of Latin text has there. */
function wideEncoding(sample: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (sample[0] === 0xff && sample[1] === 0xfe) return 'utf-16le';
  if (sample[0] === 0xfe && sample[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  for (let at = 0; at < sample.length; at += 1) {
    if (sample[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  const many = sample.length / 5;
  if (odd > many && even < odd / 10) return 'utf-16le';
  if (even > many && odd < even / 10) return 'utf-16be';
  return undefined;
}

/** Text normally has no control characters; files from old machines have a few. */
function isBinary(sample: Buffer): boolean {
  let controls = 0;
  for (const byte of sample) {
    if (byte < 9 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)) controls += 1;
  }
  if (controls > sample.length / 50) return true;
  const start = sample.subarray(0, 200).toString('latin1');
  return /^(\u0089PNG|GIF8|\u00ff\u00d8\u00ff|%PDF|\{\\rtf|\u00ef?\u00bb?\u00bf?\s*<)/.test(start);
}

/** The whole file, since a single é near the end decides it. Some gigabytes per second. */
async function isWholeUtf8(path: string): Promise<boolean> {
  let carried = Buffer.alloc(0);
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    const bytes: Buffer = carried.length === 0 ? piece : Buffer.concat([carried, piece]);
    const end = characterEnd(bytes);
    if (!isUtf8(bytes.subarray(0, end))) return false;
    carried = Buffer.from(bytes.subarray(end));
  }
  // A file truncated inside a character is still UTF-8.
  return carried.length < 4;
}

/** The end of the last complete character: at most three bytes before the end. */
function characterEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

/** If two fit equally well the first is used: commas also occur in "Doe, Jane". */
const delimiters = ['\t', ';', '|', ',', ':', '^', '~'] as const;

/** The delimiter that occurs equally often in most of the first lines; the comma if none does. */
export function detectDelimiter(text: string): string {
  const told = /^\ufeff?sep=(.)\r?\n/i.exec(text)?.[1];
  if (told !== undefined) return told;
  const lines = countDelimiters(text);
  let best = ',';
  let bestScore = 0;
  for (const [index, delimiter] of delimiters.entries()) {
    const times = new Map<number, number>();
    for (const line of lines) times.set(line[index] ?? 0, (times.get(line[index] ?? 0) ?? 0) + 1);
    times.delete(0);
    for (const [count, agreeing] of times) {
      // Colons also occur in times of day: unusual delimiters need a clear result.
      const weight = index < 4 ? 1 : 0.5;
      const score = weight * (agreeing / lines.length) * (1 + Math.min(count, 20) / 20);
      if (score > bestScore) {
        best = delimiter;
        bestScore = score;
      }
    }
  }
  return best;
}

/** Number of times that each delimiter occurs in each of the first lines, outside of quotation marks. */
function countDelimiters(text: string): number[][] {
  const lines: number[][] = [];
  let line = delimiters.map(() => 0);
  let isQuoted = false;
  let isEmpty = true;
  for (let at = 0; at < text.length && lines.length < 50; at += 1) {
    const character = text[at] ?? '';
    if (character === '"') isQuoted = !isQuoted;
    else if ((character === '\n' || character === '\r') && !isQuoted) {
      if (!isEmpty) lines.push(line);
      line = delimiters.map(() => 0);
      isEmpty = true;
      continue;
    } else if (!isQuoted) {
      const index = (delimiters as readonly string[]).indexOf(character);
      if (index !== -1) line[index] = (line[index] ?? 0) + 1;
    }
    isEmpty = false;
  }
  if (lines.length === 0 || (!isEmpty && lines.length < 50 && text.length < sampleBytes)) lines.push(line);
  return lines;
}
