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

/** A row is sent if something in it has changed, or if it is to be left out. */
export function isChanged(row: FileRow, edit: RowEdit | undefined): boolean {
  if (!edit) return false;
  return edit.isRemoved || editedFields.some(([name]) => (edit.values[name] ?? row[name]) !== row[name]);
}

/**
 * The errors of a row, by field. For an unchanged row this is the server's reason, at the field in which our
 * own rules find an error (the primary phone if they find none); for a changed row, the errors of our rules.
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

/** The fields of the table: names and the primary phone always, the others if the file has them. */
export function shownFields(rows: readonly FileRow[]): (readonly [EditedField, string])[] {
  const always: readonly string[] = ['FirstName', 'LastName', 'PrimaryPhone'];
  return editedFields.filter(([name]) => always.includes(name) || rows.some((row) => row[name] !== ''));
}

export function inBatches<Item>(items: readonly Item[], size: number): Item[][] {
  const batches: Item[][] = [];
  for (let at = 0; at < items.length; at += size) batches.push(items.slice(at, at + size));
  return batches;
}
