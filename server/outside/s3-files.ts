import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { FileStore } from '../files.ts';
import { openBucket, type S3Settings } from './s3-bucket.ts';
import { createS3Uploads } from './s3-uploads.ts';

/**
 * Files in a private bucket: only Muster reads it, and everybody else asks Muster. The data folder is only
 * this process's own, for spreadsheets on their way.
 */
export function createS3Files(settings: S3Settings, dataDir: string): FileStore {
  const bucket = openBucket(settings);
  let mayRemove = false;
  const nameOf = (hash: string, suffix = '') => `${hash.slice(0, 2)}/${hash}${suffix}`;

  return {
    async save(bytes) {
      const hash = createHash('sha256').update(bytes).digest('hex');
      if (!(await bucket.has(nameOf(hash)))) await bucket.write(nameOf(hash), bytes);
      return hash;
    },
    async adopt(path, hash) {
      if (!(await bucket.has(nameOf(hash)))) {
        const { size } = await stat(path);
        await bucket.stream(nameOf(hash), { hash, length: size, open: () => createReadStream(path) });
      }
      await rm(path);
    },
    read: (hash) => bucket.read(nameOf(hash)),
    open: (hash, suffix) => bucket.open(nameOf(hash, suffix)),
    async derive(hash, suffix, make) {
      const kept = await bucket.read(nameOf(hash, suffix));
      if (kept !== undefined) return kept;
      const bytes = await bucket.read(nameOf(hash));
      if (bytes === undefined) return undefined;
      const made = await make(bytes);
      await bucket.write(nameOf(hash, suffix), made);
      return made;
    },
    uploads: createS3Uploads(bucket, dataDir),
    async findProblem() {
      try {
        const probe = Buffer.from('Muster can write here.');
        await bucket.write('readiness', probe);
        if ((await bucket.read('readiness'))?.equals(probe) !== true)
          return `The bucket ${settings.bucket} doesn’t give back what was written to it.`;
        // Asked until it was allowed once: a bucket with versions remembers every removal.
        if (!mayRemove) await bucket.remove('readiness-removed');
        mayRemove = true;
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    close: () => bucket.close(),
  };
}
