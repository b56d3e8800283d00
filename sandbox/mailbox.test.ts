import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from './app.ts';
import { type Mail, Mailbox } from './mailbox.ts';
import { type Client, createClient, startTestSandbox } from './testing.ts';

let sandbox: Sandbox;
let client: Client;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  client = createClient(sandbox);
});
afterAll(() => sandbox.close());
beforeEach(async () => void (await client.call('DELETE', '/mails')));

function mail(to: string | string[], more: object = {}) {
  const transport = createTransport({ host: '127.0.0.1', port: sandbox.mailPort });
  return transport.sendMail({
    from: 'Muster <muster@example.org>',
    to,
    subject: 'Hello',
    text: 'Words',
    ...more,
  });
}

async function mails(query = ''): Promise<{ Items: Mail[]; Unread: number }> {
  return (await client.call('GET', `/mails${query}`)).json as { Items: Mail[]; Unread: number };
}

it('keeps what is mailed, with its words as they were written', async () => {
  await mail('dana@example.org', {
    subject: 'Größe ✓',
    text: 'Two\nlines – and 😀',
    html: '<p>Two lines</p>',
  });
  const { Items, Unread } = await mails();
  expect(Items).toEqual([
    {
      ID: expect.any(String),
      MessageID: expect.stringMatching(/^<.+@.+>$/),
      From: 'muster@example.org',
      FromName: 'Muster',
      To: ['dana@example.org'],
      Subject: 'Größe ✓',
      Text: expect.stringContaining('Two\nlines – and 😀'),
      Html: expect.stringContaining('<p>Two lines</p>'),
      At: expect.any(String),
      Read: false,
    },
  ]);
  expect(Unread).toBe(1);
});

it('lists the latest first, by address, so many; reads and empties', async () => {
  for (const subject of ['one', 'two', 'three']) await mail('Dana@example.org', { subject });
  await mail('walter@example.org', { subject: 'four' });
  const subjects = async (query?: string) => (await mails(query)).Items.map(({ Subject }) => Subject);
  expect(await subjects()).toEqual(['four', 'three', 'two', 'one']);
  expect(await subjects('?to=dana@EXAMPLE.org&limit=2')).toEqual(['three', 'two']);
  const [latest] = (await mails()).Items;
  expect((await client.call('PATCH', `/mails/${latest?.ID}`)).status).toBe(204);
  expect((await mails()).Unread).toBe(3);
  expect((await client.call('PATCH', '/mails/none')).status).toBe(404);
  await client.call('POST', '/reset');
  expect(await mails()).toEqual({ Items: [], Unread: 0 });
});

it('keeps so many and forgets the oldest', async () => {
  const small = new Mailbox(() => undefined, 3);
  await small.listen(0, '127.0.0.1');
  const transport = createTransport({ host: '127.0.0.1', port: small.port });
  for (const subject of ['one', 'two', 'three', 'four', 'five']) {
    await transport.sendMail({ from: 'a@example.org', to: 'b@example.org', subject, text: '' });
  }
  expect(small.list(undefined, 10).map(({ Subject }) => Subject)).toEqual(['five', 'four', 'three']);
  await small.close();
});

describe('addresses that are treated otherwise', () => {
  it.each([
    ['nobody@example.org', 550],
    ['full@example.org', 452],
    ['later@example.org', 451],
    ['spam@example.org', 554],
  ])('%s: %i', async (to, responseCode) => {
    await expect(mail(to)).rejects.toMatchObject({ responseCode });
    expect((await mails()).Items).toEqual([]);
  });

  it('later@ is let in the second time', async () => {
    await expect(mail('later@example.org')).rejects.toMatchObject({ responseCode: 451 });
    await mail('later@example.org');
    expect((await mails()).Items).toHaveLength(1);
  });
});

it('tells the page that mail has come', async () => {
  const events = await fetch(`${sandbox.url}/events`);
  const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
  await reader?.read();
  await mail('dana@example.org');
  let heard = '';
  while (!heard.includes('"Mails":true')) heard += (await reader?.read())?.value ?? '';
  await reader?.cancel();
});

it('refuses a port that another program has, in one sentence', async () => {
  await expect(startTestSandbox({ SANDBOX_MAIL_PORT: String(sandbox.mailPort) })).rejects.toThrow(
    `Port ${sandbox.mailPort} is in use. Stop the other program, or set SANDBOX_MAIL_PORT to another port.`,
  );
});
