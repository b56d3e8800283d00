import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bucket } from '../outside/s3-bucket.ts';
import { uploadsPrefix } from '../outside/s3-uploads.ts';
import type { Erasure } from './change-rows.ts';

/** Removes the files of an erased person, with their previews. Returns how many there were. */
export async function removeBytes(
  { pictures, uploads }: Pick<Erasure, 'pictures' | 'uploads'>,
  { dataDir, bucket }: { dataDir: string; bucket?: Bucket | undefined },
): Promise<number> {
  const paths = uploads.map((key) => join(dataDir, 'uploads', key));
  for (const hash of pictures) {
    const folder = join(dataDir, 'media', hash.slice(0, 2));
    const names = await readdir(folder).catch(() => []);
    paths.push(...names.filter((name) => name.startsWith(hash)).map((name) => join(folder, name)));
  }
  for (const path of paths) await rm(path, { force: true });
  return paths.length + (bucket === undefined ? 0 : await removeFrom(bucket, { pictures, uploads }));
}

async function removeFrom(
  bucket: Bucket,
  { pictures, uploads }: Pick<Erasure, 'pictures' | 'uploads'>,
): Promise<number> {
  let removed = 0;
  for (const key of uploads) await bucket.remove(uploadsPrefix + key);
  for (const hash of pictures) {
    for await (const { name } of bucket.list(`${hash.slice(0, 2)}/${hash}`)) {
      await bucket.remove(name);
      removed += 1;
    }
  }
  return removed;
}
