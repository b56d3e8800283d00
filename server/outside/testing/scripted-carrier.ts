import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Got {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** `hang` holds the request, `reset` cuts its connection, `half` cuts it in the middle of the response. */
export type Script =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | 'hang'
  | 'reset'
  | 'half';

/** A real HTTP server with scripted responses, so that every kind of failure is possible. */
export async function startScriptedCarrier(script: (got: Got, count: number) => Script) {
  const requests: Got[] = [];
  const state = { script };
  let onRequest: (() => void) | undefined;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const got = { method, path: url, headers, body: Buffer.concat(chunks).toString('utf8') };
    requests.push(got);
    const answer = state.script(got, requests.length);
    onRequest?.();
    if (answer === 'hang') return;
    if (answer === 'reset') return request.socket.resetAndDestroy();
    if (answer === 'half') {
      response.writeHead(200, { 'content-length': '1000' }).write('{"messages":[');
      return setImmediate(() => request.socket.resetAndDestroy());
    }
    const { status, body = {}, headers: extra } = answer;
    response.writeHead(status, { 'content-type': 'application/json', ...extra });
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answerWith(next: (got: Got, count: number) => Script) {
      state.script = next;
    },
    /** Resolves when the next request has arrived. */
    arrival: () =>
      new Promise<void>((resolve) => {
        onRequest = resolve;
      }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type ScriptedCarrier = Awaited<ReturnType<typeof startScriptedCarrier>>;
