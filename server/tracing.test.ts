import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Fastify from 'fastify';
import { request as ask } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createConversation, listConversations } from '../contract/conversations.ts';
import { buildAccount } from './testing/builders.ts';
import { testApp } from './testing/test-app.ts';
import { beginTracing, stopTracing, traceCalls } from './trace.ts';

interface Sent {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number };
}

/** A collector, and a provider that records the headers of its requests. */
const bodies: string[] = [];
const traceparents: (string | undefined)[] = [];
const server = createServer((request, response) => {
  if (request.url === '/v1/traces') {
    let body = '';
    request.on('data', (text) => {
      body += text;
    });
    request.on('end', () => bodies.push(body));
  } else traceparents.push(request.headers.traceparent as string | undefined);
  request.resume();
  response.setHeader('content-type', 'application/json').end('{}');
});
let url: string;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  bodies.length = 0;
  traceparents.length = 0;
});

function sentSpans(): Sent[] {
  type Body = { resourceSpans: { scopeSpans: { spans: Sent[] }[] }[] };
  return bodies
    .map((body) => JSON.parse(body) as Body)
    .flatMap(({ resourceSpans }) => resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans);
}

const attributesOf = (span: Sent | undefined) =>
  Object.fromEntries(span?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? []);

const trace = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${trace}-b7ad6b7169203331-01`;

/** A call that sends a request to a provider before it replies. */
async function callThatAsks(): Promise<void> {
  const http = Fastify();
  onTestFinished(() => http.close());
  traceCalls(http as never);
  http.get('/asks', { config: { callName: 'asks' } }, async () =>
    (await ask(`${url}/v1/phones/+14235550140?key=hidden-1`)).body.json(),
  );
  expect((await http.inject({ url: '/asks', headers: { traceparent } })).statusCode).toBe(200);
}

describe('without a collector', () => {
  it('the caller’s trace is passed on to providers unchanged', async () => {
    await callThatAsks();
    await ask(url);
    expect(traceparents).toEqual([traceparent, undefined]);
  });

  it('OpenTelemetry is not loaded: only outside/tracing.ts imports it, which is imported on demand', () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    );
    const texts = files.map((name) => [name, readFileSync(join(import.meta.dirname, name), 'utf8')] as const);
    const named = (pattern: RegExp) => texts.filter(([, text]) => pattern.test(text)).map(([name]) => name);
    expect(named(/from '@opentelemetry\//)).toEqual([join('outside', 'tracing.ts')]);
    expect(named(/from '[./a-z]*\/tracing\.ts'/)).toEqual([]);
    expect(named(/import\('\.\/outside\/tracing\.ts'\)/)).toEqual(['main.ts']);
  });
});

describe('with a collector', () => {
  beforeEach(async () => {
    const { createTracing } = await import('./outside/tracing.ts');
    beginTracing(createTracing({ endpoint: `${url}/`, role: 'all' }));
    return stopTracing;
  });

  it('a request to a provider is part of its call, and the provider gets the trace', async () => {
    await callThatAsks();
    await stopTracing();
    const [asked, call] = sentSpans();
    expect(call).toMatchObject({ name: 'asks', traceId: trace, parentSpanId: 'b7ad6b7169203331', kind: 2 });
    expect(asked).toMatchObject({
      name: 'GET 127.0.0.1',
      traceId: trace,
      parentSpanId: call?.spanId,
      kind: 3,
    });
    expect(attributesOf(asked)).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(url).port),
      'url.scheme': 'http',
    });
    expect(traceparents).toEqual([`00-${trace}-${asked?.spanId}-01`]);
    expect(bodies.join()).not.toMatch(/hidden-1|4235550140/);
  });

  it('calls, statements, jobs and carrier requests are reported; no words, phones or secrets', async () => {
    const number = '14235550100';
    const logTo: string[] = [];
    const app = await testApp({ [number]: 'infobip' }, {}, { logTo });
    const account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
    const { status } = await app.call(
      createConversation,
      {
        body: {
          TextNumberID: account.numbers[number] ?? 0,
          LastMessage: { Contact: { PrimaryPhone: '4235550142' }, Message: 'Nobody else reads this' },
        },
      },
      { cookie: account.owner.cookie, headers: { traceparent } },
    );
    expect(status).toBe(200);
    await app.call(listConversations, {}, { cookie: 'session=none' });
    await app.until(async () => (await app.sandbox.messages('4235550142')).length === 1);
    await stopTracing();

    const spans = sentSpans();
    const call = spans.find(({ name }) => name === 'createConversation');
    expect(call).toMatchObject({ traceId: trace, parentSpanId: 'b7ad6b7169203331' });
    expect(attributesOf(call)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/proxy/api/conversations',
      'http.response.status_code': 200,
      'muster.account_id': account.accountId,
    });
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === call?.spanId);
    expect(statements.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['begin', 'insert outbox', 'commit']),
    );
    const refused = spans.find(({ name }) => name === 'listConversations');
    expect(attributesOf(refused)['http.response.status_code']).toBe(401);
    expect(refused?.traceId).not.toBe(trace);
    const handed = spans.find(({ name, kind }) => kind === 3 && name === 'POST 127.0.0.1');
    const job = spans.find(({ spanId }) => spanId === handed?.parentSpanId);
    expect(job?.kind).toBe(5);

    const told = bodies.join();
    for (const secret of ['4235550142', number, 'Nobody else', account.owner.cookie, 'App ', '$1'])
      expect(told).not.toContain(secret);
    const lines = logTo.map((line) => JSON.parse(line));
    const traceOf = (name: string) => lines.find((line) => line.call === name)?.trace;
    expect([traceOf('createConversation'), traceOf('listConversations')]).toEqual([trace, refused?.traceId]);
  });
});
