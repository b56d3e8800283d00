import { setImmediate } from 'node:timers/promises';
import { readSheet, type SheetPerson, type SheetTask } from './read-sheet.ts';
import { runInThread } from './run-in-thread.ts';

/** A thousand rows take 30 ms: less than handing them to a thread. */
const quickBytes = 64 * 1024;
/** Half a million people and the rows that they come from; an import holds only the rows of a piece. */
const heapMb = 512;
/** The others wait: each uses a processor. */
const readAtOnce = 2;

let reading = 0;
const waiting: (() => void)[] = [];

/** Reads a sheet in a thread, like a file, unless it is small. Throws a BadFile with the message to show. */
export async function readSheetAside(task: SheetTask): Promise<SheetPerson[]> {
  if (task.bytes.length <= quickBytes) return readSheet(task);
  if (reading >= readAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else reading += 1;
  try {
    const pieces = await runInThread<string[]>({ type: 'sheet', task }, { heapMb }).result;
    const people: SheetPerson[] = [];
    for (const piece of pieces) {
      for (const person of JSON.parse(piece) as SheetPerson[]) people.push(person);
      await setImmediate();
    }
    return people;
  } finally {
    // The slot goes to the longest waiting request.
    const next = waiting.shift();
    if (next === undefined) reading -= 1;
    else next();
  }
}
