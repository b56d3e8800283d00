import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';

export interface System {
  port: number;
  baseUrl: string;
  sandboxUrl: string;
  dataDir: string;
}

/** Each worker has a whole system to itself, so that journeys never interfere with each other. */
export const systems = [0, 1].map((index): System => {
  const port = Number(process.env.PORT ?? 3300) + 3 * index;
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    sandboxUrl: `http://127.0.0.1:${port + 1}`,
    dataDir: join(process.env.DATA_DIR ?? join(tmpdir(), 'muster-journeys'), String(index)),
  };
});

const own = systems[Number(process.env.TEST_PARALLEL_INDEX ?? 0)];
if (!own) throw new Error('There are more workers than systems.');
export const { baseUrl, sandboxUrl } = own;

export const password = 'muster-demo-1';

/** Of the origin itself: a tab that leaves it for another one gets a new process, and nothing of what it has compiled. */
export const nowhere = '/mark.svg';

/** Signs in without the page for it, which has journeys of its own, and opens an address, if there is one. */
export async function signIn(page: Page, userName: string, path?: string): Promise<void> {
  // An open page whose session ends under it signs out, and would take the new session with it.
  if (path !== undefined && ![baseUrl + nowhere, 'about:blank'].includes(page.url()))
    await page.goto(nowhere);
  const answer = await page.request.post(`${baseUrl}/proxy/public/login`, {
    data: { UserName: userName, Password: password },
  });
  expect(answer.status()).toBe(200);
  if (path !== undefined) await page.goto(path);
}

/** Presses Undo in the message of this change: the message of the change before may still be shown. */
export async function takeBack(page: Page, said: string | RegExp): Promise<void> {
  await page.getByRole('alert').filter({ hasText: said }).getByRole('button', { name: 'Undo' }).click();
}

/** A call as pages make it, for things that a journey needs but doesn't test. */
export async function call<Reply>(
  page: Page,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  data?: object,
): Promise<Reply> {
  const answer = await page.request.fetch(`/proxy/api${path}`, {
    method,
    ...(data ? { data } : {}),
    headers: { 'Idempotency-Key': `${path} ${Math.random()}` },
  });
  expect([path, answer.status(), answer.ok() ? '' : await answer.text()]).toEqual([path, 200, '']);
  return (await answer.json()) as Reply;
}

/** The journeys run at any hour: nobody's night may hold their texts. */
export async function setQuietHours(page: Page, IsOn: boolean): Promise<void> {
  const { QuietHours } = await call<{ QuietHours: object }>(page, 'GET', '/account');
  await call(page, 'PUT', '/account', { QuietHours: { ...QuietHours, IsOn } });
}

/** A text typed on a telephone of the sandbox. */
export async function textFrom(phone: string, to: string, text: string): Promise<void> {
  const answer = await fetch(`${sandboxUrl}/phones/${phone}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ To: to, Text: text }),
  });
  if (!answer.ok) throw new Error(`the sandbox answered ${answer.status}`);
}

export interface PhoneMessage {
  From: string;
  To: string;
  Text: string;
  Media: { ContentType: string; Url: string }[];
  Direction: 'in' | 'out';
}

export async function messagesOf(phone: string): Promise<PhoneMessage[]> {
  const answer = await fetch(`${sandboxUrl}/phones/${phone}/messages`);
  return ((await answer.json()) as { Items: PhoneMessage[] }).Items;
}
