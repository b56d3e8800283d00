import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import {
  type Attributes,
  type Context,
  context,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import {
  ATTR_DB_COLLECTION_NAME,
  ATTR_DB_OPERATION_NAME,
  ATTR_DB_SYSTEM_NAME,
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_SERVICE_NAME,
  ATTR_URL_SCHEME,
} from '@opentelemetry/semantic-conventions';
import type { Span, Tracing } from '../trace.ts';

/** Spans for a collector with OTLP over HTTP. Its other settings are OpenTelemetry's own (OTEL_…). */
export function createTracing({ endpoint, role }: { endpoint: string; role: string }): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      [ATTR_SERVICE_NAME]: process.env.OTEL_SERVICE_NAME ?? 'muster',
      'muster.role': role,
    }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  // Only the trace itself is passed on: callers' additional data (baggage) is private.
  provider.register({ propagator: null });
  const tracer = provider.getTracer('muster');
  const stopRequests = traceRequests((name, attributes) =>
    tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }),
  );

  return {
    startCall({ name, method, route, traceparent }) {
      const span = tracer.startSpan(
        name,
        {
          kind: SpanKind.SERVER,
          attributes: { [ATTR_HTTP_REQUEST_METHOD]: method, [ATTR_HTTP_ROUTE]: route },
        },
        parentOf(traceparent),
      );
      return toSpan(span);
    },
    async job(name, work) {
      const span = toSpan(tracer.startSpan(name, { kind: SpanKind.CONSUMER, root: true }));
      try {
        const result = await span.run(work);
        span.end();
        return result;
      } catch (error) {
        span.end({ error });
        throw error;
      }
    },
    startQuery({ operation, table }) {
      if (trace.getActiveSpan() === undefined) return undefined;
      const attributes: Attributes = {
        [ATTR_DB_SYSTEM_NAME]: 'postgresql',
        [ATTR_DB_OPERATION_NAME]: operation,
        ...(table === undefined ? {} : { [ATTR_DB_COLLECTION_NAME]: table }),
      };
      const name = table === undefined ? operation : `${operation} ${table}`;
      return toSpan(tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }));
    },
    async stop() {
      stopRequests();
      await provider.shutdown().catch(() => undefined);
      trace.disable();
      context.disable();
    },
  };
}

function parentOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = traceparent?.split('-') ?? [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  const parent: SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags ?? '0', 16),
    isRemote: true,
  };
  return trace.setSpanContext(ROOT_CONTEXT, parent);
}

function toSpan(span: OtelSpan): Span {
  return {
    traceId: span.spanContext().traceId,
    run: (work) => context.with(trace.setSpan(context.active(), span), work),
    end({ status, account, error } = {}) {
      if (status !== undefined) span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, status);
      if (account !== undefined) span.setAttribute('muster.account_id', account);
      if (error !== undefined) span.setAttribute(ATTR_ERROR_TYPE, kindOf(error));
      if (error !== undefined || (status ?? 0) >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** The message of an error may contain a value. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error ? String(error.code) : error.name;
}

interface OutgoingRequest {
  origin: string | URL;
  method: string;
  addHeader(name: string, value: string): void;
}

/**
 * Every request made for a call or a job. Paths and queries contain phones and keys, so only the host is
 * recorded.
 */
function traceRequests(start: (name: string, attributes: Attributes) => OtelSpan): () => void {
  const spans = new WeakMap<OutgoingRequest, OtelSpan>();
  const listeners: Record<string, (message: unknown) => void> = {
    'undici:request:create': (message) => {
      if (trace.getActiveSpan() === undefined) return;
      const { request } = message as { request: OutgoingRequest };
      const { hostname, port, protocol } = new URL(String(request.origin));
      const span = start(`${request.method} ${hostname}`, {
        [ATTR_HTTP_REQUEST_METHOD]: request.method,
        [ATTR_SERVER_ADDRESS]: hostname,
        [ATTR_SERVER_PORT]: Number(port || (protocol === 'https:' ? 443 : 80)),
        [ATTR_URL_SCHEME]: protocol.slice(0, -1),
      });
      spans.set(request, span);
      const { traceId, spanId, traceFlags } = span.spanContext();
      request.addHeader('traceparent', `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`);
    },
    'undici:request:headers': (message) => {
      const { request, response } = message as {
        request: OutgoingRequest;
        response: { statusCode: number };
      };
      spans.get(request)?.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, response.statusCode);
    },
    'undici:request:trailers': (message) => {
      spans.get((message as { request: OutgoingRequest }).request)?.end();
    },
    'undici:request:error': (message) => {
      const { request, error } = message as { request: OutgoingRequest; error: unknown };
      const span = spans.get(request);
      span?.setAttribute(ATTR_ERROR_TYPE, kindOf(error));
      span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
    },
  };
  for (const [name, listener] of Object.entries(listeners)) subscribe(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) unsubscribe(name, listener);
  };
}
