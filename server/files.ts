import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { createUploads, type Uploads } from './uploads.ts';

/** A file that is read while it is sent, so that it is never in memory as a whole. */
export interface StoredFile {
  size: number;
  /** All of it, or the bytes from `first` to `last`. */
  stream(part?: FilePart): Readable;
}

export interface FilePart {
  first: number;
  last: number;
}

/**
 * Files stored by their content: the name is the hash, so the same bytes are stored once and never change.
 */
export interface FileStore {
  save(bytes: Buffer): Promise<string>;
  read(hash: string): Promise<Buffer | undefined>;
  /** A file, or what was derived from it under this suffix. */
  open(hash: string, suffix?: string): Promise<StoredFile | undefined>;
  /** Moves a finished file with this hash into place, without reading it. */
  adopt(path: string, hash: string): Promise<void>;
  /** The bytes under a derived name (a preview), created once and kept. */
  derive(hash: string, suffix: string, make: (bytes: Buffer) => Promise<Buffer>): Promise<Buffer | undefined>;
  uploads: Uploads;
  /** Reason why files can't be stored at the moment, as a message; undefined if they can. */
  findProblem(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Pictures are private: other users of the machine can't read them. */
const ownerOnly = { file: 0o600, folder: 0o700 } as const;

/** A file on the disk; undefined if it isn't there. */
async function openFile(path: string): Promise<StoredFile | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  return {
    size: found.size,
    stream: (part) => createReadStream(path, part && { start: part.first, end: part.last }),
  };
}

/** Spreadsheets are in the folder beside it. */
export function createFileStore(folder: string): FileStore {
  const pathOf = (hash: string, suffix = '') => join(folder, hash.slice(0, 2), hash + suffix);

  async function write(path: string, bytes: Buffer): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: ownerOnly.folder });
    // Under a temporary name first: a reader never sees a partial file, not even after a crash.
    const unfinished = `${path}.${randomUUID()}`;
    await writeFile(unfinished, bytes, { flush: true, mode: ownerOnly.file });
    await rename(unfinished, path);
  }

  async function readOrNothing(path: string): Promise<Buffer | undefined> {
    try {
      return await readFile(path);
    } catch {
      return undefined;
    }
  }

  return {
    async save(bytes) {
      const hash = createHash('sha256').update(bytes).digest('hex');
      const path = pathOf(hash);
      const isThere = await stat(path).then(
        () => true,
        () => false,
      );
      if (!isThere) await write(path, bytes);
      return hash;
    },
    async adopt(path, hash) {
      await mkdir(dirname(pathOf(hash)), { recursive: true, mode: ownerOnly.folder });
      await chmod(path, ownerOnly.file);
      await rename(path, pathOf(hash));
    },
    read: (hash) => readOrNothing(pathOf(hash)),
    open: (hash, suffix) => openFile(pathOf(hash, suffix)),
    async derive(hash, suffix, make) {
      const kept = await readOrNothing(pathOf(hash, suffix));
      if (kept !== undefined) return kept;
      const bytes = await readOrNothing(pathOf(hash));
      if (bytes === undefined) return undefined;
      const made = await make(bytes);
      await write(pathOf(hash, suffix), made);
      return made;
    },
    uploads: createUploads(join(dirname(folder), 'uploads')),
    async findProblem() {
      const path = join(folder, 'readiness');
      try {
        await write(path, Buffer.from('Muster can write here.'));
        return undefined;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        return `The folder for files can’t be written to: ${code === 'ENOSPC' ? 'its disk is full' : `${code}`}.`;
      }
    },
    close: async () => undefined,
  };
}
