import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import { now } from '../clock.ts';
import type { FilePart, StoredFile } from '../files.ts';
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
/**
 * A file is fetched in pieces of this size, each by a request of its own and only when its reader takes it. So
 * a reader who stalls holds a piece in memory, and neither a request nor a connection.
 */
const pieceBytes = 1024 * 1024;
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
  open(name: string): Promise<StoredFile | undefined>;
  write(name: string, bytes: Buffer): Promise<void>;
  /** Streamed: a recording of fifty megabytes is never in memory as a whole. */
  stream(name: string, of: { hash: string; length: number; open: () => Readable }): Promise<void>;
  /** All names with this prefix, sorted by name, with when each was written. */
  list(beginning: string): AsyncGenerator<Listed>;
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

interface Listed {
  name: string;
  bytes: number;
  at: number;
}

/** The problem with the bucket, as a message for the operator. */
export class BucketRefused extends Error {
  override name = 'BucketRefused';
}

/** A file that was there when its reader began: somebody erased it meanwhile. */
export class DeletedMeanwhile extends BucketRefused {}

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
    request: Omit<S3Request, 'headers'> & { length?: number; range?: string },
    body?: () => Dispatcher.DispatchOptions['body'],
  ): Promise<Dispatcher.ResponseData> {
    const { length, range, ...signed } = request;
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await pool.request({
          method: request.method,
          path: request.url.pathname + request.url.search,
          headers: {
            ...signHeaders(signed, settings, now()),
            ...(length === undefined ? {} : { 'content-length': String(length) }),
            ...(range === undefined ? {} : { range }),
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
    if (answer.statusCode === 200) return bytesOf(answer);
    await answer.body.dump();
    if (answer.statusCode === 404) return undefined;
    throw refusal(answer.statusCode, 'read from');
  }

  /** The next bytes from this position, and the size of the whole file. */
  async function getPiece(name: string, at: number): Promise<{ bytes: Buffer; size: number } | undefined> {
    const range = `bytes=${at}-${at + pieceBytes - 1}`;
    const answer = await ask({ method: 'GET', url: urlOf(name), bodyHash: noBody, range });
    const { statusCode, headers } = answer;
    // A server that knows no ranges sends the whole file.
    if (statusCode === 200 || statusCode === 206) {
      const bytes = await bytesOf(answer);
      const [, size] = /\/(\d+)$/.exec(String(headers['content-range'] ?? '')) ?? [];
      return { bytes, size: statusCode === 206 && size !== undefined ? Number(size) : bytes.length };
    }
    await answer.body.dump();
    if (statusCode === 404) return undefined;
    // An empty file has no first byte.
    if (statusCode === 416) return { bytes: Buffer.alloc(0), size: 0 };
    throw refusal(statusCode, 'read from');
  }

  async function open(name: string): Promise<StoredFile | undefined> {
    const start = await getPiece(name, 0);
    if (start === undefined) return undefined;
    const { bytes: firstBytes, size } = start;
    async function* pieces({ first, last }: FilePart) {
      for (let at = first; at <= last; ) {
        const piece = at < firstBytes.length ? firstBytes.subarray(at) : (await getPiece(name, at))?.bytes;
        if (piece === undefined || piece.length === 0)
          throw new DeletedMeanwhile(
            `${name} was deleted from the bucket ${settings.bucket} while it was read.`,
          );
        yield piece.subarray(0, last + 1 - at);
        at += piece.length;
      }
    }
    return {
      size,
      stream: (part = { first: 0, last: size - 1 }) => Readable.from(pieces(part), { objectMode: false }),
    };
  }

  async function* list(beginning: string): AsyncGenerator<Listed> {
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
          yield {
            name: key.slice(settings.prefix.length),
            bytes: Number(readTag(entry, 'Size')),
            at: Date.parse(readTag(entry, 'LastModified')),
          };
      }
      token = readTag(xml, 'NextContinuationToken');
      if (token === '') return;
    }
  }

  return {
    name: settings.bucket,
    has,
    read: get,
    open,
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

async function bytesOf({ body }: Dispatcher.ResponseData): Promise<Buffer> {
  try {
    return Buffer.from(await body.arrayBuffer());
  } catch (error) {
    throw new BucketRefused(`The bucket can’t be reached: ${describeFailure(error)}.`);
  }
}

/** The text of a tag; '' without one. S3's responses have no other relevant structure. */
function readTag(xml: string, tag: string): string {
  const text = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? '';
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: keyof typeof entities) => entities[name]);
}

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" } as const;
