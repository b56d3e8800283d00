import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../scripts/postgres.ts';
import { migrate } from '../server/migrate.ts';
import { watchOthers } from './processor-time.ts';

/**
 * The real parts on ports of their own: PostgreSQL (durable, as `npm start` runs it), the sandbox and the
 * server as separate processes, in a folder that is removed at the end. With BENCH_DATA it is that folder,
 * and it is kept, so that a bench that takes long to fill can be run again (if it checks whether the folder
 * is filled).
 */
export interface Bench {
  sandboxUrl: string;
  serverUrl: string;
  databaseUrl: string;
  dataDir: string;
  db: pg.Pool;
  environment: Record<string, string>;
  /** Starts `node server/main.ts` and waits until it is ready. */
  startServer(env?: Record<string, string>): Promise<Running>;
  sandbox(method: string, path: string, body?: object): Promise<unknown>;
  sandboxPid: number | undefined;
  /** Ends PostgreSQL at once, as a power cut would; it comes back by itself and recovers. */
  crashPostgres(): void;
  /** The same, but it stays away. */
  losePostgres(): Promise<void>;
  close(): Promise<void>;
}

export interface Running {
  child: ChildProcess;
  /** The most memory that the process has held so far. */
  peakMb(): number;
  kill(signal: NodeJS.Signals): Promise<void>;
}

export const credentials = {
  INFOBIP_API_KEY: 'bench-api-key',
  INFOBIP_WEBHOOK_SECRET: 'bench-webhook-secret',
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(31)}2`,
  TWILIO_AUTH_TOKEN: 'bench-auth-token',
  SMPP_SYSTEM_ID: 'bench',
  SMPP_PASSWORD: 'bench-smpp',
} as const;

/** The port on which the sandbox of a bench speaks SMPP, if it has a number of that carrier. */
export function smppPortOf(port: number): number {
  return port + 3;
}

const root = join(import.meta.dirname, '..');
/** The compile cache of `npm start`. A bench's server uses it, and gets the same environment. */
const compiled = join(root, '.build/compiled');

export async function startBench(options: {
  port: number;
  numbers: Record<string, 'infobip' | 'smpp' | 'twilio'>;
}): Promise<Bench> {
  const kept = process.env.BENCH_DATA;
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'muster-bench-'));
  const serverUrl = `http://127.0.0.1:${options.port}`;
  const sandboxUrl = `http://127.0.0.1:${options.port + 1}`;
  const postgres = await startPostgres({
    dataDir,
    durable: true,
    avoidPorts: [options.port, options.port + 1, options.port + 2, smppPortOf(options.port)],
  });
  await migrate(postgres.url);
  const sayOthers = watchOthers();
  const db = new pg.Pool({ connectionString: postgres.url, max: 4 });
  db.on('error', () => undefined);
  const started: Running[] = [];

  async function start(file: string, env: Record<string, string>, readyUrl: string): Promise<Running> {
    const child = spawn(process.execPath, [join(root, file)], {
      env: { NODE_COMPILE_CACHE: compiled, MALLOC_ARENA_MAX: '2', ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const running: Running = {
      child,
      peakMb: () => peakMb(child.pid),
      async kill(signal) {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const gone = once(child, 'exit');
        child.kill(signal);
        await gone;
      },
    };
    started.push(running);
    await untilAnswers(readyUrl);
    return running;
  }

  const hasSmpp = Object.values(options.numbers).includes('smpp');
  const { SMPP_SYSTEM_ID, SMPP_PASSWORD, ...others } = credentials;
  const environment = {
    ...others,
    ...(hasSmpp
      ? { SMPP_SYSTEM_ID, SMPP_PASSWORD, SMPP_URL: `smpp://127.0.0.1:${smppPortOf(options.port)}` }
      : {}),
    PORT: String(options.port),
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    INFOBIP_BASE_URL: sandboxUrl,
    TWILIO_BASE_URL: sandboxUrl,
  };
  const sandbox = await start(
    'sandbox/main.ts',
    {
      ...credentials,
      SANDBOX_PORT: String(options.port + 1),
      ...(hasSmpp ? { SANDBOX_SMPP_PORT: String(smppPortOf(options.port)) } : {}),
      SANDBOX_NUMBERS: Object.entries(options.numbers)
        .map((pair) => pair.join('='))
        .join(','),
      INFOBIP_INBOUND_URL: `${serverUrl}/hooks/infobip/inbound/${credentials.INFOBIP_WEBHOOK_SECRET}`,
      TWILIO_INBOUND_URL: `${serverUrl}/hooks/twilio/inbound`,
    },
    `${sandboxUrl}/stats`,
  );

  return {
    sandboxUrl,
    serverUrl,
    databaseUrl: postgres.url,
    dataDir,
    db,
    environment,
    sandboxPid: sandbox.child.pid,
    crashPostgres: postgres.stopNow,
    async losePostgres() {
      postgres.stopNow();
      await postgres.stop();
    },
    startServer: (env = {}) => start('server/main.ts', { ...environment, ...env }, `${serverUrl}/readyz`),
    async sandbox(method, path, body) {
      const answer = await fetch(sandboxUrl + path, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return answer.status === 204 ? undefined : answer.json();
    },
    async close() {
      const others = sayOthers();
      if (others !== undefined) console.log(others);
      for (const running of started) await running.kill('SIGTERM');
      await db.end();
      await postgres.stop();
      if (kept === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export async function untilAnswers(url: string): Promise<void> {
  const deadline = performance.now() + 120_000;
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    const said = await answer?.text();
    if (answer?.ok) return;
    if (performance.now() > deadline) throw new Error(`${url} did not answer, or said: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Resident memory at its highest, as the kernel kept it; 0 where it doesn't say. */
function peakMb(pid: number | undefined): number {
  try {
    const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Math.round(Number(found?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

export function percentile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** One line of the result: the figure, its limit, and whether it holds. */
export function report(
  name: string,
  value: number,
  limit: { least?: number; most?: number },
  unit: string,
): boolean {
  const holds =
    value >= (limit.least ?? Number.NEGATIVE_INFINITY) && value <= (limit.most ?? Number.POSITIVE_INFINITY);
  const bound = limit.least === undefined ? `at most ${limit.most}` : `at least ${limit.least}`;
  const shown = value.toLocaleString('en-US', { maximumFractionDigits: 1 });
  console.log(`${holds ? 'holds ' : 'FAILS '} ${name}: ${shown} ${unit} (${bound})`);
  return holds;
}
