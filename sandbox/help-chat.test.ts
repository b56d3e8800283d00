import { afterAll, expect, it } from 'vitest';
import { startTestSandbox } from './testing.ts';

const sandbox = await startTestSandbox();
afterAll(() => sandbox.close());

it('serves its script, and keeps which pages people looked at', async () => {
  const script = await fetch(`${sandbox.url}/help-chat.js`);
  expect(script.headers.get('content-type')).toContain('javascript');
  expect(await script.text()).toContain('globalThis.helpChat');
  const told = await fetch(`${sandbox.url}/help-chat/visits`, {
    method: 'POST',
    headers: { origin: 'http://127.0.0.1:1', 'content-type': 'text/plain' },
    body: JSON.stringify({ UserID: 7, Name: 'Dana', UserHash: 'abc', Path: '/contacts' }),
  });
  expect(told.status).toBe(204);
  const { Items } = (await (await fetch(`${sandbox.url}/help-chat/visits`)).json()) as { Items: object[] };
  expect(Items).toMatchObject([{ UserID: '7', Name: 'Dana', UserHash: 'abc', Path: '/contacts' }]);
  const bad = await fetch(`${sandbox.url}/help-chat/visits`, { method: 'POST', body: 'no' });
  expect(bad.status).toBe(400);
});
