import { isUtf8 } from 'node:buffer';
import { importLimits } from '../../contract/imports.ts';
import { integrationLimits } from '../../contract/integrations.ts';
import { toStorableText } from '../../contract/text/storable-text.ts';
import { findHeader, guessColumns, splitsNames } from './guess-columns.ts';
import { type CsvParser, createCsvParser } from './parse-csv.ts';
import { detectDelimiter } from './read-csv.ts';
import { type RowRules, readRow } from './read-row.ts';
import { BadFile, tooManyGroups, tooManyRows } from './rules.ts';

export interface SheetPerson {
  key: string;
  firstName: string;
  lastName: string;
  phones: string[];
  groupNames: readonly string[];
}

/** A published sheet, as it was downloaded. */
export interface SheetTask {
  bytes: Uint8Array<ArrayBuffer>;
  countryId: number;
}

/** Some thousand rows are parsed at once. */
const pieceBytes = 128 * 1024;
const sampleLength = 64 * 1024;
/** The first rows show which column holds what, even after a title and empty rows. */
const headRows = 1_000;
const firstRows = 50;
/** As JSON, piece by piece: as objects they would block the process that gets them for a second. */
const peopleAPiece = 2_000;

/**
 * A published sheet, parsed like an uploaded file: by its headings, or by its cells where they are missing or
 * unknown.
 */
export function readSheet({ bytes, countryId }: SheetTask): SheetPerson[] {
  const rows = rowsOf(bytes);
  const head: string[][] = [];
  for (let row = rows.next(); !row.done; row = rows.next()) if (head.push(row.value) === headRows) break;
  const { rules, below } = judgeHead(head, countryId);
  const seen = new Map<string, SheetPerson>();
  const add = (cells: string[]) => {
    if (cells.some((cell) => cell.trim() !== '')) addPerson(seen, cells, rules);
  };
  for (const cells of below) add(cells);
  for (const cells of rows) add(cells);
  return [...seen.values()];
}

export function readSheetInPieces(task: SheetTask): string[] {
  const people = readSheet(task);
  return Array.from({ length: Math.ceil(people.length / peopleAPiece) }, (_, piece) =>
    JSON.stringify(people.slice(piece * peopleAPiece, (piece + 1) * peopleAPiece)),
  );
}

function* rowsOf(bytes: Uint8Array): Generator<string[], undefined> {
  const decoder = new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252');
  let parser: CsvParser | undefined;
  for (let at = 0; at === 0 || at < bytes.length; at += pieceBytes) {
    const isLast = at + pieceBytes >= bytes.length;
    const text = toStorableText(decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: !isLast }));
    if (parser === undefined && /^\s*<(!doctype|html)/i.test(text))
      throw new BadFile('This is a page, not a sheet. Publish the sheet as CSV and use that address.');
    parser ??= createCsvParser(detectDelimiter(text.slice(0, sampleLength)));
    const rows = [...parser.push(text), ...(isLast ? parser.end() : [])];
    if ((rows.at(-1)?.number ?? 0) > importLimits.rows) throw new BadFile(tooManyRows);
    for (const { cells } of rows) yield cells;
  }
}

/** Meanings of the columns, and the rows below the headings. */
function judgeHead(head: string[][], countryId: number): { rules: RowRules; below: string[][] } {
  const { hasHeader, titleRows } = findHeader(head.slice(0, firstRows), countryId);
  const headings = hasHeader ? head[titleRows] : undefined;
  const below = head.slice(titleRows + (hasHeader ? 1 : 0));
  const filled = below.filter((row) => row.some((cell) => cell.trim() !== ''));
  const columns = guessColumns(headings, filled.slice(0, firstRows), { countryId, fieldNames: [] });
  if (columns.Phone1 === null) throw new BadFile('No column of the sheet holds phone numbers.');
  return { rules: { columns, countryId, splitsNames: splitsNames(columns, headings) }, below };
}

function addPerson(seen: Map<string, SheetPerson>, cells: string[], rules: RowRules): void {
  const row = readRow(cells, rules);
  const isGood = row.state !== 'rejected';
  const phones = [row.phone1, row.phone2, row.phone3].flatMap((phone) =>
    phone === null ? [] : [isGood ? `+${phone}` : phone],
  );
  // A sheet has no keys: people are identified by their phone.
  const key = isGood ? `${phones[0]}` : `row ${row.firstName} ${row.lastName} ${phones[0] ?? ''}`;
  const known = seen.get(key);
  if (known === undefined) {
    seen.set(key, {
      ...{ key, firstName: row.firstName, lastName: row.lastName, phones, groupNames: row.groups ?? [] },
    });
    if (seen.size > integrationLimits.people)
      throw new BadFile('The sheet has more people than an integration can hold.');
    return;
  }
  known.groupNames = [...new Set([...known.groupNames, ...(row.groups ?? [])])];
  if (known.groupNames.length > importLimits.groupNames) throw new BadFile(tooManyGroups);
}
