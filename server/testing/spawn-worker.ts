import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { closeFirstAtEnd } from './closers.ts';
import type { TestApp } from './test-app.ts';
import { testCredentials } from './test-sandbox.ts';

/** The program itself as a worker, in a separate process, to be killed; it never outlives the test file. */
export function spawnWorker(app: TestApp, env: Record<string, string> = {}): ChildProcess {
  const worker = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: {
      ...process.env,
      ...testCredentials,
      ROLE: 'worker',
      LOG_LEVEL: 'silent',
      DATABASE_URL: app.databaseUrl,
      PUBLIC_URL: app.url,
      INFOBIP_BASE_URL: app.sandbox.url,
      TWILIO_BASE_URL: app.sandbox.url,
      ...env,
    },
    stdio: 'ignore',
  });
  closeFirstAtEnd(() => endProcess(worker, 'SIGKILL'));
  return worker;
}

/** Resolves when it is gone, also if it already was. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}
