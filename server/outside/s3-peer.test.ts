/** Against a bucket that others wrote: OpenStack Swift with s3api, from Debian. Skipped where it isn't installed. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { expect, it } from 'vitest';
import { now } from '../clock.ts';
import { closeAtEnd } from '../testing/closers.ts';
import { freePort } from '../testing/test-sandbox.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { openBucket } from './s3-bucket.ts';
import { createS3Files } from './s3-files.ts';
import { signHeaders } from './sign-s3.ts';

const ringBuilder = 'swift-ring-builder';
const hasSwift = spawnSync(ringBuilder).error === undefined;
if (!hasSwift) console.info('Swift is not installed: buckets are only tried against the sandbox.');

const keys = { accessKey: 'test:tester', secretKey: 'testing', region: 'us-east-1' };

/** Four small processes in a folder of their own; the address of the bucket's server. */
async function startSwift(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-swift-'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, 'node/d1'), { recursive: true });
  write(
    'swift.conf',
    '[swift-hash]\nswift_hash_path_prefix = a\nswift_hash_path_suffix = b\n[storage-policy:0]\nname = Policy-0\ndefault = yes\n',
  );
  const common = (port: number) =>
    `[DEFAULT]\ndevices = ${folder}/node\nmount_check = false\nbind_ip = 127.0.0.1\nbind_port = ${port}\nworkers = 0\nuser = ${process.env.USER ?? 'root'}\nswift_dir = ${folder}\n`;
  for (const name of ['account', 'container', 'object']) {
    const port = await freePort();
    write(
      `${name}.conf`,
      `${common(port)}[pipeline:main]\npipeline = app\n[app:app]\nuse = egg:swift#${name}\n`,
    );
    const ring = (...words: string[]) =>
      spawnSync(ringBuilder, [`${name}.builder`, ...words], { cwd: folder });
    ring('create', '4', '1', '1');
    ring('add', `r1z1-127.0.0.1:${port}/d1`, '1');
    ring('rebalance');
  }
  const port = await freePort();
  const filters = ['catch_errors', 'proxy_logging', 'memcache', 's3api', 'tempauth', 'copy', 'dlo', 'slo'];
  write(
    'proxy.conf',
    `${common(port)}[pipeline:main]\npipeline = ${filters.join(' ')} app\n[app:app]\nuse = egg:swift#proxy\nallow_account_management = true\naccount_autocreate = true\n${filters
      .map((name) => `[filter:${name}]\nuse = egg:swift#${name}\n`)
      .join('')
      .replace('#tempauth\n', '#tempauth\nuser_test_tester = testing .admin\n')
      .replace('#s3api\n', '#s3api\nlocation = us-east-1\n')}`,
  );
  const children = ['account', 'container', 'object', 'proxy'].map((name) =>
    spawn(`swift-${name}-server`, [join(folder, `${name}.conf`)], { stdio: 'ignore', detached: true }),
  );
  closeAtEnd(async () => {
    for (const child of children) {
      if (child.exitCode === null && child.pid !== undefined) {
        process.kill(-child.pid, 'SIGKILL');
        await once(child, 'exit');
      }
    }
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntil(async () => (await fetch(`${url}/info`).catch(() => undefined))?.ok === true);
  return url;
}

it.skipIf(!hasSwift)(
  'keeps, lists and deletes files in a bucket of Swift’s, and refuses a wrong secret',
  { timeout: 300_000 },
  async () => {
    const baseUrl = await startSwift();
    const settings = { baseUrl, bucket: 'muster', isPathStyle: true, prefix: 'a/', ...keys };
    const bucket = openBucket(settings);
    const files = createS3Files(settings);
    closeAtEnd(() => Promise.all([bucket.close(), files.close()]).then(() => undefined));
    expect(await files.findProblem()).toBe("The bucket muster can't be written to: it does not exist.");
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
      { name: nameOf(hash), bytes: 300_000 },
    ]);
    await bucket.remove(nameOf(hash));
    await bucket.remove(nameOf(hash));
    expect(await files.read(hash)).toBeUndefined();

    const stranger = createS3Files({ ...settings, secretKey: 'wrong' });
    closeAtEnd(() => stranger.close());
    expect(await stranger.findProblem()).toBe(
      "The bucket muster can't be written to: the keys have no right to.",
    );
  },
);
