import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { importLimits } from '../../contract/imports.ts';
import { toStorableText } from '../../contract/text/storable-text.ts';
import { BadFile, damagedFile, notASpreadsheet, passwordProtected, unpacksTooLarge } from './rules.ts';

/** The parts of an XLSX file that are read before its rows: its sheets, and which styles are dates. */
export interface Workbook {
  zip: ZipFile;
  sheets: { name: string; isHidden: boolean; entry: Entry }[];
  sharedStrings: Entry | undefined;
  /** By the index of a cell's style. */
  isDateStyle: boolean[];
  /** Days are counted from 1904 in files from old Macs. */
  isFrom1904: boolean;
}

export interface Tag {
  name: string;
  attributes: Record<string, string>;
}

/** More parts than any real workbook has. */
const mostEntries = 10_000;
/** The parts that define how the sheets are read. */
export const smallPartBytes = 20 * 1024 * 1024;
const mostUnpackedBytes = 2 * 1024 * 1024 * 1024;
/** Sheets of numbers compress to a tenth, extreme ones to a fiftieth. */
const mostRatio = 150;
const ratioFromBytes = 16 * 1024 * 1024;

/** A part exceeds the size limit of a quick look. */
export class PartTooLarge extends Error {
  override name = 'PartTooLarge';
}

export async function openWorkbook(path: string, partBytes = smallPartBytes): Promise<Workbook> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true }).catch(() => {
    throw new BadFile(damagedFile);
  });
  try {
    const entries = await listEntries(zip);
    const main = entries.get('xl/workbook.xml');
    if (main === undefined) throw new BadFile(notASpreadsheet);
    const read: ReadPart = (entry, onOpen) => readSmallPart(zip, entry, onOpen, partBytes);
    const places = await readPlaces(read, entries.get('xl/_rels/workbook.xml.rels'));
    const { sheets, isFrom1904 } = await readSheets(read, main);
    return {
      zip,
      // Hidden sheets contain lists for menus and the like: they come last.
      sheets: sheets
        .flatMap(({ name, isHidden, id }) => {
          const entry = entries.get(places.get(id) ?? '');
          return entry === undefined ? [] : [{ name, isHidden, entry }];
        })
        .sort((a, b) => Number(a.isHidden) - Number(b.isHidden))
        .slice(0, importLimits.tabs),
      sharedStrings: entries.get('xl/sharedStrings.xml'),
      isDateStyle: await readDateStyles(read, entries.get('xl/styles.xml')),
      isFrom1904,
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let unpacked = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      entries.set(entry.fileName, entry);
      unpacked += entry.uncompressedSize;
      if (entries.size > mostEntries) throw new BadFile(damagedFile);
      if (entry.isEncrypted()) throw new BadFile(passwordProtected);
      refuseBomb(entry.uncompressedSize, entry.compressedSize);
    }
  } catch (error) {
    throw error instanceof BadFile ? error : new BadFile(damagedFile);
  }
  if (unpacked > mostUnpackedBytes) throw new BadFile(unpacksTooLarge);
  return entries;
}

function refuseBomb(unpackedBytes: number, packedBytes: number): void {
  const isBomb = unpackedBytes > ratioFromBytes && unpackedBytes > packedBytes * mostRatio;
  if (isBomb || unpackedBytes > mostUnpackedBytes) throw new BadFile(unpacksTooLarge);
}

/**
 * The text of a part, piece by piece, or only about this many bytes of it; its declared size is not trusted,
 * the bytes are counted.
 */
export async function* unpack(
  zip: ZipFile,
  entry: Entry,
  mostBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<{ text: string; part: number }> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let stream: Readable | undefined;
  try {
    stream = await zip.openReadStreamPromise(entry);
    for await (const piece of stream) {
      bytes += piece.length;
      refuseBomb(bytes, entry.compressedSize);
      const part = Math.min(1, bytes / Math.max(1, entry.uncompressedSize));
      yield { text: decoder.decode(piece, { stream: true }), part };
      if (bytes >= mostBytes && bytes < entry.uncompressedSize) return;
    }
  } catch (error) {
    throw error instanceof BadFile ? error : new BadFile(damagedFile);
  } finally {
    stream?.destroy();
  }
}

/** Parses XML that arrives in pieces. Namespace prefixes are dropped; broken XML means a damaged file. */
export function createXmlParser(handlers: {
  onOpen: (tag: Tag) => void;
  onClose?: (name: string) => void;
  onText?: (text: string) => void;
}): { write(text: string): void } {
  const parser = new SaxesParser({ fragment: false });
  parser.on('opentag', ({ name, attributes }) =>
    handlers.onOpen({ name: local(name), attributes: attributes as Record<string, string> }),
  );
  parser.on('closetag', ({ name }) => handlers.onClose?.(local(name)));
  if (handlers.onText) {
    parser.on('text', handlers.onText);
    parser.on('cdata', handlers.onText);
  }
  parser.on('error', () => {
    throw new BadFile(damagedFile);
  });
  return parser;
}

function local(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}

type ReadPart = (entry: Entry | undefined, onOpen: (tag: Tag) => void) => Promise<void>;

async function readSmallPart(
  zip: ZipFile,
  entry: Entry | undefined,
  onOpen: (tag: Tag) => void,
  most: number,
): Promise<void> {
  if (entry === undefined) return;
  if (entry.uncompressedSize > smallPartBytes) throw new BadFile(unpacksTooLarge);
  if (entry.uncompressedSize > most) throw new PartTooLarge();
  const parser = createXmlParser({ onOpen });
  for await (const { text } of unpack(zip, entry)) parser.write(text);
}

/** The paths of the sheets in the file, by the id in the workbook. */
async function readPlaces(read: ReadPart, entry: Entry | undefined): Promise<Map<string, string>> {
  const places = new Map<string, string>();
  await read(entry, ({ name, attributes }) => {
    const { Id = '', Target = '' } = attributes;
    if (name === 'Relationship') places.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
  });
  return places;
}

async function readSheets(read: ReadPart, entry: Entry) {
  const sheets: { name: string; isHidden: boolean; id: string }[] = [];
  let isFrom1904 = false;
  await read(entry, ({ name, attributes }) => {
    if (name === 'workbookPr') isFrom1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
    if (name !== 'sheet') return;
    const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
    const isHidden = (attributes.state ?? 'visible') !== 'visible';
    const sheetName = decodeCharacters(attributes.name ?? '').slice(0, 100);
    sheets.push({ name: toStorableText(sheetName), isHidden, id });
  });
  return { sheets, isFrom1904 };
}

/** Office's escapes for characters that XML doesn't allow, and for the escape itself: _x000D_, _x005F_. */
const encoded = /_x([0-9a-f]{4})_/gi;

export function decodeCharacters(text: string): string {
  if (!text.includes('_x')) return text;
  return toStorableText(
    text.replace(encoded, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
  );
}

/** The built-in number formats that are dates, which need not be declared in the file. */
function isBuiltInDate(format: number): boolean {
  return (format >= 14 && format <= 22) || (format >= 27 && format <= 36) || (format >= 45 && format <= 58);
}

async function readDateStyles(read: ReadPart, entry: Entry | undefined): Promise<boolean[]> {
  const dateFormats = new Set<number>();
  const styles: boolean[] = [];
  let isInCells = false;
  await read(entry, ({ name, attributes }) => {
    const format = Number(attributes.numFmtId);
    if (name === 'numFmt' && isDateFormat(attributes.formatCode ?? '')) dateFormats.add(format);
    if (name === 'cellXfs') isInCells = true;
    else if (name === 'cellStyles' || name === 'dxfs') isInCells = false;
    else if (name === 'xf' && isInCells) styles.push(isBuiltInDate(format) || dateFormats.has(format));
  });
  return styles;
}

/** Years, months and days outside of quoted words, escaped letters and [colors]. */
export function isDateFormat(code: string): boolean {
  return /[ymdh]/i.test(code.slice(0, 200).replace(/"[^"]*"|\\.|\[[^\]]*\]/g, ''));
}
