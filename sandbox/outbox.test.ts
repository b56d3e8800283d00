import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { infobipRetryAfterMs } from './infobip-webhooks.ts';
import {
  type Client,
  createClient,
  type Receiver,
  startReceiver,
  startTestSandbox,
  textMessage,
} from './testing.ts';

let muster: Receiver;
let client: Client;

beforeEach(async () => {
  muster = await startReceiver();
  client = createClient(await startTestSandbox({ INFOBIP_INBOUND_URL: `${muster.url}/inbound` }));
});
afterEach(async () => {
  await client.sandbox.close();
  await muster.close();
});

const send = (count: number) =>
  client.call(
    'POST',
    '/sms/3/messages',
    textMessage(
      Array.from({ length: count }, (_, i) => ({ to: '14235550143', messageId: `m${i}` })),
      'Hi',
      { webhooks: { delivery: { url: `${muster.url}/receipts` } } },
    ),
  );

describe('webhooks', () => {
  it('waits 1, 2, 5, 10 … units between twenty retries', () => {
    expect([1, 2, 3, 4, 5].map((tries) => infobipRetryAfterMs(tries, 1000))).toEqual([
      1000, 2000, 5000, 10_000, 17_000,
    ]);
    expect([infobipRetryAfterMs(20, 1), infobipRetryAfterMs(21, 1)]).toEqual([362, undefined]);
  });

  it('tries again until the receiver takes the receipts', async () => {
    let tries = 0;
    muster.answer = () => {
      tries += 1;
      return tries < 4 ? 503 : 200;
    };
    await send(3);
    await client.settle();
    expect(muster.hooks.map(({ body }) => body)).toEqual(Array(4).fill(muster.hooks[0]?.body));
    expect((await client.call('GET', '/stats')).json).toMatchObject({
      ReceiptsSent: 3,
      ReceiptRequests: 4,
      WebhookFailures: 3,
    });
  });

  it('loses nothing while nobody is there', async () => {
    const { port } = muster;
    await muster.close();
    await client.call('PUT', '/settings', { ReceiptsPerRequest: 10 });
    await send(100);
    await client.call('POST', '/phones/4235550143/messages', { To: '14235550100', Text: 'anyone?' });
    while (client.sandbox.carrier.stats.WebhookFailures < 11) await new Promise(setImmediate);
    muster = await startReceiver(port);
    await client.settle();
    const results = muster.hooks
      .filter(({ path }) => path === '/receipts')
      .flatMap(({ body }) => JSON.parse(body).results as { messageId: string }[]);
    expect(new Set(results.map(({ messageId }) => messageId)).size).toBe(100);
    expect(results).toHaveLength(100);
    expect(muster.hooks.filter(({ path }) => path === '/inbound')).toHaveLength(1);
  });

  it('gives a text up after the last retry, and the telephone says so', async () => {
    client.sandbox.carrier.config.retryUnitMs = 0;
    muster.answer = () => 500;
    await client.call('POST', '/phones/4235550143/messages', { To: '14235550100', Text: 'hello?' });
    await client.settle();
    expect(muster.hooks).toHaveLength(21);
    expect((await client.call('GET', '/phones/4235550143/messages')).json).toMatchObject({
      Items: [{ Text: 'hello?', Status: 'Not Delivered' }],
    });
  });

  it('survives a receiver that cuts the connection', async () => {
    let cut = true;
    muster.answer = () => {
      const status = cut ? undefined : 200;
      cut = false;
      return status;
    };
    await send(1);
    await client.settle();
    expect(muster.hooks.length).toBeGreaterThanOrEqual(2);
  });
});
