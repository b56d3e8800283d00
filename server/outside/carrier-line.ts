import { type Dispatcher, Pool } from 'undici';
import { nowMs } from '../clock.ts';

/** The result of one request, by the only criterion that matters for a text: may it have arrived? */
export type Exchange =
  | { kind: 'reply'; status: number; text: string; retryAfterMs: number | null }
  /** Not a byte of the request was written. */
  | { kind: 'unsent'; reason: string }
  /** It was written at least in part, and no complete response arrived. */
  | { kind: 'lost'; reason: string };

/** One carrier's connections, kept alive. Its secrets are in here and never in an error or a reason. */
export interface CarrierLine {
  origin: string;
  pool: Pool;
  headers: Record<string, string>;
  /** `path` is relative to the base address. */
  post(path: string, contentType: string, body: string): Promise<Exchange>;
  get(path: string): Promise<Exchange>;
  put(path: string, contentType: string, body: string): Promise<Exchange>;
  delete(path: string): Promise<Exchange>;
  /** A path from the carrier, relative to the root of its host. */
  getFromRoot(path: string): Promise<Exchange>;
  close(): Promise<void>;
}

const connectMs = 2_000;
/** The whole request, from the first byte written to the last byte read, including connecting. */
const wholeMs = 5_000;
/**
 * After this long no further request of one `hand` is started, so that it ends within 9 seconds: texts are
 * leased for 12, and a worker that holds them longer is assumed dead.
 */
export const handMs = 4_000;
/** A response for 2,000 texts has some 600 kB. */
const mostReplyBytes = 16 * 1024 * 1024;

export function openCarrierLine(baseUrl: string, authorization: string): CarrierLine {
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  // As many connections as there are active requests, so that none waits in a queue with its time running;
  // callers limit their number. HTTP/2 is off: over it, it is unknown whether a request was written.
  const pool = new Pool(base.origin, {
    connections: null,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: connectMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: mostReplyBytes,
  });
  const headers = { authorization, accept: 'application/json', 'user-agent': 'Muster' };
  let closing: Promise<void> | undefined;
  return {
    origin: base.origin,
    pool,
    headers,
    post: (path, contentType, body) =>
      exchange(pool, {
        method: 'POST',
        path: prefix + path,
        headers: { ...headers, 'content-type': contentType },
        body,
      }),
    get: (path) => exchange(pool, { method: 'GET', path: prefix + path, headers }),
    put: (path, contentType, body) =>
      exchange(pool, {
        method: 'PUT',
        path: prefix + path,
        headers: { ...headers, 'content-type': contentType },
        body,
      }),
    delete: (path) => exchange(pool, { method: 'DELETE', path: prefix + path, headers }),
    getFromRoot: (path) => exchange(pool, { method: 'GET', path, headers }),
    // A program that is stopped twice closes it once.
    close: () => {
      closing ??= pool.close();
      return closing;
    },
  };
}

/**
 * undici reports when it begins to write (onRequestStart), which its promises don't: that moment separates
 * "certainly not accepted" from "may have been accepted". Never rejects.
 */
function exchange(pool: Pool, options: Dispatcher.DispatchOptions): Promise<Exchange> {
  return new Promise((resolve) => {
    let isStarted = false;
    let isOver = false;
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let retryAfterMs: number | null = null;
    const chunks: Buffer[] = [];
    const end = (result: Exchange) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      resolve(result);
    };
    const fail = (reason: string) => end({ kind: isStarted ? 'lost' : 'unsent', reason });
    const timer = setTimeout(() => {
      fail(isStarted ? 'no answer in 5 seconds' : 'no connection in 5 seconds');
      controller?.abort(new Error('time-out'));
    }, wholeMs);
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(given) {
        // A request that was given up while it waited for a connection must not be sent any more.
        if (isOver) return given.abort(new Error('given up'));
        controller = given;
        isStarted = true;
      },
      onResponseStart(_, statusCode, replyHeaders) {
        if (statusCode < 200) return;
        status = statusCode;
        retryAfterMs = readRetryAfter(replyHeaders['retry-after']);
      },
      onResponseData(_, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        const whole = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
        end({ kind: 'reply', status, text: whole?.toString('utf8') ?? '', retryAfterMs });
      },
      onResponseError(_, error) {
        fail(describeFailure(error));
      },
    };
    try {
      pool.dispatch(options, handler);
    } catch (error) {
      fail(describeFailure(error));
    }
  });
}

const plainReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name could not be looked up',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in 2 seconds',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
};

/** The code alone: error messages may contain URLs, and with them the webhook secret. */
export function describeFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
  return `${plainReasons[code] ?? 'the connection failed'} (${code})`;
}

const longestWaitMs = 3_600_000;

/** Seconds or a date; null without a usable one. */
function readRetryAfter(header: string | string[] | undefined): number | null {
  const value = Array.isArray(header) ? header[0] : header;
  if (value === undefined || value === '') return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs();
  return ms > 0 ? Math.min(ms, longestWaitMs) : null;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Undefined if the text isn't a JSON object. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
