/**
 * Tests with another bucket server: OpenStack Swift with s3api and tempauth, from Debian (swift-proxy,
 * swift-account, swift-container, swift-object), whose user is test:tester with the key "testing".
 * S3_PEER_URL is its URL; skipped without it. The test creates the bucket "muster", so it must not exist yet.
 */
import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { expect, it } from 'vitest';
import { now } from '../clock.ts';
import { closeAtEnd } from '../testing/closers.ts';
import { openBucket } from './s3-bucket.ts';
import { createS3Files } from './s3-files.ts';
import { signHeaders } from './sign-s3.ts';

const baseUrl = process.env.S3_PEER_URL ?? '';
if (baseUrl === '') console.info('S3_PEER_URL names no Swift: buckets are only tried against the sandbox.');

const keys = { accessKey: 'test:tester', secretKey: 'testing', region: 'us-east-1' };

it.skipIf(baseUrl === '')(
  'stores, lists and deletes files in a Swift bucket, and refuses a wrong secret',
  { timeout: 60_000 },
  async () => {
    const settings = { baseUrl, bucket: 'muster', isPathStyle: true, prefix: 'a/', ...keys };
    const bucket = openBucket(settings);
    const files = createS3Files(settings, tmpdir());
    closeAtEnd(() => Promise.all([bucket.close(), files.close()]).then(() => undefined));
    expect(await files.findProblem()).toBe('The bucket muster can’t be written to: it does not exist.');
    const pool = new Pool(baseUrl);
    closeAtEnd(() => pool.close());
    const bodyHash = createHash('sha256').update('').digest('hex');
    const url = new URL(`${baseUrl}/muster`);
    const made = await pool.request({
      ...{ method: 'PUT', path: '/muster' },
      headers: signHeaders({ method: 'PUT', url, bodyHash }, keys, now()),
    });
    expect(made.statusCode).toBe(200);
    await made.body.dump();

    expect(await files.findProblem()).toBeUndefined();
    const picture = randomBytes(300_000);
    const hash = await files.save(picture);
    expect((await files.read(hash))?.equals(picture)).toBe(true);
    expect(await files.read('0'.repeat(64))).toBeUndefined();
    const path = join(tmpdir(), `muster-recording-${hash.slice(0, 8)}`);
    const sound = randomBytes(2_000_000);
    const soundHash = createHash('sha256').update(sound).digest('hex');
    await writeFile(path, sound);
    await files.adopt(path, soundHash);
    expect((await files.read(soundHash))?.equals(sound)).toBe(true);
    const names = async () => (await Array.fromAsync(bucket.list(''), ({ name }) => name)).sort();
    const nameOf = (one: string) => `${one.slice(0, 2)}/${one}`;
    expect(await names()).toEqual([nameOf(hash), nameOf(soundHash), 'readiness'].sort());
    expect(await Array.fromAsync(bucket.list(nameOf(hash)))).toEqual([
      { name: nameOf(hash), bytes: 300_000, at: expect.any(Number) },
    ]);
    await bucket.remove(nameOf(hash));
    await bucket.remove(nameOf(hash));
    expect(await files.read(hash)).toBeUndefined();

    const stranger = createS3Files({ ...settings, secretKey: 'wrong' }, tmpdir());
    closeAtEnd(() => stranger.close());
    expect(await stranger.findProblem()).toBe(
      'The bucket muster can’t be written to: the keys have no right to.',
    );
  },
);
