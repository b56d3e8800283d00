import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call } from '../contract/call.ts';
import {
  ApiError,
  createApi,
  genericMessage,
  isNotFound,
  type SessionExchange,
  shownMessage,
  takeFirstReply,
} from './api.ts';

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}
interface Answer {
  status: number;
  type?: string;
  body: string;
}

let server: Server;
let origin = '';
let seen: Seen[] = [];
let answers: Answer[] = [];
let path = '/inbox';
let wentTo: string[] = [];
const api = (more: Partial<Parameters<typeof createApi>[0]> = {}) =>
  createApi({ origin, currentPath: () => path, goTo: (url) => wentTo.push(url), ...more });

const json = (status: number, body: unknown): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
});

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    const { status, type, body: text } = answers.shift() ?? json(200, {});
    response.writeHead(status, type ? { 'content-type': type } : {});
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  seen = [];
  answers = [];
  wentTo = [];
  path = '/inbox';
});

const thing = z.object({ Name: z.string() });
const getThing = call({
  method: 'GET',
  path: '/things/:ThingID',
  summary: '',
  allow: 'useMuster',
  params: z.object({ ThingID: z.number() }),
  query: z.object({ q: z.string().optional(), page: z.number().optional() }),
  reply: thing,
});
const addThing = call({
  method: 'POST',
  path: '/things',
  summary: '',
  allow: 'public',
  takesIdempotencyKey: true,
  body: thing,
  reply: thing,
});
const changeThing = call({
  method: 'PUT',
  path: '/things',
  summary: '',
  allow: 'useMuster',
  body: thing,
  reply: thing,
});
const uploadThing = call({
  method: 'POST',
  path: '/things/:FileName',
  summary: '',
  allow: 'useMuster',
  uploadBytes: 100,
  params: z.object({ FileName: z.string() }),
  reply: thing,
});
const previewInvoice = call({
  method: 'POST',
  path: '/invoices/preview',
  summary: '',
  allow: 'useMuster',
  reply: thing,
});

const refusal = (ErrorCode: number, ErrorType: string, Message: string) => ({
  ErrorCode,
  ErrorType,
  Message,
});
const error = async (promise: Promise<unknown>): Promise<ApiError> => {
  const caught = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(caught).toBeInstanceOf(ApiError);
  return caught as ApiError;
};

describe('a call', () => {
  it('goes through the proxy with the authorized prefix, and only non-empty parameters', async () => {
    answers = [json(200, { Name: 'One' })];
    const reply = await api()(getThing, { params: { ThingID: 7 }, query: { q: '', page: 2 } });
    expect(reply).toEqual({ Name: 'One' });
    expect(seen[0]?.url).toBe('/proxy/api/things/7?page=2');
  });

  it('goes under the public prefix before sign-in, sends JSON, and asks for no cached answer', async () => {
    await api()(addThing, { body: { Name: 'One' } });
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/proxy/public/things', body: '{"Name":"One"}' });
    expect(seen[0]?.headers['content-type']).toBe('application/json');
    expect(seen[0]?.headers['cache-control']).toBe('no-cache');
  });

  it('keeps the Idempotency-Key it is given and makes a new one for each action otherwise', async () => {
    await api()(addThing, { body: { Name: 'One' } }, { idempotencyKey: 'same' });
    await api()(addThing, { body: { Name: 'One' } });
    await api()(addThing, { body: { Name: 'One' } });
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toBe('same');
    expect(new Set(keys).size).toBe(3);
  });

  it('sends a file raw with its type and length', async () => {
    await api()(
      uploadThing,
      { params: { FileName: 'a b.png' } },
      { file: new Blob(['abc'], { type: 'image/png' }) },
    );
    expect(seen[0]).toMatchObject({ url: '/proxy/api/things/a%20b.png', body: 'abc' });
    expect(seen[0]?.headers).toMatchObject({ 'content-type': 'image/png', 'content-length': '3' });
  });

  it('refuses an upload without a file before anything is sent', async () => {
    const sending = api()(uploadThing, { params: { FileName: 'a.png' } }, { file: null });
    await expect(sending).rejects.toThrow('No file provided.');
    expect(seen).toEqual([]);
  });

  it('takes a reply that was asked for before the application ran, once', async () => {
    const url = `${origin}/proxy/api/things/7`;
    globalThis.firstReplies = new Map([[url, Promise.resolve(Response.json({ Name: 'first' }))]]);
    const call = () => api({ takeFirstReply })(getThing, { params: { ThingID: 7 } });
    expect(await call()).toEqual({ Name: 'first' });
    expect(seen).toEqual([]);
    answers = [json(200, { Name: 'second' }), json(200, { Name: 'third' })];
    expect(await call()).toEqual({ Name: 'second' });
    globalThis.firstReplies = new Map([[url, Promise.reject(new TypeError('Failed to fetch'))]]);
    expect(await call()).toEqual({ Name: 'third' });
    globalThis.firstReplies = undefined;
  });

  it('returns replies that aren’t JSON as a blob', async () => {
    answers = [{ status: 200, type: 'application/pdf', body: '%PDF' }];
    const reply: unknown = await api()(getThing, { params: { ThingID: 7 } });
    expect(reply).toBeInstanceOf(Blob);
    expect(await (reply as Blob).text()).toBe('%PDF');
  });
});

describe('a refusal', () => {
  it('is a body with ErrorCode, whatever its status', async () => {
    answers = [json(200, refusal(422, 'Display', 'This can’t be done.'))];
    const caught = await error(api()(addThing, { body: { Name: '' } }));
    expect(caught.body.ErrorCode).toBe(422);
  });

  it.each([
    [502, 'Bad Gateway'],
    [503, 'Service Unavailable'],
  ])('%i is rejected with the status text', async (status, text) => {
    answers = [{ status, type: 'text/html', body: '<h1>nginx</h1>' }];
    expect((await error(api()(getThing, { params: { ThingID: 7 } }))).message).toBe(text);
  });

  it.each([
    [502, 'Bad Gateway'],
    [503, 'Service Unavailable'],
    [504, 'generic'],
  ])('%i without a status text, as HTTP/2 answers an upload, is shown as %s', (status, text) => {
    const refused = new ApiError({ status, statusText: '', url: '/files', method: 'POST', body: {} });
    expect(shownMessage(refused, 'generic')).toBe(text);
  });

  it('401 signs out and leads to sign-in', async () => {
    answers = [json(401, refusal(401, 'Informational', 'Please sign in.'))];
    const caught = await error(api()(getThing, { params: { ThingID: 7 } }));
    expect(caught.status).toBe(401);
    expect(seen.map(({ url }) => url)).toEqual(['/proxy/api/things/7', '/proxy/public/logout']);
    expect(wentTo).toEqual(['/login?error=loginmanually']);
  });

  it('401 while the session is exchanged repeats the call with the new one', async () => {
    const session: SessionExchange = { done: 0, pending: undefined };
    const exchange = Promise.withResolvers<void>();
    session.pending = exchange.promise;
    answers = [json(401, refusal(401, 'Informational', 'Please sign in.')), json(200, { Name: 'A thing' })];
    const asked = api({ session })(getThing, { params: { ThingID: 7 } });
    session.done += 1;
    exchange.resolve();
    expect(await asked).toEqual({ Name: 'A thing' });
    expect([seen.length, wentTo]).toEqual([2, []]);
  });

  it('401 on the login page leads nowhere', async () => {
    path = '/login';
    answers = [json(401, refusal(401, 'Informational', 'Please sign in.'))];
    await error(api()(getThing, { params: { ThingID: 7 } }));
    expect(seen).toHaveLength(1);
    expect(wentTo).toEqual([]);
  });

  it('404 returns an empty object', async () => {
    answers = [json(404, refusal(404, 'Display', 'This item no longer exists.'))];
    expect(await api()(getThing, { params: { ThingID: 7 } })).toEqual({});
  });

  it('404 keeps its body on the paths that give a reason', async () => {
    answers = [json(404, refusal(1, 'Display', 'No address.'))];
    expect(await api()(previewInvoice)).toMatchObject({ ErrorCode: 404, Message: 'No address.' });
  });

  it('404 reaches a screen that asks for it', async () => {
    answers = [json(404, refusal(404, 'Display', 'This item no longer exists.'))];
    const caught = await error(api()(getThing, { params: { ThingID: 7 } }, { missing: 'refuse' }));
    expect(isNotFound(caught)).toBe(true);
  });

  it.each([
    [500, 4000, true],
    [500, 4003, true],
    [500, 4004, false],
    [500, 3999, false],
    [400, 4001, false],
  ])('status %i with code %i is product-level: %s', async (status, code, isProductLevel) => {
    answers = [json(status, refusal(code, 'Unknown', 'The product says no.'))];
    const caught = await error(api()(changeThing, { body: { Name: '' } }));
    expect(caught).toMatchObject({ status, url: '/proxy/api/things', isProductLevel });
    expect(caught.message).toBe(isProductLevel ? 'The product says no.' : 'Unknown error');
  });
});

describe('the message shown is', () => {
  const generic = 'There was an error adding your thing.';
  const shown = async (adding: typeof addThing | typeof changeThing, status: number, body: unknown) => {
    answers = [json(status, body)];
    return shownMessage(await error(api()(adding, { body: { Name: '' } })), generic);
  };

  it.each(['Display', 'Informational'])('a POST’s %s message as it is', async (type) => {
    expect(await shown(addThing, 400, refusal(400, type, 'Please check.'))).toBe('Please check.');
  });
  it('the generic text for a POST’s Unknown message', async () => {
    expect(await shown(addThing, 400, refusal(400, 'Unknown', 'TypeError'))).toBe(generic);
  });
  it('the generic text for anything but POST', async () => {
    expect(await shown(changeThing, 400, refusal(400, 'Display', 'Please check.'))).toBe(generic);
  });
  it('a product-level message, also beyond POST', async () => {
    expect(await shown(changeThing, 500, refusal(4002, 'Unknown', 'Too many lists.'))).toBe(
      'Too many lists.',
    );
  });
  it('the generic text when nothing was reached', () => {
    expect(shownMessage(new TypeError('fetch failed'), generic)).toBe(generic);
  });
  it('plural when getting, singular otherwise', () => {
    const noun = { one: 'conversation', many: 'conversations' };
    expect(genericMessage('getting', noun)).toBe('There was an error getting your conversations.');
    expect(genericMessage('deleting', noun)).toBe('There was an error deleting your conversation.');
  });
});
