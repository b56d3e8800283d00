import { type FileSummary, type FileUpload, importLimits } from '../../contract/imports.ts';
import { confirmConsent, fileNotProcessed } from '../../contract/uploads/file-name.ts';

/** An unreadable file: the message to show. */
export class BadFile extends Error {
  override name = 'BadFile';
}

export const defaultFailure = fileNotProcessed;
export const consentRequired = confirmConsent;
export const fileGone = 'The file is no longer here. Upload it again.';
export const emptyFile = 'The file is empty.';
export const onlyHeadings = 'The file has headings but no contacts.';
export const notASpreadsheet = 'This is not a CSV or Excel file.';
export const oldExcel =
  'This is an Excel file of the old kind (.xls). Save it as .xlsx or CSV and try again.';
export const passwordProtected = 'This file is protected by a password. Remove the password and try again.';
export const damagedFile = 'The file is cut off or damaged. Save it again and try once more.';
export const unpacksTooLarge = 'The file unpacks to more than a list of contacts can hold.';
export const startsEmpty =
  'The file begins with so many empty rows that no contact was found. Delete them and try again.';
export const takesTooLong =
  'The file takes too long to read. Save it as CSV, or divide it into smaller ones, and try again.';
export const needsTooMuchMemory =
  'The file needs more memory than there is for one file. Divide it into smaller ones and try again.';
export const tooManyColumns = `A file can have at most ${importLimits.columns} columns.`;
export const tooManyRows = `A file can have at most ${importLimits.rows.toLocaleString('en-US')} rows.`;
export const tooManyGroups = `The column of groups has more than ${importLimits.groupNames} different names. Is it the right column?`;

export function rowTooLong(row: number): string {
  return `Row ${row} is too long to be a contact. Is a quotation mark missing there?`;
}

/** Rows per transaction at most: one or two seconds, so that a cancel or a stop takes effect soon. */
export const mostSliceRows = 20_000;
/** Imports of fewer rows are searchable at once; the indexing job handles larger ones. */
export const searchableAtOnce = 20_000;
export const leaseSeconds = 10;
/** Between two tries to fetch a spreadsheet from a bucket that doesn't answer. */
export const postponeSeconds = 15;
export const keptDays = 30;

export const emptySummary: FileSummary = {
  RowCount: 0,
  GoodRecordCount: 0,
  RepairedCount: 0,
  DuplicateCount: 0,
  ExistingCount: 0,
  RejectedCount: 0,
  Reasons: [],
  CreatedCount: 0,
  UpdatedCount: 0,
  SkippedCount: 0,
};

/** The speed, and the remaining time at the speed so far. */
export function progressOf(done: number, total: number | null, elapsedMs: number): FileUpload['Progress'] {
  const PerSecond = elapsedMs <= 0 ? 0 : Math.round((done * 1000) / elapsedMs);
  const left = total === null ? null : Math.max(0, total - done);
  return {
    Done: done,
    Total: total,
    PerSecond,
    SecondsLeft: left === null || PerSecond === 0 ? null : Math.ceil(left / PerSecond),
  };
}

/** The most frequent reason first. */
export function sortedReasons(counts: ReadonlyMap<string, number>): FileSummary['Reasons'] {
  return [...counts]
    .filter(([, Count]) => Count > 0)
    .map(([Problem, Count]) => ({ Problem, Count }))
    .sort((a, b) => b.Count - a.Count || a.Problem.localeCompare(b.Problem));
}
