/**
 * Reads files in a separate thread, so that the pages stay fast and a hostile file can't use up the server's
 * memory: at the thread's limit only the thread ends. It is kept for the next file for a while.
 */
import { parentPort } from 'node:worker_threads';
import { copyRows } from './copy-rows.ts';
import { readSheetInPieces } from './read-sheet.ts';
import { readStructure } from './read-structure.ts';
import { BadFile } from './rules.ts';
import type { ThreadAnswer, ThreadTask } from './run-in-thread.ts';

function run(task: ThreadTask) {
  if (task.type === 'look') return readStructure(task.path);
  if (task.type === 'sheet') return readSheetInPieces(task.task);
  return copyRows(task.task, (done, total) => say({ type: 'progress', done, total }));
}

const say = (answer: ThreadAnswer) => parentPort?.postMessage(answer);

parentPort?.on('message', async (task: ThreadTask) => {
  try {
    say({ type: 'done', result: await run(task) });
  } catch (error) {
    // Others end the thread: its creator is notified.
    if (!(error instanceof BadFile)) throw error;
    say({ type: 'bad', message: error.message });
  }
});
