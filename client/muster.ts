import { type Operations, operations } from './operations.gen.ts';

/**
 * A client for Muster's API: every call that an API key can make, with its types. It repeats what is safe to repeat, and
 * makes everything else safe with an Idempotency-Key.
 */
export interface MusterOptions {
  /** Address of Muster: https://muster.example.org */
  url: string;
  /** An API key: mk_live_… */
  key: string;
  /** Number of retries after a lost connection, 429, 502, 503 or 504. The default is 3. */
  retries?: number;
  /** Time that a call may take before it counts as lost. The default is 30 seconds. */
  timeoutMs?: number;
  /** Another fetch, for tests and proxies. */
  fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  /** To repeat a call by yourself with one effect. Without it the client makes one up for each call. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** Types in which a file can be sent. */
export type FileBody = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string;

/** Muster's refusal of a call. `message` says what to do. */
export class MusterError extends Error {
  override readonly name = 'MusterError';
  readonly status: number;
  /** ErrorCode of the reply; 0 where there was none. */
  readonly code: number;
  /** Problems by field. */
  readonly errors: readonly { Field: string; Message: string }[];
  readonly extendedData: unknown;
  /** For whoever looks into Muster's log. */
  readonly requestId: string | undefined;

  constructor(response: Response, body: unknown) {
    const { ErrorCode, Message, Errors, ExtendedData } = (body ?? {}) as {
      ErrorCode?: number;
      Message?: string;
      Errors?: { Field: string; Message: string }[];
      ExtendedData?: unknown;
    };
    super(Message ?? `Muster answered with ${response.status}.`);
    this.status = response.status;
    this.code = ErrorCode ?? 0;
    this.errors = Errors ?? [];
    this.extendedData = ExtendedData;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
  }
}

interface Input {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

type Definition = readonly [method: string, path: string, file?: 'upload' | 'download'];

/** The calls by domain: `muster.contacts.addContact({ body: { … } })`. */
export function createMuster(options: MusterOptions): Operations {
  return Object.fromEntries(
    Object.entries(operations).map(([group, calls]) => [
      group,
      Object.fromEntries(
        Object.entries(calls as Record<string, Definition>).map(([name, definition]) => [
          name,
          (input: Input = {}, call: CallOptions = {}) => send(options, definition, input, call),
        ]),
      ),
    ]),
  ) as unknown as Operations;
}

/** Everything of a list, page by page: `for await (const contact of each((next) => muster.…({ query: { next } })))`. */
export async function* each<Item>(
  page: (next: string | undefined) => Promise<{ Items: Item[]; Next?: string | null }>,
): AsyncGenerator<Item> {
  let next: string | null | undefined;
  do {
    const { Items, Next } = await page(next ?? undefined);
    yield* Items;
    next = Next;
  } while (next);
}

/** They say nothing about the call itself: the same one may well succeed a little later. */
const passing = new Set([429, 502, 503, 504]);
/** A request with the same Idempotency-Key is still running. */
const stillRunning = 1018;
const longestWaitMs = 60_000;

async function send(
  options: MusterOptions,
  definition: Definition,
  input: Input,
  call: CallOptions,
): Promise<unknown> {
  const request = requestOf(options, definition, input, call);
  const most = options.retries ?? 3;
  for (let tried = 0; ; tried += 1) {
    const outcome = await attempt(options, request, call);
    if (outcome instanceof Response) {
      if (outcome.ok) return definition[2] === 'download' ? outcome : readReply(outcome);
      const error = new MusterError(outcome, await outcome.json().catch(() => undefined));
      const mayPass = passing.has(error.status) || error.code === stillRunning;
      if (!mayPass || tried >= most) throw error;
      await wait(waitMs(tried, outcome.headers.get('retry-after')), call.signal);
    } else {
      if (tried >= most || call.signal?.aborted) throw outcome.lost;
      await wait(waitMs(tried, null), call.signal);
    }
  }
}

function requestOf(
  { url, key }: MusterOptions,
  [method, path, file]: Definition,
  { params = {}, query = {}, body }: Input,
  { idempotencyKey }: CallOptions,
): { address: string; init: RequestInit } {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (params[name] === undefined) throw new TypeError(`${path} needs params.${name}`);
    return encodeURIComponent(String(params[name]));
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== null && item !== '') search.append(name, String(item));
  }
  const address = `${url.replace(/\/+$/, '')}/api/v1${filled}${search.size > 0 ? `?${search}` : ''}`;
  const headers: Record<string, string> = { authorization: `Bearer ${key}` };
  // The same one at each repetition, so that the call has one effect however often it is sent.
  if (method !== 'GET') headers['idempotency-key'] = idempotencyKey ?? crypto.randomUUID();
  if (body === undefined) return { address, init: { method, headers } };
  headers['content-type'] = file === 'upload' ? 'application/octet-stream' : 'application/json';
  return {
    address,
    init: { method, headers, body: file === 'upload' ? (body as FileBody) : JSON.stringify(body) },
  };
}

async function attempt(
  { fetch = globalThis.fetch, timeoutMs = 30_000 }: MusterOptions,
  { address, init }: { address: string; init: RequestInit },
  { signal }: CallOptions,
): Promise<Response | { lost: unknown }> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    return await fetch(address, {
      ...init,
      signal: signal === undefined ? late : AbortSignal.any([late, signal]),
    });
  } catch (lost) {
    return { lost };
  }
}

async function readReply(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

/** As long as Muster says; otherwise half a second, doubling, and up to as much again so that not all come at once. */
function waitMs(tried: number, retryAfter: string | null): number {
  const asked = Number(retryAfter);
  if (retryAfter !== null && Number.isFinite(asked)) return Math.min(longestWaitMs, asked * 1000);
  return Math.min(longestWaitMs, 500 * 2 ** tried * (1 + Math.random()));
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
