import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createFileStore } from './files.ts';

async function store() {
  const folder = await mkdtemp(join(tmpdir(), 'muster-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const list = async () => {
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    return found.filter((entry) => entry.isFile()).map((entry) => entry.name);
  };
  return { files: createFileStore(folder), list, folder };
}

const bytes = Buffer.from('a picture');
const hash = createHash('sha256').update(bytes).digest('hex');

it('keeps bytes under their hash', async () => {
  const { files } = await store();
  expect(await files.save(bytes)).toBe(hash);
  expect(await files.read(hash)).toEqual(bytes);
});

it('gives a file, or a part of it, as it is read', async () => {
  const { files } = await store();
  await files.save(bytes);
  const file = await files.open(hash);
  const read = async (part?: { first: number; last: number }) =>
    String(Buffer.concat((await file?.stream(part).toArray()) ?? []));
  expect([file?.size, await read(), await read({ first: 2, last: 4 })]).toEqual([9, 'a picture', 'pic']);
  expect(await files.open(hash, '-preview')).toBeUndefined();
});

it('keeps the same bytes once, also if they arrive at the same time, and no partial file', async () => {
  const { files, list } = await store();
  await Promise.all(Array.from({ length: 10 }, () => files.save(bytes)));
  expect(await list()).toEqual([hash]);
});

it('does not find other hashes', async () => {
  const { files } = await store();
  expect(await files.read('0'.repeat(64))).toBeUndefined();
  const make = () => Promise.reject(new Error('nothing to make it from'));
  expect(await files.derive('0'.repeat(64), '-preview', make)).toBeUndefined();
});

it('creates a derived file once and keeps it', async () => {
  const { files } = await store();
  await files.save(bytes);
  let made = 0;
  const make = async (whole: Buffer) => {
    made += 1;
    return Buffer.concat([whole, Buffer.from(', small')]);
  };
  for (let time = 0; time < 3; time += 1) {
    expect(String(await files.derive(hash, '-preview', make))).toBe('a picture, small');
  }
  expect(made).toBe(1);
  expect(await files.read(hash)).toEqual(bytes);
});

it('keeps nothing of a derived file that could not be created', async () => {
  const { files, list } = await store();
  await files.save(bytes);
  await expect(files.derive(hash, '-preview', () => Promise.reject(new Error('broken')))).rejects.toThrow();
  expect(await list()).toEqual([hash]);
});

it('is readable only by the owner of the process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = createFileStore(join(folder, 'media'));
  await files.save(bytes);
  await files.derive(hash, '-preview', async () => bytes);
  const modeOf = async (path: string) => ((await stat(join(folder, path))).mode & 0o777).toString(8);
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  expect(found).toHaveLength(4);
  for (const entry of found) {
    const path = join(entry.parentPath, entry.name).slice(folder.length);
    expect([path, await modeOf(path)]).toEqual([path, entry.isFile() ? '600' : '700']);
  }
});

it('keeps files private to the server, also those it takes over', async () => {
  const { files, folder } = await store();
  const path = join(folder, 'came');
  await writeFile(path, bytes, { mode: 0o644 });
  await files.adopt(path, hash);
  expect(await files.read(hash)).toEqual(bytes);
  const other = await files.save(Buffer.from('another'));
  for (const name of [hash, other]) {
    expect(((await stat(join(folder, name.slice(0, 2), name))).mode & 0o777).toString(8)).toBe('600');
  }
});
