import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { type Dispatcher, Pool } from 'undici';
import { now } from '../clock.ts';
import type { FileStore } from '../files.ts';
import { describeFailure } from './carrier-line.ts';
import { type S3Keys, type S3Request, signHeaders } from './sign-s3.ts';

interface S3Settings extends S3Keys {
  /** https://s3.us-east-1.amazonaws.com, or what speaks its protocol. */
  baseUrl: string;
  bucket: string;
  /** The bucket in the path (most servers of one's own), or in the host's name (Amazon). */
  isPathStyle: boolean;
  /** Begins all names, so that several installations can share a bucket. */
  prefix: string;
}

const connectMs = 5_000;
/** From the request to the head of the answer, and between two pieces of it. */
const answerMs = 30_000;
const tries = 3;
const noBody = createHash('sha256').update('').digest('hex');

/** Where the bucket is, without a slash at its end. */
export function bucketAddress(settings: Pick<S3Settings, 'baseUrl' | 'bucket' | 'isPathStyle'>): string {
  const { baseUrl, bucket, isPathStyle } = settings;
  const { protocol, host, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '');
  return isPathStyle ? `${protocol}//${host}${path}/${bucket}` : `${protocol}//${bucket}.${host}${path}`;
}

/** Files in a bucket that is private: nobody but Muster reads it, and everybody else asks Muster. */
export function createS3Files(settings: S3Settings): FileStore {
  const address = bucketAddress(settings);
  const pool = new Pool(new URL(address).origin, {
    connections: 16,
    connect: { timeout: connectMs },
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
  });
  const urlOf = (name: string) => new URL(`${address}/${settings.prefix}${name}`);
  const nameOf = (hash: string, suffix = '') => `${hash.slice(0, 2)}/${hash}${suffix}`;

  /** One request, tried again when the bucket is slow or busy: a name is a hash, so the same bytes twice do no harm. */
  async function ask(
    request: Omit<S3Request, 'headers'> & { length?: number },
    body?: () => Dispatcher.DispatchOptions['body'],
  ): Promise<Dispatcher.ResponseData> {
    const { length, ...signed } = request;
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await pool.request({
          method: request.method,
          path: request.url.pathname + request.url.search,
          headers: {
            ...signHeaders(signed, settings, now()),
            ...(length === undefined ? {} : { 'content-length': String(length) }),
          },
          body: body?.() ?? null,
        });
        const isBusy = answer.statusCode >= 500 || answer.statusCode === 429;
        if (!isBusy || attempt === tries) return answer;
        await answer.body.dump();
      } catch (error) {
        if (attempt === tries) throw new Error(`The bucket can't be reached: ${describeFailure(error)}.`);
      }
    }
  }

  async function has(name: string): Promise<boolean> {
    const answer = await ask({ method: 'HEAD', url: urlOf(name), bodyHash: noBody });
    await answer.body.dump();
    if (answer.statusCode !== 200 && answer.statusCode !== 404) throw refusal(answer.statusCode, 'read from');
    return answer.statusCode === 200;
  }

  async function put(name: string, bytes: Buffer): Promise<void> {
    const bodyHash = createHash('sha256').update(bytes).digest('hex');
    const answer = await ask(
      { method: 'PUT', url: urlOf(name), bodyHash, length: bytes.length },
      () => bytes,
    );
    await answer.body.dump();
    if (answer.statusCode !== 200) throw refusal(answer.statusCode, 'written to');
  }

  async function get(name: string): Promise<Buffer | undefined> {
    const answer = await ask({ method: 'GET', url: urlOf(name), bodyHash: noBody });
    if (answer.statusCode === 200) return Buffer.from(await answer.body.arrayBuffer());
    await answer.body.dump();
    if (answer.statusCode === 404) return undefined;
    throw refusal(answer.statusCode, 'read from');
  }

  return {
    async save(bytes) {
      const hash = createHash('sha256').update(bytes).digest('hex');
      if (!(await has(nameOf(hash)))) await put(nameOf(hash), bytes);
      return hash;
    },
    /** Streamed from the disk: a recording of fifty megabytes is nobody's memory. */
    async adopt(path, hash) {
      if (!(await has(nameOf(hash)))) {
        const { size } = await stat(path);
        const request = { method: 'PUT', url: urlOf(nameOf(hash)), bodyHash: hash, length: size } as const;
        const answer = await ask(request, () => createReadStream(path));
        await answer.body.dump();
        if (answer.statusCode !== 200) throw refusal(answer.statusCode, 'written to');
      }
      await rm(path);
    },
    read: (hash) => get(nameOf(hash)),
    async derive(hash, suffix, make) {
      const kept = await get(nameOf(hash, suffix));
      if (kept !== undefined) return kept;
      const bytes = await get(nameOf(hash));
      if (bytes === undefined) return undefined;
      const made = await make(bytes);
      await put(nameOf(hash, suffix), made);
      return made;
    },
    async findProblem() {
      try {
        const probe = Buffer.from('Muster can write here.');
        await put('readiness', probe);
        return (await get('readiness'))?.equals(probe) === true
          ? undefined
          : `The bucket ${settings.bucket} doesn't give back what was written to it.`;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    close: () => pool.close(),
  };

  function refusal(status: number, what: string): Error {
    const why =
      status === 403
        ? 'the keys have no right to'
        : status === 404
          ? 'it does not exist'
          : `it answered ${status}`;
    return new Error(`The bucket ${settings.bucket} can't be ${what}: ${why}.`);
  }
}
