import type { FileColumns, FileTab } from '../../../contract/imports.ts';
import { isSameName } from '../../ui/same-name.ts';
import { say } from '../../ui/say.ts';

/** The targets that a column can have, apart from custom fields. */
export const fixedTargets = [
  ['FirstName', 'First name'],
  ['LastName', 'Last name'],
  ['Phone1', 'Primary phone'],
  ['Phone2', 'Secondary phone'],
  ['Phone3', 'Tertiary phone'],
  ['AreaCode1', 'Area code 1'],
  ['AreaCode2', 'Area code 2'],
  ['AreaCode3', 'Area code 3'],
  ['Notes', say('Notes')],
  ['Groups', say('Groups')],
] as const;
type FixedTarget = (typeof fixedTargets)[number][0];
const fixedLabels: Readonly<Record<FixedTarget, string>> = Object.fromEntries(fixedTargets) as never;

export type Target =
  | { kind: 'fixed'; name: FixedTarget }
  | { kind: 'custom'; name: string }
  | { kind: 'skip' };
export const skip: Target = { kind: 'skip' };

export function targetLabel(target: Target): string {
  if (target.kind === 'skip') return say('Skip');
  return target.kind === 'fixed' ? fixedLabels[target.name] : `Custom: ${target.name}`;
}

export function targetOf(columns: FileColumns, columnNumber: number): Target {
  for (const [name] of fixedTargets) if (columns[name] === columnNumber) return { kind: 'fixed', name };
  const custom = columns.CustomData.find((field) => field.ColumnNumber === columnNumber);
  return custom ? { kind: 'custom', name: custom.Name } : skip;
}

/** The column that has a target now; undefined if none has. */
export function columnOf(columns: FileColumns, target: Target): number | undefined {
  if (target.kind === 'skip') return undefined;
  if (target.kind === 'fixed') return columns[target.name] ?? undefined;
  return columns.CustomData.find(({ Name }) => isSameName(Name, target.name))?.ColumnNumber;
}

/** A target belongs to one column: if it is given to another, the first one is skipped from then on. */
export function withTarget(columns: FileColumns, columnNumber: number, target: Target): FileColumns {
  const changed: FileColumns = {
    ...columns,
    CustomData: columns.CustomData.filter(
      ({ ColumnNumber, Name }) =>
        ColumnNumber !== columnNumber && !(target.kind === 'custom' && isSameName(Name, target.name)),
    ),
  };
  for (const [name] of fixedTargets) if (changed[name] === columnNumber) changed[name] = null;
  if (target.kind === 'fixed') changed[target.name] = columnNumber;
  if (target.kind === 'custom')
    changed.CustomData.push({ ColumnNumber: columnNumber, Name: target.name.trim() });
  return changed;
}

/** The guess that came with a tab. */
export function guessedColumns(tab: FileTab): FileColumns {
  const { CustomData } = tab;
  const fixed = Object.fromEntries(fixedTargets.map(([name]) => [name, tab[name]]));
  return { ...fixed, CustomData } as FileColumns;
}

/** "A" for 1, "Z" for 26, "AA" for 27, as spreadsheets count. */
export function letterOf(columnNumber: number): string {
  const before = Math.floor((columnNumber - 1) / 26);
  const last = String.fromCharCode(65 + ((columnNumber - 1) % 26));
  return before > 0 ? letterOf(before) + last : last;
}

export interface ShownTab {
  columns: { columnNumber: number; header: string }[];
  rows: { rowNumber: number; cells: string[] }[];
}

/** A tab with or without a heading: the guessed heading becomes the first row, or the other way round. */
export function showTab(tab: FileTab, hasHeader: boolean): ShownTab {
  const rows = tab.Rows.map(({ RowNumber, Cells }) => ({ rowNumber: RowNumber, cells: Cells }));
  const headers = tab.Columns.map(({ Header }) => Header);
  const columnsWith = (texts: readonly string[]) =>
    tab.Columns.map(({ ColumnNumber }, index) => ({
      columnNumber: ColumnNumber,
      header: texts[index] ?? '',
    }));
  if (hasHeader === tab.HasHeader) return { columns: columnsWith(hasHeader ? headers : []), rows };
  // The rows above the headings aren't shown, but are read with them.
  if (!hasHeader)
    return {
      columns: columnsWith([]),
      rows: [{ rowNumber: tab.TitleRows + 1, cells: headers }, ...rows],
    };
  const [first, ...rest] = rows;
  return { columns: columnsWith(first?.cells ?? []), rows: rest };
}

/** The number of rows to import, without the heading; null if they haven't been counted. */
export function rowsIn(tab: FileTab, hasHeader: boolean): number | null {
  if (tab.RowCount === null || hasHeader === tab.HasHeader) return tab.RowCount;
  return Math.max(0, tab.RowCount + (hasHeader ? -1 : 1 + tab.TitleRows));
}

/** "Cell" under the letter C, or the letter alone where there is no heading. */
export function columnLabel({ columnNumber, header }: { columnNumber: number; header: string }): string {
  return header.trim() === '' ? `Column ${letterOf(columnNumber)}` : header.trim();
}
