import { isUtf8 } from 'node:buffer';
import { toStorableText } from '../../contract/text/storable-text.ts';
import { findHeader, guessColumns, splitsNames } from '../imports/guess-columns.ts';
import { createCsvParser } from '../imports/parse-csv.ts';
import { detectDelimiter } from '../imports/read-csv.ts';
import { readRow } from '../imports/read-row.ts';
import { type SourceContact, SourceError } from '../outside/contact-source.ts';

type SheetContact = Omit<SourceContact, 'groups'> & { groupNames: readonly string[] };

/** The rows that are used to guess the columns. */
const firstRows = 50;

/**
 * A published sheet, parsed like an uploaded file: by its headings, or by its cells where they are missing or
 * unknown.
 */
export async function readSheet(bytes: Buffer, countryId: number): Promise<SheetContact[]> {
  const text = toStorableText(new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes));
  if (/^\s*<(!doctype|html)/i.test(text))
    throw new SourceError(
      'odd',
      'This is a page, not a sheet. Publish the sheet as CSV and use that address.',
    );
  const parser = createCsvParser(detectDelimiter(text.slice(0, 64 * 1024)));
  const rows = [...parser.push(text), ...parser.end()].map(({ cells }) => cells);
  const { hasHeader, titleRows } = findHeader(rows.slice(0, firstRows), countryId);
  const headings = hasHeader ? rows[titleRows] : undefined;
  const people = rows
    .slice(titleRows + (hasHeader ? 1 : 0))
    .filter((row) => row.some((cell) => cell.trim() !== ''));
  const columns = guessColumns(headings, people.slice(0, firstRows), { countryId, fieldNames: [] });
  if (columns.Phone1 === null) throw new SourceError('odd', 'No column of the sheet holds phone numbers.');
  const rules = { columns, countryId, splitsNames: splitsNames(columns, headings) };
  const seen = new Map<string, SheetContact>();
  for (const cells of people) {
    const row = readRow(cells, rules);
    const isGood = row.state !== 'rejected';
    const phones = [row.phone1, row.phone2, row.phone3].flatMap((phone) =>
      phone === null ? [] : [isGood ? `+${phone}` : phone],
    );
    // A sheet has no keys: people are identified by their phone.
    const key = isGood ? `${phones[0]}` : `row ${row.firstName} ${row.lastName} ${phones[0] ?? ''}`;
    const known = seen.get(key);
    if (known === undefined)
      seen.set(key, {
        ...{ key, firstName: row.firstName, lastName: row.lastName, phones, groupNames: row.groups ?? [] },
      });
    else known.groupNames = [...new Set([...known.groupNames, ...(row.groups ?? [])])];
  }
  return [...seen.values()];
}
