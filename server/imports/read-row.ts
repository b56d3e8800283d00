import { contactLimits } from '../../contract/contacts.ts';
import { isBlank } from '../../contract/fields/rule.ts';
import { composeMessages } from '../../contract/forms/compose-text.ts';
import { splitName } from '../../contract/forms/pasted-contacts.ts';
import type { FileColumns } from '../../contract/imports.ts';
import { repairSpreadsheetPhone } from '../../contract/phone/repair-spreadsheet-phone.ts';
import { validatePhone } from '../../contract/phone/validate-phone.ts';
import { limits } from '../../contract/reference/limits.ts';

/** A row of a file as a contact, or why it can't be one. */
export interface ReadRow {
  state: 'good' | 'repaired' | 'rejected';
  /** Reason why it was rejected, or the repair that was made. */
  problem: string | null;
  firstName: string;
  lastName: string;
  notes: string;
  /** E.164 digits; unchanged from the file if the row is rejected. */
  phone1: string | null;
  phone2: string | null;
  phone3: string | null;
  groups: readonly string[] | null;
  custom: Record<string, string> | null;
}

export interface RowRules {
  columns: FileColumns;
  countryId: number;
  /** The column of first names contains whole names. */
  splitsNames: boolean;
}

export const rowProblems = {
  noPhone: composeMessages.noRecipient,
  dateAsPhone: 'This is a date, not a phone number',
  cutOff: 'The file ends in the middle of this row',
  openQuote: 'A quotation mark is missing in this row',
  phoneRepaired: 'The phone number was repaired',
  movedUp: 'The first phone was empty, so the next one was used',
  firstNameCut: `First Name was cut to ${limits.contactName} characters`,
  lastNameCut: `Last Name was cut to ${limits.contactName} characters`,
  notesCut: `Notes was cut to ${limits.contactNotes} characters`,
  valueCut: `A custom value was cut to ${contactLimits.customValue} characters`,
  groupCut: `A group’s name was cut to ${limits.groupName} characters`,
  characters: 'Characters that can’t be shown were taken out',
  phoneLeftOut: (which: 'second' | 'third', reason: string) => `The ${which} phone was left out: ${reason}`,
} as const;

/** Parses one row of a file. Nothing in a cell is ever calculated: =1+1 is four characters. */
export function readRow(cells: string[], { columns, countryId, splitsNames }: RowRules): ReadRow {
  const cell = (column: number | null) => (column === null ? '' : (cells[column - 1] ?? ''));
  const repairs: string[] = [];
  const first = tidy(cell(columns.FirstName), repairs);
  const names =
    splitsNames && first !== ''
      ? splitWholeName(first)
      : { firstName: first, lastName: tidy(cell(columns.LastName), repairs) };
  return readFields(
    {
      ...names,
      notes: tidyLines(cell(columns.Notes), repairs),
      phones: [
        withAreaCode(cell(columns.AreaCode1), cell(columns.Phone1)),
        withAreaCode(cell(columns.AreaCode2), cell(columns.Phone2)),
        withAreaCode(cell(columns.AreaCode3), cell(columns.Phone3)),
      ],
      groups: readGroups(cell(columns.Groups), repairs),
      custom: readCustom(columns, cell, repairs),
    },
    countryId,
    repairs,
  );
}

export interface RowFields {
  firstName: string;
  lastName: string;
  notes: string;
  phones: [string, string, string];
  groups: readonly string[] | null;
  custom: Record<string, string> | null;
}

/** The same from typed fields. */
export function readFields(fields: RowFields, countryId: number, repairs: string[] = []): ReadRow {
  const row: ReadRow = {
    state: 'good',
    problem: null,
    firstName: cut(fields.firstName, limits.contactName, rowProblems.firstNameCut, repairs),
    lastName: cut(fields.lastName, limits.contactName, rowProblems.lastNameCut, repairs),
    notes: cut(fields.notes, limits.contactNotes, rowProblems.notesCut, repairs),
    phone1: null,
    phone2: null,
    phone3: null,
    groups: fields.groups,
    custom: fields.custom,
  };
  const rejected = readPhones(row, fields.phones, countryId, repairs);
  if (rejected !== undefined) {
    row.state = 'rejected';
    row.problem = rejected;
    [row.phone1, row.phone2, row.phone3] = fields.phones.map(asWritten) as [string | null, null, null];
  } else if (repairs.length > 0) {
    row.state = 'repaired';
    row.problem = [...new Set(repairs)].join('. ');
  }
  return row;
}

/** Puts the phones into the row; returns the reason when it can't be accepted. */
function readPhones(
  row: ReadRow,
  written: RowFields['phones'],
  countryId: number,
  repairs: string[],
): string | undefined {
  const given = written.filter((text) => text !== '');
  if (given.length === 0) return rowProblems.noPhone;
  if (written[0] === '') repairs.push(rowProblems.movedUp);
  const phones: string[] = [];
  for (const [index, text] of given.entries()) {
    const { phone, error } = readCell(text, countryId);
    if (phone === undefined) {
      if (index === 0) return error;
      repairs.push(rowProblems.phoneLeftOut(index === 1 ? 'second' : 'third', error));
    } else {
      if (isDamaged(text)) repairs.push(rowProblems.phoneRepaired);
      if (!phones.includes(phone)) phones.push(phone);
    }
  }
  [row.phone1 = null, row.phone2 = null, row.phone3 = null] = phones;
  return undefined;
}

function readCell(text: string, countryId: number) {
  const read = validatePhone(text, countryId);
  return read.phone === undefined && isDate(text) ? { error: rowProblems.dateAsPhone } : read;
}

/** Digits and the usual characters between them; anything else may come from a spreadsheet. */
const plainPhone = /^[\d() +/-]*$/;

function isDamaged(text: string): boolean {
  if (plainPhone.test(text)) return false;
  return /\u00a0/.test(text) || repairSpreadsheetPhone(text) !== text.trim();
}

const numericDate =
  /^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2}))([ T]\d{1,2}:.*)?$/;
const writtenDate = /^\d{1,2}[- ][a-zé.]{3,10}[- ](\d{4}|\d{2})$/i;

function isDate(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length < 40 && (numericDate.test(trimmed) || writtenDate.test(trimmed));
}

/** An area code in a separate column goes before a number without one. */
function withAreaCode(areaCode: string, written: string): string {
  const phone = written.trim();
  if (areaCode === '' || phone === '') return phone;
  const digits = areaCode.replace(/\.0+$/, '').replace(/\D/g, '');
  const rest = (repairSpreadsheetPhone(phone) ?? phone).replace(/\D/g, '');
  return digits !== '' && rest.length < 10 ? digits + rest : phone;
}

function asWritten(text: string): string | null {
  return text === '' ? null : cutTo(text.replace(/\n/g, ' ').replace(invisible, ' ').trim(), 100);
}

/** Joiners stay: letters of Persian and families of emoji need them. */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufffe\uffff]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, but for tabs and line ends
const unwanted = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/;
const unusual = /[^ -~\u00a1-\u1fff]|^ | $| {2}/;

/** One line without surrounding spaces. Control characters are removed, which is a repair. */
function tidy(text: string, repairs: string[]): string {
  if (text === '' || !unusual.test(text)) return text;
  return seen(cleaned(text.replace(/[\r\n\v\f]+/g, ' '), repairs).replace(/\s+/g, ' '));
}

/** The same for text that may have several lines, with its spaces unchanged. */
function tidyLines(text: string, repairs: string[]): string {
  if (text === '' || !unusual.test(text)) return text;
  return seen(cleaned(text.replace(/\r\n?|[\v\f]/g, '\n'), repairs));
}

function cleaned(text: string, repairs: string[]): string {
  if (unwanted.test(text)) repairs.push(rowProblems.characters);
  return text.replace(/\t/g, ' ').replace(invisible, '').trim().toWellFormed();
}

/** Empty without visible characters. */
function seen(text: string): string {
  return isBlank(text) ? '' : text;
}

function cut(text: string, most: number, problem: string, repairs: string[]): string {
  if (text.length <= most) return text;
  const shorter = cutTo(text, most);
  if (shorter !== text) repairs.push(problem);
  return shorter;
}

/** By characters as people count them, which never splits an emoji. */
function cutTo(text: string, most: number): string {
  return text.length <= most ? text : [...text.slice(0, 2 * most)].slice(0, most).join('').trim();
}

/** "Doe, Jane" and "Jane Doe". */
function splitWholeName(name: string): { firstName: string; lastName: string } {
  const [last = '', first] = name.split(/,\s*/, 2);
  if (first !== undefined && first !== '') return { firstName: first, lastName: last };
  const { FirstName, LastName } = splitName(name);
  return { firstName: FirstName, lastName: LastName };
}

/** Recently parsed cells of groups: a column of a million cells has a few dozen different ones. */
const readLately = new Map<string, string[]>();
const mostLately = 1_000;
const longestLately = 200;

function readGroups(text: string, repairs: string[]): readonly string[] | null {
  if (text === '') return null;
  const known = readLately.get(text);
  if (known !== undefined) return known;
  const names = new Map<string, string>();
  const repairsBefore = repairs.length;
  for (const part of divided(text)) {
    const name = cut(tidy(part, repairs), limits.groupName, rowProblems.groupCut, repairs);
    if (name !== '' && names.size < contactLimits.groupsOfContact) names.set(name.toLowerCase(), name);
  }
  if (names.size === 0) return null;
  // Copied: a substring keeps the whole string in memory, here a piece of the file.
  const groups = [...names.values()].map(copyOf);
  // A cell that was repaired is parsed each time, so that each of its rows notes it.
  if (repairs.length === repairsBefore && text.length <= longestLately) {
    if (readLately.size >= mostLately) readLately.clear();
    readLately.set(copyOf(text), groups);
  }
  return groups;
}

/** Names between semicolons and bars; a quoted one, as in the export, may contain them. */
function divided(text: string): string[] {
  if (!text.includes('"')) return text.split(/[;|\r\n]/);
  const parts: string[] = [];
  // Linear: each piece begins where the last one ended.
  const piece = /\s*"((?:[^"]|"")*)"\s*(?=[;|\r\n]|$)|[^;|\r\n]+/y;
  for (let at = 0; at < text.length; at += 1) {
    piece.lastIndex = at;
    const found = piece.exec(text);
    if (found === null) continue;
    parts.push(found[1]?.replaceAll('""', '"') ?? found[0]);
    at = piece.lastIndex;
  }
  return parts;
}

function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

function readCustom(
  columns: FileColumns,
  cell: (column: number) => string,
  repairs: string[],
): Record<string, string> | null {
  let custom: Record<string, string> | null = null;
  for (const { ColumnNumber, Name } of columns.CustomData) {
    const value = tidyLines(cell(ColumnNumber), repairs);
    if (value === '') continue;
    // Without a prototype: the names are the user’s.
    custom ??= Object.create(null) as Record<string, string>;
    custom[Name] = cut(value, contactLimits.customValue, rowProblems.valueCut, repairs);
  }
  return custom;
}
