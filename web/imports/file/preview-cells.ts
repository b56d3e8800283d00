import type { FileColumns } from '../../../contract/imports.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { readPhone } from '../../../contract/phone/read-phone.ts';
import { repairSpreadsheetPhone } from '../../../contract/phone/repair-spreadsheet-phone.ts';
import type { ShownTab } from './file-columns.ts';

type CellState = 'plain' | 'repaired' | 'duplicate' | 'wrong';

export interface PreviewCell {
  text: string;
  state: CellState;
  /** The meaning of a state here: "Already in row 4", "Must be 10 digits; use only numbers". */
  note: string;
}

export interface PreviewRow {
  rowNumber: number;
  cells: PreviewCell[];
}

const phones = [
  ['Phone1', 'AreaCode1'],
  ['Phone2', 'AreaCode2'],
  ['Phone3', 'AreaCode3'],
] as const;

/**
 * The first rows as they will be read with these columns: phones are repaired; duplicate and invalid ones are
 * marked.
 */
export function previewRows(tab: ShownTab, columns: FileColumns, countryId: number): PreviewRow[] {
  const rowOf = new Map<string, number>();
  return tab.rows.map(({ rowNumber, cells }) => {
    const shown = tab.columns.map((_, index) => plainCell((cells[index] ?? '').trim()));
    const textOf = (columnNumber: number | null) => shown[indexOf(tab, columnNumber)]?.text ?? '';
    const given = phones
      .map(([phone, areaCode]) => ({
        index: indexOf(tab, columns[phone]),
        read: readPhoneCell(textOf(columns[areaCode]), textOf(columns[phone]), countryId),
      }))
      .filter(({ index, read }) => index >= 0 && read.cell.text !== '');
    // The first phone that isn't empty is the primary one: it decides whether the row is accepted.
    for (const [position, { index, read }] of given.entries())
      shown[index] = position === 0 ? primaryCell(read, rowNumber, rowOf) : read.cell;
    if (given.length === 0 && columns.Phone1 !== null)
      shown[indexOf(tab, columns.Phone1)] = { text: 'No phone', state: 'wrong', note: noPhone };
    return { rowNumber, cells: shown };
  });
}

const noPhone = 'A contact needs a phone';

function plainCell(text: string): PreviewCell {
  return { text, state: 'plain', note: '' };
}

function indexOf(tab: ShownTab, columnNumber: number | null): number {
  return tab.columns.findIndex((column) => column.columnNumber === columnNumber);
}

interface ReadCell {
  cell: PreviewCell;
  /** E.164, where it is a number. */
  phone: string | undefined;
}

function readPhoneCell(areaCode: string, written: string, countryId: number): ReadCell {
  if (written === '') return { cell: plainCell(''), phone: undefined };
  const repaired = repairSpreadsheetPhone(written);
  const check = readPhone(withAreaCode(areaCode, repaired ?? written), countryId);
  if (check.phone === undefined)
    return { cell: { text: written, state: 'wrong', note: check.error }, phone: undefined };
  const isRepaired = repaired !== written || written.includes('\u00a0');
  return {
    cell: {
      text: formatPhone(check.phone),
      state: isRepaired ? 'repaired' : 'plain',
      note: isRepaired ? `The file says ${written}` : '',
    },
    phone: check.phone,
  };
}

/** An area code in a column of its own goes before a number that has none. */
function withAreaCode(areaCode: string, phone: string): string {
  const code = (repairSpreadsheetPhone(areaCode) ?? areaCode).replace(/\D/g, '');
  const rest = phone.replace(/\D/g, '');
  return code !== '' && rest.length < 10 ? code + rest : phone;
}

/** One phone, one contact: a primary phone that appears in an earlier row is marked. */
function primaryCell({ cell, phone }: ReadCell, rowNumber: number, rowOf: Map<string, number>): PreviewCell {
  if (phone === undefined) return cell;
  const first = rowOf.get(phone);
  if (first !== undefined) return { ...cell, state: 'duplicate', note: `Already in row ${first}` };
  rowOf.set(phone, rowNumber);
  return cell;
}
