import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { startTestSandbox } from './testing.ts';

const sandbox = await startTestSandbox();
/** A Muster that knows one token. */
const muster = createServer(async (request, response) => {
  const chunks = await Array.fromAsync(request);
  const { LoginToken } = JSON.parse(Buffer.concat(chunks).toString());
  response.writeHead(LoginToken === 'good' ? 200 : 422, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ FirstName: 'Dana', LastName: '<b>Whitfield</b>' }));
}).listen(0, '127.0.0.1');
afterAll(async () => {
  muster.close();
  await sandbox.close();
});

it('greets whoever comes with a good token, and nobody else', async () => {
  const from = `http://127.0.0.1:${(muster.address() as AddressInfo).port}`;
  const open = (query: Record<string, string>) =>
    fetch(`${sandbox.url}/labs?${new URLSearchParams(query)}`, { redirect: 'manual' });
  const good = await open({ from, LoginToken: 'good' });
  expect([good.status, await good.text()]).toEqual([200, expect.stringContaining('Hello Dana')]);
  expect((await open({ from, LoginToken: 'bad' })).status).toBe(403);
  expect((await open({ from: 'http://example.org', LoginToken: 'good' })).status).toBe(403);
  expect(await (await open({ from, LoginToken: 'good' })).text()).not.toContain('<b>');
});
