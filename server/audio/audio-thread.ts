/**
 * Decodes and encodes sound in its own thread, so that calls and pages never wait for it and a hostile file
 * ends only this thread. The thread's creator ends it when it takes too long.
 */
import { parentPort } from 'node:worker_threads';
import { encodeMp3 } from './encode-mp3.ts';
import { cutSound, prepareSound } from './prepare-sound.ts';
import { BadAudio } from './rules.ts';
import type { AudioAnswer, AudioTask } from './run-thread.ts';

// The decoder writes a line for every frame that it can't read.
console.error = () => undefined;

async function carryOut(task: AudioTask): Promise<AudioAnswer> {
  if (task.kind === 'prepare') {
    return { kind: 'done', value: await prepareSound(toSource(task.source), task.isStrict) };
  }
  const wav = toBuffer(task.wav);
  if (task.kind === 'cut') return { kind: 'done', value: cutSound(wav, task.fromMs, task.toMs) };
  return { kind: 'done', value: await encodeMp3(wav) };
}

/** A Buffer arrives as a plain array of bytes. */
function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function toSource(source: { path: string } | { bytes: Uint8Array }) {
  return 'path' in source ? source : { bytes: toBuffer(source.bytes) };
}

parentPort?.on('message', async (task: AudioTask) => {
  try {
    parentPort?.postMessage(await carryOut(task));
  } catch (error) {
    // Others end the thread: its creator is notified.
    if (!(error instanceof BadAudio)) throw error;
    parentPort?.postMessage({ kind: 'bad', message: error.message } satisfies AudioAnswer);
  }
});
