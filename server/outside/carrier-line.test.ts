import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { openCarrierLine } from './carrier-line.ts';
import { startScriptedCarrier } from './testing/scripted-carrier.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Accepts connections and sends nothing: under TLS none of them is ever established. */
async function startSilentServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

it('reports that nothing was sent when no connection was established in 2 seconds', async () => {
  const server = await startSilentServer();
  const line = openCarrierLine(`https://127.0.0.1:${server.port}`, 'App x');
  expect(await line.post('/x', 'application/json', '{}')).toEqual({
    kind: 'unsent',
    reason: 'no connection in 2 seconds (UND_ERR_CONNECT_TIMEOUT)',
  });
  server.close();
  await line.close();
});

it('reports that nothing was sent if the certificate is not trusted, or there is no TLS at all', async () => {
  const server = await startScriptedCarrier(() => ({ status: 200 }));
  const line = openCarrierLine(server.url.replace('http:', 'https:'), 'App x');
  expect(await line.post('/x', 'application/json', '{}')).toMatchObject({ kind: 'unsent' });
  expect(server.requests).toEqual([]);
  await server.close();
  await line.close();
});

it('keeps its connections for the next requests', async () => {
  const server = await startScriptedCarrier(() => ({ status: 200 }));
  const line = openCarrierLine(server.url, 'App x');
  for (let count = 0; count < 20; count++) await line.get('/x');
  // Two: the first is still being cleaned up when the second request follows at once.
  expect(line.pool.stats.connected).toBeLessThanOrEqual(2);
  await server.close();
  await line.close();
});

it('never delays a request behind another without a response', async () => {
  const server = await startScriptedCarrier(({ path }) => (path === '/slow' ? 'hang' : { status: 200 }));
  const line = openCarrierLine(server.url, 'App x');
  const arrival = server.arrival();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const slow = line.get('/slow');
  await arrival;
  expect(await line.get('/fast')).toMatchObject({ kind: 'reply', status: 200 });
  await vi.advanceTimersByTimeAsync(5000);
  expect(await slow).toEqual({ kind: 'lost', reason: 'no answer in 5 seconds' });
  await server.close();
  await line.close();
});

it('never sends a request that was given up while it waited for a connection', async () => {
  const server = await startScriptedCarrier(() => ({ status: 200 }));
  const line = openCarrierLine(server.url, 'App x');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const waiting = line.post('/given-up', 'application/json', '{}');
  // Before the next turn of the event loop, so that the connection can't be established yet.
  vi.advanceTimersByTime(5000);
  vi.useRealTimers();
  expect(await waiting).toEqual({ kind: 'unsent', reason: 'no connection in 5 seconds' });
  expect(await line.get('/after')).toMatchObject({ kind: 'reply' });
  expect(server.requests.map(({ path }) => path)).toEqual(['/after']);
  await server.close();
  await line.close();
});

it('returns how long the carrier wants to pause', async () => {
  const dates = ['5', '99999999', '0', 'x', new Date(Date.now() + 60_000).toUTCString()];
  const server = await startScriptedCarrier((_, count) => {
    return { status: 429, headers: { 'retry-after': dates[count - 1] ?? '' } };
  });
  const line = openCarrierLine(server.url, 'App x');
  const waits: (number | null)[] = [];
  for (const _ of dates) {
    const exchange = await line.get('/x');
    waits.push(exchange.kind === 'reply' ? exchange.retryAfterMs : -1);
  }
  expect(waits.slice(0, 4)).toEqual([5000, 3_600_000, null, null]);
  expect(waits[4]).toBeGreaterThan(50_000);
  expect(waits[4]).toBeLessThanOrEqual(60_000);
  await server.close();
  await line.close();
});
