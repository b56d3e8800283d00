import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { errorCode, PlainError } from './plain-error.ts';
import type { Place } from './postgres-place.ts';

/** A running postmaster; `child` when this process started it, undefined when it was found running. */
export type Postmaster = { pid: number; port: number; cluster: string; child?: ChildProcess };

export const owner = 'muster';

// Translated messages could not be recognized, and the user's PG* variables are about other databases.
export const postgresEnvironment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

// A recovery reads at most max_wal_size of log; minutes are for slow disks.
const startTimeoutMs = 300_000;
const stopTimeoutMs = 60_000;
// For a postmaster that is starting or stopping under somebody else.
const answerTimeoutMs = 30_000;

export type LaunchOptions = {
  place: Place;
  logFile: string;
  password: string;
  port: number;
  durable: boolean;
};

/** Starts the postmaster and waits until it takes connections. */
export async function launchPostmaster(options: LaunchOptions): Promise<Postmaster | 'port taken'> {
  const { place, logFile, password, port, durable } = options;
  const { cluster } = place;
  const saidBefore = rotateLog(logFile);
  const log = openSync(logFile, 'a', 0o600);
  const args = ['-D', cluster];
  for (const [name, value] of Object.entries(settingsFor(port, durable))) args.push('-c', `${name}=${value}`);
  const child = spawn(join(place.native, 'bin/postgres'), args, {
    ...place.runAs,
    cwd: '/',
    env: postgresEnvironment,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline) {
    if (failure) throw failure;
    const file = readPidFile(cluster);
    if (file?.pid === child.pid && file?.ready) return { pid: file.pid, port, cluster, child };
    if (hasEnded(child)) {
      const said = readFileSync(logFile, 'utf8').slice(saidBefore);
      if (said.includes('Address already in use')) return 'port taken';
      // Another start was faster: its postmaster is used, and the lock decides who goes on.
      const other = await findPostmaster(cluster, password);
      if (other) return other;
      throw new Error(`PostgreSQL did not start:\n${said}`);
    }
    await delay(20);
  }
  child.kill('SIGQUIT');
  throw new PlainError(`PostgreSQL did not become ready in time: see ${logFile}.`);
}

/** A postmaster of this very cluster that another or a killed start left; one on its way up or down is awaited. */
export async function findPostmaster(cluster: string, password: string): Promise<Postmaster | undefined> {
  const deadline = Date.now() + answerTimeoutMs;
  for (;;) {
    const file = readPidFile(cluster);
    const state = file && processState(file.pid);
    // A stale file whose process id now belongs to others: PostgreSQL itself sorts that out.
    if (!file || state === 'gone' || state === 'not postgres') return undefined;
    if (state === 'running') {
      const client = connect(file.port, password, 'postgres');
      try {
        await client.connect();
        const { rows } = await client.query('show data_directory');
        return rows[0]?.data_directory === cluster ? { ...file, cluster } : undefined;
      } catch (error) {
        // 28P01: another cluster has this process id and this port now. Anything else is tried again.
        if (errorCode(error) === '28P01') return undefined;
      } finally {
        await client.end().catch(() => {});
      }
    }
    if (Date.now() > deadline) {
      throw new PlainError(
        `PostgreSQL on ${cluster} still holds its data but does not answer: end process ${file.pid} and its parent, then start again.`,
      );
    }
    await delay(50);
  }
}

export async function stopPostmaster(postmaster: Postmaster): Promise<void> {
  const { pid } = postmaster;
  // SIGINT: roll back, write everything, end. SIGQUIT: end at once; the next start recovers from the log, which
  // without durability lacks the last commits.
  signal(pid, 'SIGINT');
  const deadline = Date.now() + stopTimeoutMs;
  while (isRunning(postmaster)) {
    if (Date.now() > deadline) signal(pid, 'SIGQUIT');
    await delay(10);
  }
}

export function isRunning({ pid, child, cluster }: Postmaster): boolean {
  // A process whose parent is gone may stay visible as ended for a while; it removes its file last.
  return child ? !hasEnded(child) : isAlive(pid) && readPidFile(cluster)?.pid === pid;
}

/** postmaster.pid holds: process id, data folder, start time, port, socket folder, address, memory key, status. */
export function readPidFile(cluster: string): { pid: number; port: number; ready: boolean } | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** `preferred` when it is free, otherwise one that the system gives. */
export async function choosePort(preferred: number, avoid: number[]): Promise<number> {
  for (let attempt = 0, wanted = preferred; attempt < 20; attempt++, wanted = 0) {
    if (avoid.includes(wanted)) continue;
    const port = await new Promise<number | undefined>((done) => {
      const probe = createServer();
      probe.once('error', () => done(undefined));
      probe.listen(wanted, '127.0.0.1', () => {
        const address = probe.address();
        probe.close(() => done(typeof address === 'object' && address ? address.port : undefined));
      });
    });
    if (port !== undefined && !avoid.includes(port)) return port;
  }
  throw new PlainError('PostgreSQL found no free port on 127.0.0.1.');
}

export function urlOf(port: number, password: string, database: string): string {
  return `postgres://${owner}:${password}@127.0.0.1:${port}/${database}`;
}

export function connect(port: number, password: string, database: string): pg.Client {
  const connectionString = urlOf(port, password, database);
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  // A connection that breaks while idle is reported here; without a listener it would end the process.
  client.on('error', () => {});
  return client;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** `ended`: its parent has not noticed yet, and until it does PostgreSQL treats it as alive. */
export function processState(pid: number): 'gone' | 'not postgres' | 'ended' | 'running' {
  if (!isAlive(pid)) return 'gone';
  const about = spawnSync('ps', ['-o', 'stat=,comm=', '-p', String(pid)], { encoding: 'utf8' });
  // Small containers have no ps; the kernel's own file begins with: pid (name) state.
  const text = about.error ? readProcStat(pid) : about.stdout.trim();
  if (text === '') return 'gone';
  if (!text.includes('postgres')) return 'not postgres';
  return /^Z|\) Z /.test(text) ? 'ended' : 'running';
}

function readProcStat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}

/** Databases are made and dropped by the hundred: each time the shared memory is looked through, and each is visited. */
const throwAway = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
  wal_buffers: '8MB',
  autovacuum_naptime: '1min',
};

function settingsFor(port: number, durable: boolean): Record<string, string> {
  const memoryMb = Math.round(totalmem() / 1024 ** 2);
  // An eighth: the pages that an import changes should fit, and there is a server beside it. Unused it costs nothing.
  const sharedMb = Math.min(2048, Math.max(128, Math.round(memoryMb / 8)));
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: `${sharedMb}MB`,
    effective_cache_size: `${Math.round(memoryMb / 2)}MB`,
    maintenance_work_mem: sharedMb < 256 ? '64MB' : '128MB',
    // Each checkpoint has every page written whole into the log once more: so they are rare.
    max_wal_size: '4GB',
    wal_buffers: sharedMb < 256 ? '8MB' : '64MB',
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    jit: 'off',
    // A queue of messages turns over faster than the defaults (a fifth of the table, once a minute) clean up.
    autovacuum_naptime: '10s',
    autovacuum_vacuum_scale_factor: '0.05',
    autovacuum_analyze_scale_factor: '0.02',
    autovacuum_vacuum_cost_limit: '2000',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    log_checkpoints: 'off',
    ...(durable ? {} : throwAway),
  };
}

/** Answers how much the log already says. */
function rotateLog(path: string): number {
  const size = existsSync(path) ? statSync(path).size : 0;
  if (size < 10_000_000) return size;
  renameSync(path, `${path}.1`);
  return 0;
}
