import { Worker } from 'node:worker_threads';
import type { FileSummary } from '../../contract/imports.ts';
import type { RowRules } from './read-row.ts';
import type { FileFormat } from './read-structure.ts';
import { BadFile, needsTooMuchMemory } from './rules.ts';

/** What the thread that reads files is told. */
export interface CopyTask extends RowRules {
  path: string;
  format: FileFormat;
  tabNumber: number;
  hasHeader: boolean;
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

export type ThreadAnswer =
  | { type: 'progress'; done: number; total: number | null }
  | ({ type: 'copied' } & Copied)
  | { type: 'bad'; message: string };

/** The heap that a file may need: shared strings of a large workbook are most of it. */
const mostHeapMb = 256;
/** Small, since rows live for moments: more only makes the process larger. */
const youngHeapMb = 16;
/** A thread takes half a second to start: the next file finds one. */
const idleMs = 30_000;

/** Threads without work. */
const idle: Worker[] = [];

const hasHeap =
  (heapMb: number) =>
  ({ resourceLimits }: Worker) =>
    resourceLimits?.maxOldGenerationSizeMb === heapMb;

function takeThread(heapMb: number): Worker {
  const at = idle.findIndex(hasHeap(heapMb));
  const [thread] = at === -1 ? [] : idle.splice(at, 1);
  if (thread !== undefined) return thread;
  return new Worker(new URL('./read-file-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngHeapMb },
  });
}

function keepThread(thread: Worker): void {
  thread.removeAllListeners();
  // One that has nothing to do holds up nobody's end.
  thread.unref();
  thread.on('error', () => undefined);
  idle.push(thread);
  setTimeout(() => {
    const at = idle.indexOf(thread);
    if (at === -1) return;
    idle.splice(at, 1);
    void thread.terminate();
  }, idleMs).unref();
}

/** For a large file that is on its way: by when its columns are named, the thread that will read it has started. */
export function prepareThread(): void {
  if (!idle.some(hasHeap(mostHeapMb))) keepThread(takeThread(mostHeapMb));
}

/** Has a thread read a file into file_rows. Ends in what it found, or in a BadFile with the sentence to show. */
export function startCopying(
  task: CopyTask,
  onProgress: (done: number, total: number | null) => void,
  heapMb = mostHeapMb,
): { result: Promise<Copied>; stop(): Promise<void> } {
  const thread = takeThread(heapMb);
  thread.ref();
  const result = new Promise<Copied>((resolve, reject) => {
    thread.removeAllListeners();
    thread.on('message', (answer: ThreadAnswer) => {
      if (answer.type === 'progress') {
        onProgress(answer.done, answer.total);
        return;
      }
      keepThread(thread);
      if (answer.type === 'bad') reject(new BadFile(answer.message));
      else resolve({ summary: answer.summary, groupNames: answer.groupNames });
    });
    thread.on('error', (error: NodeJS.ErrnoException) =>
      // The file needed more than the thread may have.
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new BadFile(needsTooMuchMemory) : error),
    );
    thread.on('exit', () => reject(new Error('the thread that reads a file ended')));
  });
  // Whoever stops it doesn't wait for the result.
  result.catch(() => undefined);
  thread.postMessage(task);
  return {
    result,
    stop: async () => {
      await thread.terminate();
    },
  };
}
