import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import { now } from '../clock.ts';
import { describeFailure } from './carrier-line.ts';
import { type S3Keys, type S3Request, signHeaders } from './sign-s3.ts';

export interface S3Settings extends S3Keys {
  /** https://s3.us-east-1.amazonaws.com, or another server with its protocol. */
  baseUrl: string;
  bucket: string;
  /** The bucket in the path (most self-hosted servers), or in the host's name (Amazon). */
  isPathStyle: boolean;
  /** Prefix of all names, so that several installations can share a bucket. */
  prefix: string;
}

const connectMs = 5_000;
/** From the request to the head of the response, and between two pieces of it. */
const answerMs = 30_000;
const tries = 3;
const noBody = createHash('sha256').update('').digest('hex');

/** The bucket's URL, without a trailing slash. */
export function bucketAddress(settings: Pick<S3Settings, 'baseUrl' | 'bucket' | 'isPathStyle'>): string {
  const { baseUrl, bucket, isPathStyle } = settings;
  const { protocol, host, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '');
  return isPathStyle ? `${protocol}//${host}${path}/${bucket}` : `${protocol}//${bucket}.${host}${path}`;
}

/**
 * A private bucket, addressed by the names in it: a file is called `ab/abcd…`, by its hash, and derived files
 * begin with that.
 */
export interface Bucket {
  name: string;
  has(name: string): Promise<boolean>;
  read(name: string): Promise<Buffer | undefined>;
  write(name: string, bytes: Buffer): Promise<void>;
  /** Streamed: a recording of fifty megabytes is never in memory as a whole. */
  stream(name: string, of: { hash: string; length: number; open: () => Readable }): Promise<void>;
  /** All names with this prefix, sorted by name. */
  list(beginning: string): AsyncGenerator<{ name: string; bytes: number }>;
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

/** The problem with the bucket, as a message for the operator. */
export class BucketRefused extends Error {
  override name = 'BucketRefused';
}

export function openBucket(settings: S3Settings): Bucket {
  const address = bucketAddress(settings);
  const pool = new Pool(new URL(address).origin, {
    connections: 16,
    connect: { timeout: connectMs },
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
  });
  const urlOf = (name: string) => new URL(`${address}/${settings.prefix}${name}`);

  /**
   * One request, retried when the bucket is slow or busy: a name is a hash, so the same bytes twice do no
   * harm.
   */
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
        if (attempt === tries)
          throw new BucketRefused(`The bucket can’t be reached: ${describeFailure(error)}.`);
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

  async function* list(beginning: string): AsyncGenerator<{ name: string; bytes: number }> {
    for (let token = ''; ; ) {
      const url = new URL(address);
      url.searchParams.set('list-type', '2');
      url.searchParams.set('prefix', settings.prefix + beginning);
      if (token !== '') url.searchParams.set('continuation-token', token);
      const answer = await ask({ method: 'GET', url, bodyHash: noBody });
      const xml = await answer.body.text();
      if (answer.statusCode !== 200) throw refusal(answer.statusCode, 'listed');
      for (const [, entry = ''] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const key = readTag(entry, 'Key');
        if (key.startsWith(settings.prefix))
          yield { name: key.slice(settings.prefix.length), bytes: Number(readTag(entry, 'Size')) };
      }
      token = readTag(xml, 'NextContinuationToken');
      if (token === '') return;
    }
  }

  return {
    name: settings.bucket,
    has,
    read: get,
    write: put,
    async stream(name, { hash, length, open }) {
      const answer = await ask({ method: 'PUT', url: urlOf(name), bodyHash: hash, length }, open);
      await answer.body.dump();
      if (answer.statusCode !== 200) throw refusal(answer.statusCode, 'written to');
    },
    list,
    async remove(name) {
      const answer = await ask({ method: 'DELETE', url: urlOf(name), bodyHash: noBody });
      await answer.body.dump();
      // Not found counts as deleted.
      if (answer.statusCode >= 300 && answer.statusCode !== 404)
        throw refusal(answer.statusCode, 'deleted from');
    },
    close: () => pool.close(),
  };

  function refusal(status: number, what: string): BucketRefused {
    const why =
      status === 403
        ? 'the keys have no right to'
        : status === 404
          ? 'it does not exist'
          : `it answered ${status}`;
    return new BucketRefused(`The bucket ${settings.bucket} can’t be ${what}: ${why}.`);
  }
}

/** The text of a tag; '' without one. S3's responses have no other relevant structure. */
function readTag(xml: string, tag: string): string {
  const text = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? '';
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: keyof typeof entities) => entities[name]);
}

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" } as const;
