import { contactForm } from '../../../contract/forms/contact.ts';
import type { FileRow } from '../../../contract/imports.ts';
import { say } from '../../ui/say.ts';

const editedFields = [
  ['FirstName', 'First name'],
  ['LastName', 'Last name'],
  ['PrimaryPhone', 'Primary phone'],
  ['SecondaryPhone', 'Secondary phone'],
  ['TertiaryPhone', 'Tertiary phone'],
  ['Notes', say('Notes')],
] as const;
export type EditedField = (typeof editedFields)[number][0];

export type RowValues = Record<EditedField, string>;

export interface RowEdit {
  values: Partial<RowValues>;
  isRemoved: boolean;
}

export type Edits = ReadonlyMap<number, RowEdit>;
export const noEdit: RowEdit = { values: {}, isRemoved: false };

export function valuesOf(row: FileRow, { values }: RowEdit = noEdit): RowValues {
  return Object.fromEntries(editedFields.map(([name]) => [name, values[name] ?? row[name]])) as RowValues;
}

/** A row is sent when something in it is another than before, or when it is to be left out. */
export function isChanged(row: FileRow, edit: RowEdit | undefined): boolean {
  if (!edit) return false;
  return edit.isRemoved || editedFields.some(([name]) => (edit.values[name] ?? row[name]) !== row[name]);
}

/**
 * What is wrong with a row, by field. As it came from the file it is the server's reason, at the field that our own
 * rules blame (the primary phone where they blame none); once it is changed, what our rules say of it now.
 */
export function problemsOf(row: FileRow, edit: RowEdit | undefined, countryId: number): Partial<RowValues> {
  if (edit?.isRemoved) return {};
  const read = contactForm({ countryId }).safeParse(valuesOf(row, edit));
  const issues = read.success ? [] : read.error.issues;
  if (isChanged(row, edit)) {
    const found: Partial<RowValues> = {};
    for (const { path, message } of issues) found[path[0] as EditedField] ??= message;
    return found;
  }
  const blamed = (issues[0]?.path[0] as EditedField | undefined) ?? 'PrimaryPhone';
  return row.Problem ? { [blamed]: row.Problem } : {};
}

/** Which fields the table shows: names and the primary phone always, the others where the file has them. */
export function shownFields(rows: readonly FileRow[]): (readonly [EditedField, string])[] {
  const always: readonly string[] = ['FirstName', 'LastName', 'PrimaryPhone'];
  return editedFields.filter(([name]) => always.includes(name) || rows.some((row) => row[name] !== ''));
}

export function inBatches<Item>(items: readonly Item[], size: number): Item[][] {
  const batches: Item[][] = [];
  for (let at = 0; at < items.length; at += size) batches.push(items.slice(at, at + size));
  return batches;
}
