import { Worker } from 'node:worker_threads';
import type { SheetTask } from './read-sheet.ts';
import type { FileStart } from './read-structure.ts';
import { BadFile, needsTooMuchMemory } from './rules.ts';
import type { Copied, CopyTask } from './start-copying.ts';

/** The input of the thread that reads files. */
export type ThreadTask =
  | { type: 'copy'; task: CopyTask }
  | { type: 'look'; path: string }
  | { type: 'sheet'; task: SheetTask };
/** People of a sheet are JSON, in pieces. */
type ThreadResult = Copied | FileStart | string[];

export type ThreadAnswer =
  | { type: 'progress'; done: number; total: number | null }
  | { type: 'done'; result: ThreadResult }
  | { type: 'bad'; message: string };

/** The heap that a file may need: shared strings of a large workbook are most of it. */
const mostHeapMb = 256;
/** Small, since rows are short-lived: more only makes the process larger. */
const youngHeapMb = 16;
/** A thread takes half a second to start: this one is ready for the next file. */
const idleMs = 30_000;

/** Idle threads. */
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
  // An idle thread doesn't keep the process alive.
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

/**
 * For a large file that is being uploaded: when its columns are assigned, the thread that will read it has
 * started.
 */
export function prepareThread(): void {
  if (!idle.some(hasHeap(mostHeapMb))) keepThread(takeThread(mostHeapMb));
}

interface ThreadOptions {
  onProgress?: (done: number, total: number | null) => void;
  heapMb?: number | undefined;
}

/** Runs it in a thread. Resolves with the result, or rejects with a BadFile that has the message to show. */
export function runInThread<Result extends ThreadResult>(
  task: ThreadTask,
  { onProgress, heapMb = mostHeapMb }: ThreadOptions = {},
): { result: Promise<Result>; stop(): Promise<void> } {
  const thread = takeThread(heapMb);
  thread.ref();
  const result = new Promise<Result>((resolve, reject) => {
    thread.removeAllListeners();
    thread.on('message', (answer: ThreadAnswer) => {
      if (answer.type === 'progress') {
        onProgress?.(answer.done, answer.total);
        return;
      }
      keepThread(thread);
      if (answer.type === 'bad') reject(new BadFile(answer.message));
      else resolve(answer.result as Result);
    });
    thread.on('error', (error: NodeJS.ErrnoException) =>
      // The file needed more memory than the thread's limit.
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new BadFile(needsTooMuchMemory) : error),
    );
    thread.on('exit', () => reject(new Error('the thread that reads a file ended')));
  });
  // A caller that stops it doesn't wait for the result.
  result.catch(() => undefined);
  thread.postMessage(task, task.type === 'sheet' ? [task.task.bytes.buffer] : []);
  return {
    result,
    stop: async () => {
      await thread.terminate();
    },
  };
}
