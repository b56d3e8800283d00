import { Readable } from 'node:stream';
import type { Download } from './serve.ts';

/** Some thousand short lines: one write to the socket instead of thousands. */
const bytesAtOnce = 64 * 1024;
/** Without it Excel reads UTF-8 as the machine's own code page, and José comes out as JosÃ©. */
const byteOrderMark = '\uFEFF';

/** Every control character but tab and line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Apostrophes before it count too, so that what takes one off gets back exactly what was there. */
const formulaStart = /^'*[=+\-@\t\n]/;
const guardedStart = /^'+[=+\-@\t\n]/;
/** A phone as we write it, "+44 20 7946 0958": a sign and digits calculate nothing. */
const internationalPhone = /^\+\d[\d ]*$/;

/**
 * A cell as text that no spreadsheet takes for a formula: others have written what stands in it, and
 * =HYPERLINK(…) would run on the machine of whoever opens the file. Control characters are dropped.
 */
export function plainCell(text: string): string {
  const clean = text.replace(/\r\n?/g, '\n').replace(controlCharacters, '');
  return formulaStart.test(clean) && !internationalPhone.test(clean) ? `'${clean}` : clean;
}

/** A cell of a file without the apostrophe that plainCell, or a spreadsheet, put before it. */
export function withoutGuard(text: string): string {
  return text.charCodeAt(0) === 39 && guardedStart.test(text) ? text.slice(1) : text;
}

/** One line of a file as RFC 4180 has it, with its end. */
export function csvLine(cells: string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const plain = plainCell(text);
  return /[",\n]|^\s|\s$/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** A CSV file that is made while it is sent; the rows are asked for as fast as they are taken. */
export function csvDownload(
  fileName: string,
  header: string[],
  rows: AsyncIterable<string[]> | Iterable<string[]>,
): Download {
  return {
    fileName,
    contentType: 'text/csv; charset=utf-8',
    stream: Readable.from(csvChunks(header, rows), { objectMode: false }),
  };
}

async function* csvChunks(header: string[], rows: AsyncIterable<string[]> | Iterable<string[]>) {
  let text = byteOrderMark + csvLine(header);
  for await (const cells of rows) {
    text += csvLine(cells);
    if (text.length < bytesAtOnce) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}
