import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { limitThread } from './limit-thread.ts';

/** Runs this in a thread that may use 100 ms of CPU time, and returns how it ended. */
async function endOf(script: string): Promise<string> {
  const thread = new Worker(`const { parentPort } = require('node:worker_threads'); ${script}`, {
    eval: true,
  });
  const end = await new Promise<string>((resolve) => {
    const callOff = limitThread(thread, 100, () => resolve('given up'));
    thread.once('message', (said: string) => {
      callOff();
      resolve(said);
    });
  });
  await thread.terminate();
  return end;
}

it('stops a thread by its CPU time, not by its waiting time', async () => {
  // As on a machine where others use the processor.
  const waits = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)';
  expect(await endOf(`${waits}; parentPort.postMessage('done');`)).toBe('done');
  expect(await endOf('for (;;);')).toBe('given up');
});
