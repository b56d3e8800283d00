import { importLimits } from '../../contract/imports.ts';
import { withoutGuard } from '../csv.ts';
import { createXmlParser, decodeCharacters, type Tag, unpack, type Workbook } from './open-xlsx.ts';
import type { SheetRow } from './parse-csv.ts';
import type { SheetRows } from './read-csv.ts';
import { BadFile, rowTooLong, tooManyColumns, unpacksTooLarge } from './rules.ts';

/** Kept in memory while a sheet is read. A larger one is not a list of contacts. */
const mostSharedCharacters = 80_000_000;
const mostSharedStrings = 6_000_000;

/**
 * The words of a workbook's cells by index; up to an index, or a number of bytes, if only some are needed.
 */
export async function readSharedStrings(
  { zip, sharedStrings }: Workbook,
  upTo = Number.POSITIVE_INFINITY,
  mostBytes = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  if (sharedStrings === undefined) return [];
  const words: string[] = [];
  let characters = 0;
  let word = '';
  /** Position in the word where the current piece begins. */
  let from = 0;
  let isText = false;
  let isReading = false;
  const parser = createXmlParser({
    onOpen({ name }) {
      if (name === 'si') {
        word = '';
        isReading = true;
      } else if (name === 't') {
        isText = isReading;
        from = word.length;
      }
      // The pronunciation of Japanese words is not part of them.
      else if (name === 'rPh') isReading = false;
    },
    onClose(name) {
      if (name === 't') {
        if (isText) word = word.slice(0, from) + decodeCharacters(word.slice(from));
        isText = false;
      } else if (name === 'rPh') isReading = true;
      else if (name === 'si') words.push(withoutGuard(word));
    },
    onText(text) {
      if (!isText) return;
      word += text;
      characters += text.length;
      if (word.length > importLimits.rowBytes) throw new BadFile(unpacksTooLarge);
      if (characters > mostSharedCharacters || words.length > mostSharedStrings)
        throw new BadFile(unpacksTooLarge);
    },
  });
  for await (const { text } of unpack(zip, sharedStrings, mostBytes)) {
    parser.write(text);
    if (words.length > upTo) break;
  }
  return words;
}

/** Reads a sheet row by row, no faster than the rows are consumed; about this many bytes of it if given. */
export async function* readSheet(
  book: Workbook,
  sheetIndex: number,
  sharedWord: (index: number) => string,
  mostBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<SheetRows> {
  const sheet = book.sheets[sheetIndex];
  if (sheet === undefined) return;
  let rows: SheetRow[] = [];
  const parser = createSheetParser(book, sharedWord, (row) => rows.push(row));
  for await (const { text, part } of unpack(book.zip, sheet.entry, mostBytes)) {
    parser.write(text);
    yield { rows, part };
    rows = [];
  }
}

function createSheetParser(
  book: Workbook,
  sharedWord: (index: number) => string,
  onRow: (row: SheetRow) => void,
) {
  let number = 0;
  let cells: string[] = [];
  let characters = 0;
  let column = 0;
  let cell: Tag['attributes'] = {};
  let value = '';
  let isValue = false;

  function openCell(attributes: Tag['attributes']): void {
    cell = attributes;
    value = '';
    const place = attributes.r;
    column = (place === undefined ? 0 : columnOf(place)) || column + 1;
  }

  function closeCell(): void {
    const text = cellText(cell, value, book, sharedWord);
    if (text === '') return;
    if (column > importLimits.columns) throw new BadFile(tooManyColumns);
    while (cells.length < column) cells.push('');
    cells[column - 1] = text;
    characters += text.length;
    if (characters > importLimits.rowBytes) throw new BadFile(rowTooLong(number));
  }

  return createXmlParser({
    onOpen({ name, attributes }) {
      if (name === 'c') openCell(attributes);
      else if (name === 'v' || name === 't') isValue = true;
      else if (name === 'row') {
        number = rowNumber(attributes.r, number);
        cells = [];
        characters = 0;
        column = 0;
      }
    },
    onClose(name) {
      if (name === 'c') closeCell();
      else if (name === 'v' || name === 't') isValue = false;
      else if (name === 'row' && cells.length > 0) onRow({ number, cells });
    },
    onText(text) {
      if (!isValue) return;
      value += text;
      if (value.length > importLimits.rowBytes) throw new BadFile(rowTooLong(number));
    },
  });
}

/** More than any spreadsheet has, and fewer than any column of ours holds. */
const mostRowNumber = 10_000_000;

/** A row's own number, if valid: numbers only increase, and each row has its own. Otherwise the next. */
function rowNumber(said: string | undefined, before: number): number {
  const number = said !== undefined && /^\d{1,8}$/.test(said) ? Number(said) : 0;
  return number > before && number <= mostRowNumber ? number : before + 1;
}

/** BC23 is in column 55; 0 for an invalid position. */
function columnOf(place: string): number {
  let column = 0;
  for (let at = 0; at < place.length && at < 4; at += 1) {
    const code = place.charCodeAt(at);
    if (code < 65 || code > 90) break;
    column = column * 26 + code - 64;
  }
  return column;
}

function cellText(
  { t: type, s: style }: Tag['attributes'],
  value: string,
  book: Workbook,
  sharedWord: (index: number) => string,
): string {
  if (value === '') return '';
  if (type === 's') return /^\d{1,9}$/.test(value) ? sharedWord(Number(value)) : '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  // #N/A and similar errors count as empty.
  if (type === 'e') return '';
  if (type === 'str' || type === 'inlineStr') return withoutGuard(decodeCharacters(value));
  if (type === 'd') return value.replace('T', ' ');
  if (style !== undefined && book.isDateStyle[Number(style)]) return dateText(Number(value), book.isFrom1904);
  // 4.23555014E9 is 4235550140 here: the file contains the whole number, unlike CSV.
  return /[eE.]/.test(value) && Number.isFinite(Number(value)) ? String(Number(value)) : value;
}

const dayMs = 86_400_000;

/** Days since the end of 1899 as a date, with the time of day if there is one. */
function dateText(serial: number, isFrom1904: boolean): string {
  // The calendar of spreadsheets has a 29 February 1900, so day 61 is the first correct one.
  const days = isFrom1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial;
  const date = new Date(Math.round((days - 25_569) * dayMs));
  if (!Number.isFinite(date.getTime()) || serial < 0 || serial > 2_958_466) return String(serial);
  const text = date.toISOString();
  if (serial < 1) return text.slice(11, 16);
  return serial % 1 === 0 ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ');
}
