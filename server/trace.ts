import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';

/**
 * Reports to a collector how long each part of the work took. It exists only if OTEL_EXPORTER_OTLP_ENDPOINT
 * is set (server/outside/tracing.ts); without it none of its code is loaded. Contains names of calls, jobs
 * and tables, ids, statuses and hosts: never a body, a URL with its values, a phone, a statement's values or
 * a secret.
 */
export interface Tracing {
  /** A call that begins, as a part of the trace in its caller's `traceparent`. */
  startCall(about: { name: string; method: string; route: string; traceparent: string | undefined }): Span;
  job<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Undefined when nobody requested it: a check every second would fill any collector. */
  startQuery(about: { operation: string; table: string | undefined }): Pick<Span, 'end'> | undefined;
  stop(): Promise<void>;
}

export interface Span {
  traceId: string;
  run<T>(work: () => T): T;
  end(about?: { status?: number; account?: number | undefined; error?: unknown }): void;
}

let tracing: Tracing | undefined;

/** Before the database is opened and routes are registered. */
export function beginTracing(given: Tracing): void {
  tracing = given;
}

export async function stopTracing(): Promise<void> {
  const stopped = tracing;
  tracing = undefined;
  await stopped?.stop();
}

export function inJob<T>(name: string, work: () => Promise<T>): Promise<T> {
  return tracing === undefined ? work() : tracing.job(name, work);
}

const spans = new WeakMap<FastifyRequest, Span>();
/** The caller's trace, for requests that we make meanwhile: passed on even if nothing is collected. */
const passedOn = new AsyncLocalStorage<string>();
let isPassingOn = false;

/** W3C Trace Context: the trace that a request is a part of, and its parent span. */
const wellFormed = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

/** Every route with a name. */
export function traceCalls(http: FastifyInstance): void {
  http.addHook('onResponse', async (request, { statusCode: status }) => {
    spans.get(request)?.end({ status, account: request.actor?.accountId });
  });
  http.addHook('onRoute', (route) => {
    const name = route.config?.callName;
    if (name === undefined) return;
    const plain = route.handler;
    route.handler = function handle(request, reply) {
      const traceparent = traceparentOf(request);
      const work = () => plain.call(this, request, reply);
      if (tracing !== undefined) {
        const span = tracing.startCall({ name, method: request.method, route: route.url, traceparent });
        spans.set(request, span);
        return span.run(work);
      }
      if (traceparent === undefined) return work();
      passOn();
      return passedOn.run(traceparent, work);
    };
  });
}

/** The trace of this request, so that its log lines are found. */
export function traceIdOf(request: FastifyRequest): string | undefined {
  return spans.get(request)?.traceId ?? traceparentOf(request)?.split('-')[1];
}

function traceparentOf({ headers }: FastifyRequest): string | undefined {
  const said = headers.traceparent;
  return typeof said === 'string' && wellFormed.test(said) ? said : undefined;
}

function passOn(): void {
  if (isPassingOn) return;
  isPassingOn = true;
  subscribe('undici:request:create', (message) => {
    const traceparent = passedOn.getStore();
    if (traceparent === undefined) return;
    (message as { request: { addHeader(name: string, value: string): void } }).request.addHeader(
      'traceparent',
      traceparent,
    );
  });
}

const firstWord = /^\s*(?:\/\*.*?\*\/\s*)*([a-z]+)/i;
const firstTable = /\b(?:from|into|update)\s+(?:only\s+)?"?([a-z_]+)"?/i;

/** Makes a new connection report how long each statement took. Its text and values are not reported. */
export function traceQueries(client: pg.PoolClient): void {
  if (tracing === undefined) return;
  const plain = client.query.bind(client) as (...parts: unknown[]) => unknown;
  const query = (...parts: unknown[]) => {
    const [text] = parts;
    if (tracing === undefined || typeof text !== 'string') return plain(...parts);
    const span = tracing.startQuery({
      operation: firstWord.exec(text)?.[1]?.toLowerCase() ?? 'query',
      table: firstTable.exec(text)?.[1],
    });
    const answer = plain(...parts);
    if (span === undefined || !(answer instanceof Promise)) return answer;
    answer.then(
      () => span.end(),
      (error: unknown) => span.end({ error }),
    );
    return answer;
  };
  client.query = query as typeof client.query;
}
