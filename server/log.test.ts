import sharp from 'sharp';
import { expect, it } from 'vitest';
import { getSocketKey, login } from '../contract/auth.ts';
import { createConversation, getConversation } from '../contract/conversations.ts';
import { createLog } from './log.ts';
import { buildAccount, password } from './testing/builders.ts';
import { testApp } from './testing/test-app.ts';
import { testCredentials } from './testing/test-sandbox.ts';

it('during a whole round trip no line contains a secret, a phone or a text', async () => {
  const numbers = { '14235550100': 'infobip', '14235550120': 'twilio' } as const;
  const lines: string[] = [];
  const app = await testApp(numbers, {}, { logTo: lines });
  const account = await buildAccount(app, { numbers });
  const { owner } = account;
  const secrets: string[] = [
    password,
    'wrong-password-3',
    'name-of-nobody',
    owner.userName,
    owner.cookie.slice('muster-session='.length),
    ...Object.values(testCredentials),
    '4235550100',
    '4235550120',
    '4235550143',
    '4235550144',
    'Secret words',
    'portrait-of-somebody',
    new URL(app.databaseUrl).password,
  ];

  // Signing in: wrong, unknown, broken.
  for (const UserName of [owner.userName, 'name-of-nobody']) {
    await app.call(login, { body: { UserName, Password: 'wrong-password-3' } });
  }
  await fetch(`${app.url}/proxy/public/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"Password":"${password}"`,
  });
  const { body: socket } = await app.call(getSocketKey, {}, owner);
  secrets.push(socket.Key);

  // A picture, and texts with it by both carriers, and replies.
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#0a0' } })
    .png()
    .toBuffer();
  const uploaded = await fetch(`${app.url}/proxy/api/media/image/portrait-of-somebody.png`, {
    method: 'POST',
    headers: { cookie: owner.cookie, 'content-type': 'image/png' },
    body: new Uint8Array(picture),
  });
  const media = (await uploaded.json()) as { mediaId: number; full: string };
  await fetch(app.url + media.full);
  secrets.push(media.full.slice('/media/'.length));
  for (const [number, PrimaryPhone] of [
    ['14235550100', '4235550143'],
    ['14235550120', '4235550144'],
  ] as const) {
    const sent = await app.call(
      createConversation,
      {
        body: {
          TextNumberID: account.numbers[number] ?? 0,
          LastMessage: {
            Contact: { PrimaryPhone },
            Message: 'Secret words of ours',
            MmsOutboundMedia: [{ MediaID: media.mediaId }],
          },
        },
      },
      owner,
    );
    const params = { ConversationID: sent.body.ConversationID };
    await app.until(async () => (await app.sandbox.messages(PrimaryPhone)).length > 0);
    await app.sandbox.text(PrimaryPhone, number, 'Secret words of theirs');
    await app.until(
      async () => (await app.call(getConversation, { params }, owner)).body.LastMessage?.IsInbound,
    );
  }

  // Webhooks that aren't from the carriers, and URLs that aren't ours.
  for (const path of [
    '/hooks/infobip/inbound/wrong-secret-of-somebody',
    '/hooks/twilio/inbound',
    '/nothing/4235550143?token=4235550144',
    `/hooks/infobip/receipts/${testCredentials.INFOBIP_WEBHOOK_SECRET}`,
  ]) {
    await fetch(app.url + path, { method: 'POST', body: '{"results":[{"from":"4235550143"}]}' });
  }
  secrets.push('wrong-secret-of-somebody');

  // The carriers are unavailable: the error is logged without the message.
  await app.sandbox.kill();
  await app.call(
    createConversation,
    {
      body: {
        TextNumberID: account.numbers['14235550100'] ?? 0,
        LastMessage: { Contact: { PrimaryPhone: '4235550143' }, Message: 'Secret words again' },
      },
    },
    owner,
  );
  await app.drain();

  expect(lines.length).toBeGreaterThan(15);
  expect(lines.join('')).toContain('"call":"login","status":400');
  expect(lines.join('')).toContain('carrier does not take texts');
  for (const line of lines) {
    for (const secret of secrets) {
      expect(line.includes(secret), `${secret} in ${line}`).toBe(false);
    }
    expect(JSON.parse(line)).toMatchObject({ time: expect.any(String) });
  }
});

it('fields logged by mistake are left out, and errors lose their details', () => {
  const lines: string[] = [];
  const log = createLog({ LOG_LEVEL: 'info', ROLE: 'all' }, { write: (line) => lines.push(line) });
  const error = Object.assign(new Error('no'), { code: 'E1', options: { auth: 'hidden-1' } });
  log.info({
    password: 'hidden-1',
    body: { Password: 'hidden-1' },
    req: { headers: { cookie: 'hidden-1' } },
  });
  log.warn({ err: error, cookie: 'hidden-1', token: 'hidden-1' }, 'failed');
  log.warn({ err: 'not an error' });
  expect(lines).toHaveLength(3);
  expect(lines.join('')).not.toContain('hidden-1');
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ err: { message: 'no', code: 'E1' }, role: 'all' });
});
