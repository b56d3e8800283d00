import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { hashFile } from '../hash-file.ts';
import { clearScratch, createUploads, type Uploads } from '../uploads.ts';
import { type Bucket, DeletedMeanwhile } from './s3-bucket.ts';

/** Prefix of spreadsheets in a bucket. Names of pictures and recordings begin with two digits of their hash. */
export const uploadsPrefix = 'uploads/';

/**
 * Spreadsheets in a bucket, so that the process that imports one needn't have the disk of the one that took
 * it. Both keep it on their own disk while they work on it: a workbook is read back and forth.
 */
export function createS3Uploads(bucket: Bucket, dataDir: string): Uploads {
  const scratch = join(dataDir, 'uploads-incoming');
  // Those that were uploaded before there was a bucket.
  const earlier = createUploads(join(dataDir, 'uploads'));
  const nameOf = (key: string) => uploadsPrefix + key;
  void clearScratch(scratch).catch(() => undefined);

  return {
    arrivals: scratch,
    async keep(key) {
      const path = join(scratch, key);
      const { size } = await stat(path);
      await bucket.stream(nameOf(key), {
        ...{ hash: await hashFile(path), length: size, open: () => createReadStream(path) },
      });
      await rm(path);
    },
    async borrow(key, signal) {
      const there = await earlier.borrow(key);
      if (there !== undefined) return there;
      await mkdir(scratch, { recursive: true, mode: 0o700 });
      // A worker that has lost its lease may still read the same file.
      const path = join(scratch, `${key}.${randomUUID()}`);
      const giveBack = () => rm(path, { force: true });
      try {
        const file = await bucket.open(nameOf(key));
        if (file === undefined) return undefined;
        await pipeline(file.stream(), createWriteStream(path, { mode: 0o600 }), { signal });
        return { path, giveBack };
      } catch (error) {
        await giveBack();
        if (error instanceof DeletedMeanwhile) return undefined;
        throw error;
      }
    },
    async remove(key) {
      await earlier.remove(key);
      await rm(join(scratch, key), { force: true });
      await bucket.remove(nameOf(key));
    },
    async listBefore(moment) {
      const keys = await earlier.listBefore(moment);
      for await (const { name, at } of bucket.list(uploadsPrefix))
        if (at < moment) keys.push(name.slice(uploadsPrefix.length));
      return keys;
    },
  };
}
