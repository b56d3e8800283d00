import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  createWriteStream,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PlainError } from './plain-error.ts';

/**
 * Keeps one program running. Life: started → ready → (ended unasked → started again after 1, 2, 4 … 30 s)* → stopped.
 * One that ends before it was ready for the first time is not started again: it would end again (a wrong
 * setting, a port in use), and whoever started it should hear why at once. One that was ready once has the right
 * settings, so it is started again whatever it ended with.
 */
export type ProgramOptions = {
  /** As people call it, such as "server". */
  name: string;
  /** Its main file, from the root of the checkout. */
  main: string;
  env: Record<string, string | undefined>;
  logFile: string;
  /** Answers 200 when the program is ready. */
  healthUrl: string;
  note: (sentence: string) => void;
  /** Its log goes to the screen too. */
  verbose: boolean;
  signal: AbortSignal;
};

export type Program = {
  pid: () => number | undefined;
  /** Asks it to end, waits up to `graceMs`, then kills it. */
  stop: (graceMs: number) => Promise<void>;
  stopNow: () => void;
};

const readyTimeoutMs = 180_000;
const steadyAfterMs = 60_000;
const root = join(import.meta.dirname, '..');
const withParent = new URL('./with-parent.ts', import.meta.url).href;

export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { name, note, logFile } = options;
  let stopping = false;
  let failures = 0;
  let logFrom = sizeOf(logFile);
  let child = launch(options);
  try {
    await waitUntilReady(child, options, logFrom);
  } catch (error) {
    stopping = true;
    child.kill('SIGKILL');
    throw error;
  }
  child.once('exit', ended);
  const startedAgain = new AbortController();

  return {
    pid: () => child.pid,
    stopNow: () => {
      stopping = true;
      child.kill('SIGKILL');
    },
    async stop(graceMs) {
      stopping = true;
      startedAgain.abort();
      if (hasEnded(child)) return;
      const exit = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await exit;
      clearTimeout(timer);
    },
  };

  async function ended(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    if (stopping) return;
    const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
    const lines = lastLines(logFile, 5, logFrom);
    const waitMs = Math.min(30_000, 1_000 * 2 ** failures++);
    note(`The ${name} ${how}; it is started again in ${waitMs / 1000} s. Its last lines:\n${lines}`);
    await delay(waitMs, undefined, { signal: startedAgain.signal }).catch(() => {});
    if (stopping) return;
    logFrom = sizeOf(logFile);
    child = launch(options);
    const steady = setTimeout(() => {
      failures = 0;
    }, steadyAfterMs);
    child.once('exit', () => clearTimeout(steady));
    child.once('exit', ended);
  }
}

function launch({ main, env, logFile, verbose }: ProgramOptions): ChildProcess {
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'a', 0o600);
  const output = verbose ? 'pipe' : log;
  const child = spawn(process.execPath, ['--import', withParent, main], {
    cwd: root,
    env,
    // A group of its own: Ctrl-C is for us, and we stop things in order.
    detached: true,
    stdio: ['ignore', output, output, 'ipc'],
  });
  child.once('error', () => {});
  const file = verbose ? createWriteStream(logFile, { flags: 'a' }) : undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      file?.write(chunk);
      process.stderr.write(chunk);
    });
  }
  child.once('close', () => file?.end());
  closeSync(log);
  return child;
}

async function waitUntilReady(child: ChildProcess, options: ProgramOptions, logFrom: number): Promise<void> {
  const { name, healthUrl, logFile, signal } = options;
  const deadline = Date.now() + readyTimeoutMs;
  while (Date.now() < deadline) {
    signal.throwIfAborted();
    if (hasEnded(child)) {
      throw new PlainError(
        `${lastLines(logFile, 10, logFrom)}\nThe ${name} did not start; its log is ${logFile}.`,
      );
    }
    const response = await fetch(healthUrl, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.status === 200) return;
    await delay(50);
  }
  throw new PlainError(
    `${lastLines(logFile, 10, logFrom)}\nThe ${name} was not ready within ${readyTimeoutMs / 1000} s; its log is ${logFile}.`,
  );
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** Length of the log before a launch; one that has grown too long is put aside. */
function sizeOf(logFile: string): number {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size < 20_000_000) return size;
  renameSync(logFile, `${logFile}.1`);
  return 0;
}

/** The last lines written since the launch at which the log was `from` bytes long. */
function lastLines(file: string, count: number, from: number): string {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const tail = Buffer.alloc(Math.min(Math.max(size - from, 0), 16_384));
    readSync(descriptor, tail, 0, tail.length, size - tail.length);
    return tail.toString('utf8').trimEnd().split('\n').slice(-count).join('\n');
  } finally {
    closeSync(descriptor);
  }
}
