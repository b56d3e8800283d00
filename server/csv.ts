import { Readable } from 'node:stream';
import { inLanguage } from './in-language.ts';
import type { Actor, Download } from './serve.ts';

/** A few thousand short lines: one write to the socket instead of thousands. */
const bytesAtOnce = 64 * 1024;
/** Without it Excel reads UTF-8 in the machine's own code page, and José appears as JosÃ©. */
const byteOrderMark = '\uFEFF';

/** Every control character but tab and line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Includes apostrophes before it, so that removing one restores exactly the original. */
const formulaStart = /^'*[=+\-@\t\n]/;
const guardedStart = /^'+[=+\-@\t\n]/;
/** A phone as we write it, "+44 20 7946 0958", or a number, "-12.50": a sign and digits are not a formula. */
const signedDigits = /^(?:\+\d[\d ]*|-\d+(?:\.\d+)?)$/;
/**
 * Most cells need nothing dropped, guarded or quoted. One test instead of five halves the cost of a line, and
 * the file of a report needs 50,000 lines a second.
 */
const plainAsItIs = /^[^\s'=+\-@",\p{Cc}](?:[^",\p{Cc}]*[^\s",\p{Cc}])?$/u;

/**
 * A cell as text that no spreadsheet interprets as a formula: its content comes from others, and
 * =HYPERLINK(…) would run on the machine of a user who opens the file. Control characters are dropped.
 */
export function plainCell(text: string): string {
  const clean = text.replace(/\r\n?/g, '\n').replace(controlCharacters, '');
  return formulaStart.test(clean) && !signedDigits.test(clean) ? `'${clean}` : clean;
}

/** A cell of a file without the apostrophe that plainCell, or a spreadsheet, added. */
export function withoutGuard(text: string): string {
  return text.charCodeAt(0) === 39 && guardedStart.test(text) ? text.slice(1) : text;
}

/** One line of a file in the format of RFC 4180, with its line end. */
export function csvLine(cells: readonly string[]): string {
  let line = '';
  for (const [index, cell] of cells.entries()) line += index === 0 ? csvCell(cell) : `,${csvCell(cell)}`;
  return `${line}\r\n`;
}

function csvCell(text: string): string {
  if (plainAsItIs.test(text)) return text;
  const plain = plainCell(text);
  return /[",\n]|^\s|\s$/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** A CSV file that is generated while it is sent; rows are requested as fast as they are consumed. */
export function csvDownload(
  fileName: string,
  header: string[],
  rows: AsyncIterable<string[]> | Iterable<string[]>,
  reader?: Actor,
): Download {
  const isTranslated = reader !== undefined && reader.sessionId > 0 && reader.languageId > 1;
  const [heads, lines] = isTranslated ? translateFile(reader, header, rows) : [header, rows];
  return {
    fileName,
    contentType: 'text/csv; charset=utf-8',
    stream: Readable.from(csvChunks(heads, lines), { objectMode: false }),
  };
}

/** Columns whose cells have our own words; people's words stay unchanged. */
const wordColumns = new Set([
  ...['Result', 'Call Result', 'Status', 'About', 'What', 'How', 'Answer'],
  ...['Opted Out', 'Opted Out of Texts', 'Opted Out of Calls'],
]);
const mostKnown = 1_000;

/**
 * For a person at a screen who reads another language. Programs, which use a key, always get the same
 * columns: they find them by name.
 */
function translateFile(
  { languageId }: Actor,
  header: string[],
  rows: AsyncIterable<string[]> | Iterable<string[]>,
): [string[], AsyncIterable<string[]>] {
  const translate = inLanguage(languageId, 'files');
  const known = new Map<string, string>();
  const say = (words: string) => {
    const said = known.get(words) ?? translate(words);
    if (known.size < mostKnown) known.set(words, said);
    return said;
  };
  const isOurs = header.map((name) => wordColumns.has(name));
  async function* said() {
    for await (const cells of rows) yield cells.map((cell, index) => (isOurs[index] ? say(cell) : cell));
  }
  // "Time (America/New_York)": the zone is a name.
  const heads = header.map((head) => head.replace(/^[^(]+?(?= \(|$)/, say));
  return [heads, said()];
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

/**
 * The pages of a file, each requested while the lines of the previous one are written: the database and this
 * process work at the same time. At most two pages are in memory.
 */
export async function* readAhead<Page extends { Next: string | null }>(
  read: (next: string | undefined) => Promise<Page>,
): AsyncGenerator<Page> {
  let coming: Promise<Page> | undefined = read(undefined);
  while (coming !== undefined) {
    const page: Page = await coming;
    coming = page.Next === null ? undefined : read(page.Next);
    // It is awaited in the next round, or never if the reader has disconnected.
    coming?.catch(() => undefined);
    yield page;
  }
}
