import type { FileSummary } from '../../contract/imports.ts';
import type { RowRules } from './read-row.ts';
import type { FileFormat } from './read-structure.ts';
import { runInThread } from './run-in-thread.ts';

/** The input of the thread that reads files. */
export interface CopyTask extends RowRules {
  path: string;
  format: FileFormat;
  tabNumber: number;
  /** Headings, and the rows above them. */
  rowsAbove: number;
  databaseUrl: string;
  accountId: number;
  fileId: number;
  leaseId: string;
  /** Only contacts of this user are considered, if the user can't see others. */
  onlyUserId: number | null;
}

export interface Copied {
  summary: FileSummary;
  groupNames: string[];
}

/**
 * Runs a thread that reads a file into file_rows. Resolves with the result, or rejects with a BadFile that
 * has the message to show.
 */
export function startCopying(
  task: CopyTask,
  onProgress: (done: number, total: number | null) => void,
  heapMb?: number,
): { result: Promise<Copied>; stop(): Promise<void> } {
  return runInThread({ type: 'copy', task }, { onProgress, heapMb });
}
