import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { ProcessorError } from './card-processor.ts';
import { describeFailure, isRecord, parseObject } from './carrier-line.ts';

/** The version of the API descriptions that this client was written for. */
const version = '2023-08-16';
const tries = 3;
const mostReplyBytes = 4 * 1024 * 1024;

export type StripeObject = Record<string, unknown>;
/** Values of a form; callers write nested names with brackets. */
type Form = Record<string, string | number | boolean | undefined>;

export interface StripeLine {
  get(path: string, query?: Form): Promise<StripeObject>;
  post(path: string, form: Form, key?: string): Promise<StripeObject>;
  close(): Promise<void>;
}

/** A card error contains its intent. */
export class StripeCardError extends Error {
  override name = 'StripeCardError';
  readonly error: StripeObject;
  constructor(error: StripeObject) {
    super('the card was refused');
    this.error = error;
  }
}

/**
 * Stripe over HTTP: forms with brackets, a key that makes repeating a request safe, and a fixed version. A
 * request without a complete response is repeated with the same key; if the result stays unknown, it is a
 * ProcessorError of the kind "lost".
 */
export function openStripeLine({
  baseUrl,
  secretKey,
  timeoutMs,
}: {
  baseUrl: string;
  secretKey: string;
  timeoutMs: number;
}): StripeLine {
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const pool = new Pool(base.origin, {
    connections: 32,
    allowH2: false,
    connect: { timeout: 5_000 },
    maxResponseSize: mostReplyBytes,
  });
  const headers = {
    authorization: `Bearer ${secretKey}`,
    'stripe-version': version,
    accept: 'application/json',
    'user-agent': 'Muster',
  };

  async function once(
    method: 'GET' | 'POST',
    path: string,
    { body, key }: { body?: string; key?: string | undefined },
  ): Promise<StripeObject> {
    let status: number;
    let text: string;
    try {
      const reply = await pool.request({
        method,
        path: prefix + path,
        headers: {
          ...headers,
          ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      status = reply.statusCode;
      text = await reply.body.text();
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError')
        throw new ProcessorError('lost', 'timeout', 'no answer in time');
      throw new ProcessorError('lost', 'connection', describeFailure(error));
    }
    return readReply(status, text);
  }

  async function again(
    method: 'GET' | 'POST',
    path: string,
    options: { body?: string; key?: string | undefined },
  ): Promise<StripeObject> {
    // Without a key, a repeat could do a thing twice.
    const most = method === 'GET' || options.key !== undefined ? tries : 1;
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(method, path, options);
      } catch (error) {
        const isLost = error instanceof ProcessorError && error.kind === 'lost';
        // A cut connection or a busy processor is retried; after a time-out there is no retry.
        if (!isLost || error.code === 'timeout' || attempt >= most) throw error;
        await delay(100 * attempt);
      }
    }
  }

  let closing: Promise<void> | undefined;
  return {
    get: (path, query) => again('GET', path + (query ? `?${encode(query)}` : ''), {}),
    post: (path, form, key) => again('POST', path, { body: encode(form), key }),
    // A program that is stopped twice closes it once.
    close: () => {
      closing ??= pool.close();
      return closing;
    },
  };
}

function encode(form: Form): string {
  const pairs = Object.entries(form).filter(([, value]) => value !== undefined);
  return new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
}

function readReply(status: number, text: string): StripeObject {
  const reply = parseObject(text);
  if (status >= 200 && status < 300) {
    if (reply === undefined) throw new ProcessorError('lost', 'unreadable', 'the reply was not JSON');
    return reply;
  }
  const error = isRecord(reply?.error) ? reply.error : {};
  const code = String(error.code ?? error.type ?? status);
  if (status === 402 || error.type === 'card_error') throw new StripeCardError(error);
  const isBusy = status === 409 || status === 429 || status >= 500;
  // The processor's own words may repeat the request: its code is enough.
  throw new ProcessorError(isBusy ? 'lost' : 'refused', code, `the processor answered ${status} ${code}`);
}
