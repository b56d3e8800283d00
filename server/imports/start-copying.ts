import type { FileSummary } from '../../contract/imports.ts';
import type { RowRules } from './read-row.ts';
import type { FileFormat } from './read-structure.ts';
import { runInThread } from './run-in-thread.ts';

/** What the thread that reads files is told. */
export interface CopyTask extends RowRules {
  path: string;
  format: FileFormat;
  tabNumber: number;
  /** Headings, and what stands above them. */
  rowsAbove: number;
  databaseUrl: string;
  accountId: number;
  fileId: number;
  leaseId: string;
  /** Only contacts of this user are looked at: somebody who doesn't see the others. */
  onlyUserId: number | null;
}

export interface Copied {
  summary: FileSummary;
  groupNames: string[];
}

/** Has a thread read a file into file_rows. Ends in what it found, or in a BadFile with the sentence to show. */
export function startCopying(
  task: CopyTask,
  onProgress: (done: number, total: number | null) => void,
  heapMb?: number,
): { result: Promise<Copied>; stop(): Promise<void> } {
  return runInThread({ type: 'copy', task }, { onProgress, heapMb });
}
