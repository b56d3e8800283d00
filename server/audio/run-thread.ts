import { Worker } from 'node:worker_threads';
import { unsupportedAudio } from '../../contract/uploads/audio.ts';
import { limitThread } from '../limit-thread.ts';
import type { Played, PreparedSound } from './prepare-sound.ts';
import { BadAudio } from './rules.ts';

export type AudioTask =
  | { kind: 'prepare'; source: { path: string } | { bytes: Uint8Array }; isStrict: boolean }
  | { kind: 'cut'; wav: Uint8Array; fromMs: number; toMs: number }
  | { kind: 'mp3'; wav: Uint8Array };

export type AudioAnswer = { kind: 'done'; value: unknown } | { kind: 'bad'; message: string };

/** Limit of CPU time: a good file takes two seconds; the worst one found takes four. */
const deadlineMs = 20_000;
/** One per spare processor; files that arrive meanwhile wait on disk. */
const mostThreads = 2;
/** A thread takes a fifth of a second to start: this one is ready for the next file. */
const idleMs = 30_000;

const idle: Worker[] = [];
let running = 0;
const waiting: (() => void)[] = [];

function takeThread(): Worker {
  return (
    idle.pop() ??
    new Worker(new URL('./audio-thread.ts', import.meta.url), {
      // Decoded sound is not counted here: the decoding loops limit it.
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
    })
  );
}

function keepThread(thread: Worker): void {
  thread.removeAllListeners();
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

/** A file is being uploaded: when it is complete, the thread that will read it has started. */
export function warmThread(): void {
  if (idle.length === 0 && running === 0) keepThread(takeThread());
}

async function run<Value>(task: AudioTask): Promise<Value> {
  if (running >= mostThreads) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await runIn<Value>(takeThread(), task);
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

function runIn<Value>(thread: Worker, task: AudioTask): Promise<Value> {
  thread.ref();
  return new Promise<Value>((resolve, reject) => {
    const callOff = limitThread(thread, deadlineMs, () => {
      void thread.terminate();
      reject(new BadAudio(unsupportedAudio));
    });
    const settle = (end: () => void) => {
      callOff();
      end();
    };
    thread.removeAllListeners();
    thread.on('message', (answer: AudioAnswer) =>
      settle(() => {
        keepThread(thread);
        if (answer.kind === 'bad') reject(new BadAudio(answer.message));
        else resolve(answer.value as Value);
      }),
    );
    thread.on('error', (error: NodeJS.ErrnoException) =>
      settle(() =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new BadAudio(unsupportedAudio) : error),
      ),
    );
    thread.on('exit', () => settle(() => reject(new Error('the thread that prepares audio ended'))));
    thread.postMessage(task);
  });
}

/** Prepares an uploaded file for calls. Fails with a BadAudio that has the message to show. */
export async function prepareInThread(
  source: { path: string } | { bytes: Uint8Array },
  { isStrict }: { isStrict: boolean },
): Promise<PreparedSound> {
  return withBuffer(await run<PreparedSound>({ kind: 'prepare', source, isStrict }));
}

export async function cutInThread(wav: Uint8Array, fromMs: number, toMs: number): Promise<Played> {
  return withBuffer(await run<Played>({ kind: 'cut', wav, fromMs, toMs }));
}

export async function encodeMp3InThread(wav: Uint8Array): Promise<Buffer> {
  return Buffer.from(await run<Uint8Array>({ kind: 'mp3', wav }));
}

/** A Buffer arrives as a plain array of bytes. */
function withBuffer<Sound extends Played>(sound: Sound): Sound {
  return { ...sound, wav: Buffer.from(sound.wav.buffer, sound.wav.byteOffset, sound.wav.byteLength) };
}
