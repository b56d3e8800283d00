import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, PlainError } from './plain-error.ts';
import { isPortFree } from './ports.ts';

/**
 * The processes that run on a data folder (`running.json` in it), so that a start after a kill knows which it may
 * end.
 */
export type Run = { starter: number; children: number[]; port: number; isStopping: boolean };

// A starter that was orphaned notices within a second; a graceful stop takes up to ten.
const noticeMs = 2_500;
const stopMs = 15_000;

export function writeRun(dataDir: string, run: Run): void {
  writeFileSync(join(dataDir, 'running.json'), JSON.stringify(run));
}

export function clearRun(dataDir: string): void {
  rmSync(join(dataDir, 'running.json'), { force: true });
}

/**
 * Makes sure that nothing listens on PORT and the two ports after it. What a killed start left behind on this
 * data folder is ended; a start that is just stopping is waited for; anybody else's is left alone.
 */
export async function claimPorts(dataDir: string, port: number): Promise<void> {
  const startedAt = Date.now();
  let run = readRun(dataDir);
  if (run && !isStarter(run.starter)) await endOrphans(run.children);
  for (;;) {
    const taken = await findTaken([port, port + 1, port + 2]);
    if (taken === undefined) return;
    run = readRun(dataDir);
    const isOurs = run?.port === port && isStarter(run.starter);
    if (!isOurs) throw new PlainError(describeTaken(taken, port));
    if (Date.now() - startedAt > (run?.isStopping ? stopMs : noticeMs)) {
      throw new PlainError(
        `Muster is already running from this folder on port ${port}: stop it first, or choose another PORT and another DATA_DIR.`,
      );
    }
    await delay(100);
  }
}

async function findTaken(ports: number[]): Promise<number | undefined> {
  for (const port of ports) if (!(await isPortFree(port))) return port;
  return undefined;
}

function describeTaken(taken: number, port: number): string {
  const who = taken === port + 1 ? 'the telephones need' : 'the mailbox needs';
  const which = taken === port ? `Port ${taken}` : `Port ${taken}, which ${who} beside ${port},`;
  return `${which} is in use by another program: stop that, or choose another with for example PORT=${port + 100} npm start.`;
}

function readRun(dataDir: string): Run | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8'));
  } catch {
    // Missing, or half written by a start that was killed: nothing is known then.
    return undefined;
  }
}

function isStarter(pid: number): boolean {
  return pid !== process.pid && commandOf(pid).includes('scripts/start.ts');
}

async function endOrphans(pids: number[]): Promise<void> {
  const isOurs = (pid: number) => /(server|sandbox)\/main\.ts/.test(commandOf(pid));
  const orphans = pids.filter(isOurs);
  for (const pid of orphans) end(pid, 'SIGTERM');
  for (let waited = 0; waited < 20 && orphans.some(isOurs); waited++) await delay(100);
  for (const pid of orphans.filter(isOurs)) end(pid, 'SIGKILL');
  while (orphans.some(isOurs)) await delay(20);
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/** Empty when there is no such process; a process id may belong to another program by now. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? '';
  }
}
