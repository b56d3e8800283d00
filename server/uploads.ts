import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nowMs } from './clock.ts';

/** Uploaded spreadsheets, by their key, until they are imported. */
export interface Uploads {
  /** A web process writes a file here, under its key, before it is kept. */
  arrivals: string;
  /** From now on every process finds it. */
  keep(key: string): Promise<void>;
  /** A path by which to read the file, until it is given back; undefined if it isn't there. */
  borrow(key: string, signal?: AbortSignal): Promise<Borrowed | undefined>;
  /** Removes it wherever it is, and does nothing if it isn't there. */
  remove(key: string): Promise<void>;
  /** The keys of files that were last written before this moment, also of those whose upload was cut off. */
  listBefore(moment: number): Promise<string[]>;
}

export interface Borrowed {
  path: string;
  giveBack(): Promise<void>;
}

/** In a folder that all processes share: a file is read where it arrived. */
export function createUploads(folder: string): Uploads {
  return {
    arrivals: folder,
    keep: async () => undefined,
    async borrow(key) {
      const path = join(folder, key);
      const isThere = await stat(path).then(
        () => true,
        () => false,
      );
      return isThere ? { path, giveBack: async () => undefined } : undefined;
    },
    remove: (key) => rm(join(folder, key), { force: true }),
    listBefore: (moment) => listBefore(folder, moment),
  };
}

async function listBefore(folder: string, moment: number): Promise<string[]> {
  const old: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < moment) old.push(name);
  }
  return old;
}

const dayMs = 86_400_000;

/** Removes files on their way that a killed process left behind. */
export async function clearScratch(folder: string): Promise<void> {
  for (const name of await listBefore(folder, nowMs() - dayMs)) await rm(join(folder, name), { force: true });
}
