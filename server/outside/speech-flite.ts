import { Worker } from 'node:worker_threads';
import { limitThread } from '../limit-thread.ts';
import { spanishPhones } from './spanish-phones.ts';
import type { Speech, SpeechVoice } from './speech.ts';
import { SpeechRefused } from './speech-refused.ts';
import { isInPlainLetters, spellPhones, toPlainWords } from './speech-words.ts';

export interface FliteTask {
  /** Sounds instead of words, in Flite's own names. */
  isPhones: boolean;
  text: string;
  voice: string;
  rate: number;
}
export type FliteAnswer = { wav: Uint8Array } | { failure: string };

const english = (id: string, name: string): SpeechVoice => ({
  id,
  language: 'en-US',
  label: `${name} (clear, mechanical)`,
  isNatural: false,
});
/** An English voice with the sounds of Spanish. */
const spanishEnd = '-es';
const spanish = (id: string, name: string): SpeechVoice => ({
  id: `${id}${spanishEnd}`,
  language: 'es-US',
  label: `${name} (mechanical, with an English accent)`,
  isNatural: false,
});
/** The first is the one that a telephone distorts least. */
const voices: SpeechVoice[] = [
  english('rms', 'Robert'),
  english('slt', 'Sarah'),
  { ...english('awb', 'Alan'), language: 'en-GB' },
  english('kal16', 'Kevin'),
  spanish('slt', 'Sara'),
  spanish('rms', 'Roberto'),
];

const cannotRead = 'This voice can only read English. Write the message in English, or choose another voice.';
const cannotReadSpanish =
  'This voice can only read Spanish. Write the message in Spanish, or choose another voice.';
/** CPU time: two minutes of speech take four seconds. */
const deadlineMs = 20_000;
const idleMs = 60_000;
/** Below this nothing was read: 0.3 seconds at 16 kHz and 16 bits. */
const leastBytes = 44 + 9_600;

/** Flite, which is included in Muster: speech without any account. English, and Spanish with an accent. */
export function fliteSpeech(): Speech {
  return {
    name: 'flite',
    label: 'Built in',
    async voices() {
      warmUp();
      return voices;
    },
    async speak(text, voice, rate, signal) {
      if (!voices.some(({ id }) => id === voice)) throw new SpeechRefused('That voice is no longer here.');
      const isPhones = voice.endsWith(spanishEnd);
      const refusal = isPhones ? cannotReadSpanish : cannotRead;
      if (!isInPlainLetters(text)) throw new SpeechRefused(refusal);
      const task = isPhones
        ? { isPhones, text: spanishPhones(text), voice: voice.slice(0, -spanishEnd.length), rate }
        : { isPhones, text: toPlainWords(spellPhones(text)), voice, rate };
      const wav = await speakInThread(task, signal);
      if (wav.length < leastBytes) throw new SpeechRefused(refusal);
      return wav;
    },
  };
}

let idle: Worker | undefined;
let running = 0;
/** One after the other: a second thread would only make both slower. */
let queue: Promise<unknown> = Promise.resolve();

function speakInThread(task: FliteTask, signal: AbortSignal): Promise<Uint8Array> {
  const turn = queue.then(() => runThread(task, signal));
  queue = turn.catch(() => undefined);
  return turn;
}

function startThread(): Worker {
  // WASI is still experimental, and prints a warning to the log.
  return new Worker(new URL('./flite-thread.ts', import.meta.url), { execArgv: ['--no-warnings'] });
}

/** A user who requests the voices will soon want to hear text: by then the thread has started. */
function warmUp(): void {
  if (idle === undefined && running === 0) keepThread(startThread());
}

function runThread(task: FliteTask, signal: AbortSignal): Promise<Uint8Array> {
  signal.throwIfAborted();
  const thread = idle ?? startThread();
  idle = undefined;
  running += 1;
  thread.ref();
  return new Promise((resolve, reject) => {
    const stop = () => {
      // It runs without a break: only ending the thread stops it.
      void thread.terminate();
      reject(new Error('the message took too long to read'));
    };
    signal.addEventListener('abort', stop, { once: true });
    const callOff = limitThread(thread, deadlineMs, stop);
    let isSettled = false;
    const settle = () => {
      signal.removeEventListener('abort', stop);
      callOff();
      if (!isSettled) running -= 1;
      isSettled = true;
    };
    thread.removeAllListeners();
    thread.on('message', (answer: FliteAnswer) => {
      settle();
      keepThread(thread);
      if ('wav' in answer) resolve(answer.wav);
      else reject(new Error(`flite: ${answer.failure}`));
    });
    thread.on('error', (error) => {
      settle();
      reject(error);
    });
    thread.on('exit', () => {
      settle();
      reject(new Error('the thread that reads aloud ended'));
    });
    thread.postMessage(task);
  });
}

function keepThread(thread: Worker): void {
  thread.removeAllListeners();
  thread.unref();
  thread.on('error', () => undefined);
  idle = thread;
  setTimeout(() => {
    if (idle !== thread) return;
    idle = undefined;
    void thread.terminate();
  }, idleMs).unref();
}
