/** Files in a bucket: the sandbox simulates it, and computes every signature with its own code. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { closeAtEnd } from '../testing/closers.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { bucketAddress, openBucket } from './s3-bucket.ts';
import { createS3Files } from './s3-files.ts';

let app: TestApp;

beforeAll(async () => {
  app = await testApp();
});

function bucket(name: string, more: Partial<Parameters<typeof createS3Files>[0]> = {}) {
  const settings = {
    baseUrl: `${app.sandbox.url}/s3`,
    bucket: name,
    accessKey: 'sandbox-s3-key',
    secretKey: 'sandbox-s3-secret',
    region: 'us-east-1',
    isPathStyle: true,
    prefix: 'muster/',
    ...more,
  };
  const files = createS3Files(settings, app.dataDir);
  closeAtEnd(() => files.close());
  return files;
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

it('stores files by content, uploads big ones from the disk, and creates derived ones once', async () => {
  const files = bucket('files');
  expect(await files.findProblem()).toBeUndefined();
  const bytes = Buffer.from('a picture');
  expect(await files.save(bytes)).toBe(hashOf(bytes));
  expect(await files.save(bytes)).toBe(hashOf(bytes));
  expect(await files.read(hashOf(bytes))).toEqual(bytes);
  expect(await files.read('0'.repeat(64))).toBeUndefined();

  const big = randomBytes(3 * 1024 * 1024);
  const path = join(app.dataDir, 'recording');
  await writeFile(path, big);
  await files.adopt(path, hashOf(big));
  expect((await files.read(hashOf(big)))?.equals(big)).toBe(true);

  let made = 0;
  const make = async (whole: Buffer) => {
    made += 1;
    return whole.subarray(0, 3);
  };
  expect(await files.derive(hashOf(bytes), '-preview', make)).toEqual(Buffer.from('a p'));
  expect(await files.derive(hashOf(bytes), '-preview', make)).toEqual(Buffer.from('a p'));
  expect(await files.derive('0'.repeat(64), '-preview', make)).toBeUndefined();
  expect(made).toBe(1);
});

it('gives a file as it is read, and parts of it; pieces come one by one, as the reader takes them', async () => {
  const files = bucket('files');
  const big = randomBytes(3 * 1024 * 1024 + 17);
  const hash = await files.save(big);
  const file = await files.open(hash);
  expect(file?.size).toBe(big.length);
  const bytesOf = async (part?: { first: number; last: number }) =>
    Buffer.concat((await file?.stream(part).toArray()) ?? []);
  expect((await bytesOf()).equals(big)).toBe(true);
  for (const [first, last] of [
    [0, 0],
    [5, 1024 * 1024],
    [1024 * 1024 - 1, 1024 * 1024],
    [2_000_000, big.length - 1],
  ] as const)
    expect((await bytesOf({ first, last })).equals(big.subarray(first, last + 1))).toBe(true);
  expect(await files.open('0'.repeat(64))).toBeUndefined();
  const empty = await files.open(await files.save(Buffer.alloc(0)));
  expect([empty?.size, await empty?.stream().toArray()]).toEqual([0, []]);
  await expect(bucket('no-rights').open(hash)).rejects.toThrow('can’t be read from: the keys have no right');
});

it('readers who stall hold no request: others are served, and little is fetched for them', async () => {
  const stored = randomBytes(20 * 1024 * 1024);
  let underWay = 0;
  let sent = 0;
  const server = createServer((request, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const part = stored.subarray(Number(from ?? 0), Number(to ?? stored.length - 1) + 1);
    underWay += 1;
    sent += part.length;
    response.on('close', () => {
      underWay -= 1;
    });
    response.writeHead(from === undefined ? 200 : 206, {
      'content-length': part.length,
      'content-range': `bytes ${from}-${to}/${stored.length}`,
    });
    response.end(part);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closeAtEnd(async () => void server.close());
  const { port } = server.address() as AddressInfo;
  const files = bucket('photos', { baseUrl: `http://127.0.0.1:${port}`, prefix: '' });
  // More than there are connections.
  const stalled = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const stream = (await files.open('ab'.repeat(32)))?.stream();
      if (stream !== undefined) await once(stream, 'readable');
      return stream;
    }),
  );
  await app.until(async () => underWay === 0);
  expect(sent).toBeLessThan(40 * 4 * 1024 * 1024);
  const whole = await (await files.open('cd'.repeat(32)))?.stream().toArray();
  expect(Buffer.concat(whole ?? []).equals(stored)).toBe(true);
  for (const stream of stalled) stream?.destroy();
});

it('a file that is deleted while it is read ends with an error', async () => {
  const files = bucket('files');
  const big = randomBytes(5 * 1024 * 1024);
  const hash = await files.save(big);
  const stream = (await files.open(hash))?.stream();
  const own = openBucket({
    ...{ baseUrl: `${app.sandbox.url}/s3`, bucket: 'files', prefix: 'muster/', isPathStyle: true },
    ...{ accessKey: 'sandbox-s3-key', secretKey: 'sandbox-s3-secret', region: 'us-east-1' },
  });
  closeAtEnd(() => own.close());
  await own.remove(`${hash.slice(0, 2)}/${hash}`);
  await expect(stream?.toArray()).rejects.toThrow('was deleted from the bucket files while it was read.');
});

it.each([
  ['no-rights', {}, 'The bucket no-rights can’t be written to: the keys have no right to.'],
  ['read-only', {}, 'The bucket read-only can’t be written to: the keys have no right to.'],
  ['no-removal', {}, 'The bucket no-removal can’t be deleted from: the keys have no right to.'],
  ['missing', {}, 'The bucket missing can’t be written to: it does not exist.'],
  ['files', { secretKey: 'wrong' }, 'The bucket files can’t be written to: the keys have no right to.'],
  ['files', { baseUrl: 'http://127.0.0.1:9' }, /^The bucket can’t be reached: the connection was refused/],
])('reports a problem with the bucket %s %j', async (name, more, sentence) => {
  const problem = await bucket(name, more).findProblem();
  expect(problem).toEqual(typeof sentence === 'string' ? sentence : expect.stringMatching(sentence));
});

it('Amazon’s bucket has its name in the host, others have it in the path', () => {
  const of = { baseUrl: 'https://s3.us-east-1.amazonaws.com/', bucket: 'photos' };
  expect(bucketAddress({ ...of, isPathStyle: false })).toBe('https://photos.s3.us-east-1.amazonaws.com');
  expect(bucketAddress({ ...of, isPathStyle: true })).toBe('https://s3.us-east-1.amazonaws.com/photos');
});

it('a busy bucket is retried', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(asked.length === 1 ? 503 : 404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closeAtEnd(async () => void server.close());
  const { port } = server.address() as AddressInfo;
  const files = bucket('photos', { baseUrl: `http://127.0.0.1:${port}`, prefix: '' });
  expect(await files.read('ab'.repeat(32))).toBeUndefined();
  expect(asked).toEqual(Array(2).fill(`GET /photos/ab/${'ab'.repeat(32)}`));
});

it('/readyz reports a problem with the files, and stays ready', async () => {
  const logged: string[] = [];
  const lost = await testApp(
    {},
    {
      ...{ S3_URL: `${app.sandbox.url}/s3`, S3_BUCKET: 'no-rights', S3_PATH_STYLE: '1' },
      ...{ S3_ACCESS_KEY: 'sandbox-s3-key', S3_SECRET_KEY: 'sandbox-s3-secret' },
    },
    { logTo: logged },
  );
  const ready = async () =>
    (await fetch(`${lost.url}/readyz`)).json() as Promise<{ status: string; files?: string }>;
  const answer = await lost.until(async () => {
    const said = await ready();
    return said.files !== undefined && said;
  });
  expect(answer).toEqual({
    status: 'ready',
    files: 'The bucket no-rights can’t be written to: the keys have no right to.',
  });
  const said = logged.map((line) => JSON.parse(line).msg).filter((one) => one === answer.files);
  expect(said).toHaveLength(1);
});
