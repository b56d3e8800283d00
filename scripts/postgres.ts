import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { errorCode, PlainError } from './plain-error.ts';
import {
  findPlace,
  findTemporaryFolder,
  makeOpenFolder,
  type Place,
  temporaryFolders,
} from './postgres-place.ts';
import {
  choosePort,
  connect,
  findPostmaster,
  isAlive,
  isRunning,
  launchPostmaster,
  owner,
  type Postmaster,
  postgresEnvironment,
  processState,
  readPidFile,
  signal,
  stopPostmaster,
  urlOf,
} from './postgres-process.ts';

/**
 * The embedded PostgreSQL 18.
 *
 * The postmaster is a process group of its own: Ctrl-C at the terminal must not reach it before the server
 * has let go of it, and it may outlive a killed starter, whose successor takes it over. Who holds the data
 * folder is told by an advisory lock in the database `postgres`, which the system releases with the process
 * that held it, however that ended; a file with a process id would have to be guessed stale.
 *
 * In the data folder: `postgres/` (PGDATA, made under another name and renamed when complete),
 * `postgres.json` (port, password, where the data lies), `logs/postgres.log`.
 */
export type Postgres = {
  /** Of the owner, who is a superuser, to the database `muster`. */
  url: string;
  port: number;
  /** Ends it in order. */
  stop: () => Promise<void>;
  /** Ends it without waiting; the next start recovers. */
  stopNow: () => void;
};

export type PostgresOptions = {
  /** Made when it does not exist. */
  dataDir: string;
  /** False gives up everything for speed: after a power cut the data is lost. For tests. */
  durable: boolean;
  /** Gets a sentence when something unusual happens, such as a recovery. */
  log?: (sentence: string) => void;
  /** Ports that it must not take, such as the web's. */
  avoidPorts?: number[];
};

/** `elsewhere` is PGDATA where it does not lie in the data folder; a data folder that is moved keeps its own. */
type Settings = { port: number; password: string; elsewhere?: string };

const database = 'muster';
const preferredPort = 54_320;
// Any constant does; this one is "muster" in ASCII.
const lockKey = '0x6d7573746572';

export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const dataDir = resolve(options.dataDir);
  try {
    mkdirSync(join(dataDir, 'logs'), { recursive: true });
    return await start({ ...options, dataDir });
  } catch (error) {
    throw explain(error, dataDir);
  }
}

/** A throw-away PostgreSQL in a folder for temporary files; `stop` removes it. */
export async function startTemporaryPostgres(folder = findTemporaryFolder()): Promise<Postgres> {
  sweepTemporary();
  const dataDir = mkdtempSync(join(folder, `muster-postgres-${process.pid}-`));
  const remove = () => {
    const { elsewhere } = readSettings(join(dataDir, 'postgres.json')) ?? {};
    if (elsewhere) rmSync(dirname(elsewhere), { recursive: true, force: true });
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const postgres = await startPostgres({ dataDir, durable: false });
    return {
      ...postgres,
      stop: async () => {
        await postgres.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

async function start(options: PostgresOptions): Promise<Postgres> {
  const { dataDir, log = () => {} } = options;
  const settingsFile = join(dataDir, 'postgres.json');
  const known = readSettings(settingsFile);
  const place = findPlace(dataDir, known?.elsewhere);
  const { cluster } = place;
  const isElsewhere = dirname(cluster) !== dataDir;
  if (!known && !isElsewhere && existsSync(cluster)) {
    throw new PlainError(
      `${settingsFile} is missing: restore it from a copy, it holds the database’s password.`,
    );
  }
  const settings = known ?? createSettings(settingsFile, isElsewhere ? cluster : undefined);
  if (!existsSync(join(cluster, 'PG_VERSION'))) await initialize(place, settings.password, options.durable);
  refuseUnlessOurs(cluster);

  let postmaster = (await findPostmaster(cluster, settings.password)) ?? (await launch());
  const { port } = postmaster;
  const lock = await holdLock(port, settings.password, dataDir, revive);
  const stop = async () => {
    await lock.release();
    await stopPostmaster(postmaster);
  };
  try {
    if (port !== settings.port) writeSettings(settingsFile, { ...settings, port });
    await createDatabase(lock.client);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: urlOf(port, settings.password, database),
    port,
    stop,
    stopNow: () => signal(postmaster.pid, 'SIGQUIT'),
  };

  async function launch(): Promise<Postmaster> {
    if (existsSync(join(cluster, 'postmaster.pid'))) {
      log('PostgreSQL was not shut down last time; it recovers by itself.');
    }
    for (let attempt = 1, preferred = settings.port; attempt < 5; attempt++, preferred = 0) {
      const launched = await launchOn(await choosePort(preferred, options.avoidPorts ?? []));
      if (launched !== 'port taken') return launched;
      // Somebody was faster between the check and the bind.
    }
    throw new PlainError('PostgreSQL found no free port on 127.0.0.1.');
  }

  function launchOn(port: number): Promise<Postmaster | 'port taken'> {
    const logFile = join(dataDir, 'logs/postgres.log');
    const { password } = settings;
    return launchPostmaster({ place, logFile, password, port, durable: options.durable });
  }

  /** Called as long as the connection is lost. The port stays: the server knows no other. */
  async function revive(): Promise<void> {
    if (isRunning(postmaster)) return;
    log('PostgreSQL ended unexpectedly; it is started again.');
    const launched = await launchOn(port);
    if (launched !== 'port taken') postmaster = launched;
  }
}

function readSettings(file: string): Settings | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) {
      throw new PlainError(`${file} is damaged: restore it from a copy, it holds the database’s password.`);
    }
    throw error;
  }
}

/** Of two first starts at once, both go on with what the first one wrote. */
function createSettings(file: string, elsewhere: string | undefined): Settings {
  const password = randomBytes(24).toString('base64url');
  const settings = { port: preferredPort, password, ...(elsewhere ? { elsewhere } : {}) };
  const complete = `${file}.${process.pid}`;
  writeFileSync(complete, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  try {
    linkSync(complete, file);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return readSettings(file) ?? settings;
  } finally {
    rmSync(complete);
  }
  if (elsewhere) prepareElsewhere(dirname(file), elsewhere);
  return settings;
}

function prepareElsewhere(dataDir: string, cluster: string): void {
  makeOpenFolder(dirname(cluster));
  // The data folder is new or was emptied, so what lies there is another Muster's past: kept, not used.
  if (existsSync(cluster)) renameSync(cluster, `${cluster}-until-${new Date().toISOString().slice(0, 19)}`);
  writeFileSync(
    join(dataDir, 'postgres-is-elsewhere.txt'),
    `The database of this Muster lies in\n${cluster}\nbecause PostgreSQL does not run as root and its user may not enter this folder.\n`,
  );
}

function writeSettings(file: string, settings: Settings): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

async function initialize(place: Place, password: string, durable: boolean): Promise<void> {
  const { cluster, runAs } = place;
  const unfinished = `${cluster}.new-${process.pid}`;
  const passwordFile = `${unfinished}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (runAs) for (const path of [unfinished, passwordFile]) chownSync(path, runAs.uid, runAs.gid);
  try {
    // Letters of every language count as letters only under a UTF-8 character type (trigram search relies on
    // it); sorting is by code point on every machine alike.
    for (const locale of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
      const args = ['--pgdata', unfinished, '--username', owner, '--pwfile', passwordFile];
      args.push('--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', locale);
      args.push('--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--no-instructions');
      if (!durable) args.push('--no-sync');
      const { code, said } = await runInitdb(place, args);
      if (code === 0) break;
      if (locale !== 'C' && said.includes('invalid locale name')) continue;
      throw new Error(`initdb failed:\n${said}`);
    }
    renameSync(unfinished, cluster);
  } catch (error) {
    // Another start finished its own first: that one is used, and the lock decides who goes on.
    if (!existsSync(join(cluster, 'PG_VERSION'))) throw error;
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function runInitdb(place: Place, args: string[]): Promise<{ code: number | null; said: string }> {
  return new Promise((done, failed) => {
    // A group of its own, like the postmaster: Ctrl-C must not break it off halfway.
    const child = spawn(join(place.native, 'bin/initdb'), args, {
      ...place.runAs,
      cwd: '/',
      env: postgresEnvironment,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.once('error', failed);
    child.once('close', (code) => done({ code, said }));
  });
}

function refuseUnlessOurs(cluster: string): void {
  const { uid } = statSync(cluster);
  const self = process.getuid?.();
  if (self !== 0 && uid !== self) {
    throw new PlainError(
      `The database in ${cluster} belongs to another user (${uid}): start Muster as root or as that user, or choose another folder with DATA_DIR.`,
    );
  }
  const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (version !== '18') {
    throw new PlainError(
      `The database in ${cluster} was made by PostgreSQL ${version}, and this Muster brings PostgreSQL 18: dump and restore it, or choose another folder with DATA_DIR.`,
    );
  }
}

type Lock = { client: pg.Client; release: () => Promise<void> };

async function holdLock(
  port: number,
  password: string,
  dataDir: string,
  revive: () => Promise<void>,
): Promise<Lock> {
  let released = false;
  let regaining: Promise<void> | undefined;
  const lock: Lock = {
    client: await take(),
    release: async () => {
      released = true;
      await regaining;
      await lock.client.end().catch(() => {});
    },
  };
  watch();
  return lock;

  async function take(): Promise<pg.Client> {
    const client = connect(port, password, 'postgres');
    await client.connect();
    const { rows } = await client.query(`select pg_try_advisory_lock(${lockKey}) as held`);
    if (rows[0]?.held) return client;
    await client.end();
    throw new PlainError(
      `Muster is already running on ${dataDir}: stop it first, or choose another folder with DATA_DIR.`,
    );
  }

  // When PostgreSQL goes away under us, it is started again, and the lock, which went with it, taken again.
  function watch(): void {
    lock.client.once('end', () => {
      if (!released) regaining = regain();
    });
  }

  async function regain(): Promise<void> {
    while (!released) {
      try {
        await revive();
        lock.client = await take();
        watch();
        return;
      } catch {
        await delay(1_000);
      }
    }
  }
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
  if (rowCount === 0) await client.query(`create database ${database}`);
}

/** Removes what throw-away databases of processes that were killed left behind. */
function sweepTemporary(): void {
  const found = temporaryFolders()
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  for (const dataDir of found) {
    const pid = Number(/^muster-postgres-(\d+)-/.exec(basename(dataDir))?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    try {
      const postmaster = readPidFile(join(dataDir, 'postgres'));
      if (postmaster && processState(postmaster.pid) === 'running') signal(postmaster.pid, 'SIGQUIT');
      rmSync(dataDir, { recursive: true, force: true });
    } catch {
      // Another user's, or still ending: the next sweep has it.
    }
  }
}

function explain(error: unknown, dataDir: string): unknown {
  if (error instanceof PlainError) return error;
  const code = errorCode(error);
  const text = error instanceof Error ? error.message : String(error);
  if (code === 'ENOSPC' || text.includes('No space left on device')) {
    return new PlainError(
      `The disk that holds ${dataDir} is full: make room, or choose another folder with DATA_DIR.`,
    );
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || text.includes('Permission denied')) {
    return new PlainError(
      `Muster may not write to the data folder ${dataDir}: give it to this user, or choose another with DATA_DIR.`,
    );
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    return new PlainError(`The data folder ${dataDir} is not a folder: choose another with DATA_DIR.`);
  }
  if (/error while loading shared libraries|GLIBC|initdb.* ENOENT|postgres.* ENOENT/.test(text)) {
    return new PlainError(
      `PostgreSQL's binaries do not run on this system: set DATABASE_URL to a PostgreSQL 18 that does. (${text.trim().split('\n').at(-1)})`,
    );
  }
  return error;
}
