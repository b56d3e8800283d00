import { type FileStart, LookTooLong, quickLook, readStructure } from './read-structure.ts';
import { BadFile, takesTooLong } from './rules.ts';
import { runInThread } from './run-in-thread.ts';

/** Longer than any file takes on a busy machine: starting the thread takes seconds. */
const mostMs = 30_000;
/** The others wait: each uses a processor. */
const looksAtOnce = 2;

let looking = 0;
const waiting: (() => void)[] = [];

/**
 * Examines a file. A quick look takes a few milliseconds and is enough for most files; a thread examines the
 * others, for some seconds at most, and only while the client is waiting.
 */
export async function lookIntoFile(path: string, left: AbortSignal): Promise<FileStart> {
  try {
    return await readStructure(path, quickLook);
  } catch (error) {
    if (!(error instanceof LookTooLong)) throw error;
  }
  left.throwIfAborted();
  if (looking >= looksAtOnce) await turn(left);
  else looking += 1;
  try {
    return await lookInThread(path, left);
  } finally {
    // The slot goes to the longest waiting request.
    const next = waiting.shift();
    if (next === undefined) looking -= 1;
    else next();
  }
}

function turn(left: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.splice(waiting.indexOf(next), 1);
      reject(left.reason);
    };
    const next = () => {
      left.removeEventListener('abort', leave);
      resolve();
    };
    waiting.push(next);
    left.addEventListener('abort', leave, { once: true });
  });
}

async function lookInThread(path: string, left: AbortSignal): Promise<FileStart> {
  left.throwIfAborted();
  const look = runInThread<FileStart>({ type: 'look', path });
  const stop = () => void look.stop();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, mostMs);
  left.addEventListener('abort', stop, { once: true });
  try {
    return await look.result;
  } catch (error) {
    if (isLate) throw new BadFile(takesTooLong);
    left.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    left.removeEventListener('abort', stop);
  }
}
