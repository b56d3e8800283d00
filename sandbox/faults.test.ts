import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeFaults, drawFault, noFaults } from './faults.ts';
import { BadRequest } from './http.ts';
import { Random } from './random.ts';
import {
  type Client,
  createClient,
  infobipKey,
  type Receiver,
  startReceiver,
  startTestSandbox,
  textMessage,
  twilioBase,
} from './testing.ts';

let muster: Receiver;
let client: Client;

beforeEach(async () => {
  muster = await startReceiver();
  client = createClient(await startTestSandbox());
});
afterEach(async () => {
  await client.sandbox.close();
  await muster.close();
});

function body(id: string, to = '14235550143') {
  return textMessage([{ to, messageId: id }], `Text ${id}`, { webhooks: { delivery: { url: muster.url } } });
}

const send = (id: string) => client.call('POST', '/sms/3/messages', body(id));
const fault = async (faults: unknown) =>
  expect((await client.call('POST', '/faults', faults)).status).toBe(200);
const stats = async () => (await client.call('GET', '/stats')).json;

/** A request that gives up when the sandbox got hold of it and did not answer. */
async function sendAndHangUp(id: string): Promise<void> {
  const { Requests: before } = (await stats()) as { Requests: number };
  const abort = new AbortController();
  const request = fetch(`${client.sandbox.url}/sms/3/messages`, {
    method: 'POST',
    headers: { authorization: infobipKey },
    body: JSON.stringify(body(id)),
    signal: abort.signal,
  });
  while (((await stats()) as { Requests: number }).Requests === before) await new Promise(setImmediate);
  abort.abort();
  await expect(request).rejects.toThrow('abort');
}

describe('faults', () => {
  it('holds a request before accepting: nothing was sent', async () => {
    await fault({ TimeoutBeforeAccept: 1 });
    await sendAndHangUp('a');
    expect(await stats()).toMatchObject({ Accepted: 0 });
    await client.call('DELETE', '/faults');
    expect((await send('a')).json).toMatchObject({ messages: [{ status: { id: 26 } }] });
  });

  it('accepts and never answers: a repeat with the same id is refused', async () => {
    await fault({ TimeoutAfterAccept: 1 });
    await sendAndHangUp('a');
    await client.settle();
    expect(await stats()).toMatchObject({ Accepted: 1, Delivered: 1 });
    await client.call('DELETE', '/faults');
    expect((await send('a')).json).toMatchObject({ messages: [{ status: { id: 23 } }] });
    expect(await stats()).toMatchObject({ Accepted: 1, DuplicatesByKey: 1 });
  });

  it('answers 500 and 429 in the words of each carrier', async () => {
    await fault({ ServerError: 1 });
    expect(await send('a')).toMatchObject({ status: 500, json: { errorCode: 'E500' } });
    const fields = { To: '+14235550143', From: '+14235550120', Body: 'Hi' };
    expect(await client.form(`${twilioBase}/Messages.json`, fields)).toMatchObject({
      status: 500,
      json: { code: 20500 },
    });
    await fault({ ServerError: 0, TooManyRequests: 1, RetryAfterSeconds: 7 });
    const limited = await send('a');
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await client.form(`${twilioBase}/Messages.json`, fields)).toMatchObject({
      status: 429,
      json: { code: 20429 },
    });
    expect(await stats()).toMatchObject({ Accepted: 0 });
  });

  it('resets every connection in an outage, and only the carrier has it', async () => {
    await fault({ Outage: true });
    await expect(send('a')).rejects.toThrow('fetch failed');
    await expect(client.call('GET', '/sms/3/logs')).rejects.toThrow('fetch failed');
    expect(await stats()).toMatchObject({ Accepted: 0 });
    await fault({ Outage: false });
    expect((await send('a')).status).toBe(200);
  });

  it('troubles one carrier only when told so', async () => {
    await fault({ ServerError: 1, Provider: 'twilio' });
    expect((await send('a')).status).toBe(200);
    expect((await client.call('GET', `${twilioBase}/Messages.json`)).status).toBe(500);
  });

  it('sends receipts twice', async () => {
    await fault({ ReceiptDuplicate: 1 });
    await send('a');
    const hooks = await muster.waitFor(2);
    const ids = hooks.flatMap(({ body }) =>
      JSON.parse(body).results.map((result: { messageId: string }) => result.messageId),
    );
    expect(ids).toEqual(['a', 'a']);
  });

  it('sends receipts later and in a muddle', async () => {
    await client.call('PUT', '/settings', { ReceiptsPerRequest: 1 });
    await fault({ ReceiptShuffle: true, ReceiptDelayMs: 50 });
    const destinations = Array.from({ length: 30 }, (_, i) => ({
      to: '14235550143',
      messageId: String(i).padStart(2, '0'),
    }));
    const startedAt = Date.now();
    await client.call(
      'POST',
      '/sms/3/messages',
      textMessage(destinations, 'Hi', { webhooks: { delivery: { url: muster.url } } }),
    );
    await client.settle();
    const ids = muster.hooks.map(({ body }) => JSON.parse(body).results[0].messageId as string);
    expect(ids).not.toEqual([...ids].sort());
    expect([...ids].sort()).toEqual(destinations.map(({ messageId }) => messageId));
    expect(muster.hooks[0]?.at).toBeGreaterThanOrEqual(startedAt + 50);
  });

  it('draws the same faults from the same seed', () => {
    const faults = { ...noFaults, ServerError: 0.3, TimeoutAfterAccept: 0.3 };
    const draw = () => {
      const random = new Random(42);
      return Array.from({ length: 200 }, () =>
        drawFault(faults, random, { provider: 'infobip', channel: 'texts', sends: true }),
      );
    };
    expect(draw()).toEqual(draw());
    const count = draw().filter((drawn) => drawn === 'serverError').length;
    expect(count).toBeGreaterThan(40);
    expect(count).toBeLessThan(80);
  });

  it.each([
    [{ ServerError: 2 }, 'ServerError must be a number from 0 to 1.'],
    [{ Outage: 'yes' }, 'Outage must be true or false.'],
    [{ ReceiptDelayMs: -1 }, 'ReceiptDelayMs must be a whole number from 0 to 3600000.'],
    [{ Provider: 'pigeon' }, 'Provider must be asterisk, infobip, smpp, twilio or null.'],
    [{ Servererror: 1 }, 'There is no fault "Servererror".'],
  ])('refuses %o', (change, sentence) => {
    expect(() => changeFaults(noFaults, change)).toThrow(new BadRequest(sentence));
  });
});
