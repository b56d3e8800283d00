import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildAll } from '../../scripts/build.ts';
import { type System, systems } from './stack.ts';

const readyTimeoutMs = 300_000;
const stopTimeoutMs = 20_000;

/**
 * Starts the systems as a newcomer starts one, all at the same time (Playwright's `webServer` would wait for one before
 * it begins the next), and ends them when the journeys are over.
 */
export default async function startSystems(): Promise<() => Promise<void>> {
  // Before them: each would build the same.
  await buildAll();
  const started: ChildProcess[] = [];
  const stop = async () => {
    await Promise.all(started.map(end));
  };
  try {
    await Promise.all(
      systems.map((system) => {
        const { child, ready } = start(system);
        started.push(child);
        return ready;
      }),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

function start({ port, dataDir }: System): { child: ChildProcess; ready: Promise<void> } {
  mkdirSync(dataDir, { recursive: true });
  // With a channel: when this process is killed, it ends too.
  const child = fork(join(import.meta.dirname, '../../scripts/start.ts'), {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ready = new Promise<void>((done, failed) => {
    let output = '';
    const fail = (why: string) => failed(new Error(`Muster on port ${port} ${why}:\n${output}`));
    const timer = setTimeout(fail, readyTimeoutMs, 'did not start in time');
    child.once('error', (error) => fail(error.message));
    child.once('exit', () => {
      clearTimeout(timer);
      fail('ended');
    });
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (!output.includes('Muster is ready')) return;
      clearTimeout(timer);
      done();
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      process.stderr.write(text);
    });
  });
  return { child, ready };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await Promise.race([ended, delay(stopTimeoutMs, undefined, { ref: false })]);
  child.kill('SIGKILL');
}
