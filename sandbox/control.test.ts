import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
  client = createClient(
    await startTestSandbox({
      INFOBIP_INBOUND_URL: `${muster.url}/infobip`,
      TWILIO_INBOUND_URL: `${muster.url}/twilio`,
    }),
  );
});
afterEach(async () => {
  await client.sandbox.close();
  await muster.close();
});

const send = (to: string, text: string, id?: string) =>
  client.call('POST', '/sms/3/messages', textMessage([{ to, ...(id && { messageId: id }) }], text));

type Items<T> = { Items: T[] };
type PhoneView = {
  Number: string;
  Name: string | null;
  State: string;
  Unread: number;
  Waiting: number;
  Open: boolean;
};

async function phones(): Promise<PhoneView[]> {
  return ((await client.call('GET', '/phones')).json as Items<PhoneView>).Items;
}

async function texts(number: string): Promise<string[]> {
  const { Items } = (await client.call('GET', `/phones/${number}/messages`)).json as Items<{ Text: string }>;
  return Items.map(({ Text }) => Text);
}

describe('telephones', () => {
  it('begins with four, one of them asleep', async () => {
    expect((await phones()).map((phone) => [phone.Number, phone.Name, phone.State])).toEqual([
      ['14235550143', 'Renee Castellano', 'Awake'],
      ['14235550109', 'Walter Grice', 'Awake'],
      ['14235550106', 'Grace Kim', 'Awake'],
      ['14235550168', 'Omar Haddad', 'Asleep'],
    ]);
  });

  it('lists messages oldest first, however the number is written', async () => {
    for (const text of ['one', 'two', 'three']) {
      await send('14235550143', text);
      await client.settle();
    }
    for (const number of ['4235550143', '14235550143', '+14235550143', '%2B14235550143']) {
      expect(await texts(number)).toEqual(['one', 'two', 'three']);
    }
    const answer = await client.call('GET', '/phones/4235550143/messages');
    expect((answer.json as Items<{ At: string }>).Items[0]?.At).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it('sends what is typed by the carrier that serves the number', async () => {
    const typed = await client.call('POST', '/phones/4235550143/messages', { To: '14235550100', Text: 'Hi' });
    expect([typed.status, typed.json]).toMatchObject([
      201,
      { Direction: 'out', Status: 'Sending', Provider: 'infobip' },
    ]);
    await client.call('POST', '/phones/4235550143/messages', { To: '4235550120', Text: 'Ho' });
    const hooks = await muster.waitFor(2);
    expect(hooks.map(({ path }) => path).sort()).toEqual(['/infobip', '/twilio']);
    const mine = JSON.parse(hooks.find(({ path }) => path === '/infobip')?.body ?? '');
    expect(mine).toMatchObject({
      results: [{ from: '14235550143', to: '14235550100', text: 'Hi', keyword: 'HI' }],
    });
    await client.settle();
    const { Items } = (await client.call('GET', '/phones/4235550143/messages')).json as Items<{
      Status: string;
    }>;
    expect(Items.map(({ Status }) => Status)).toEqual(['Delivered', 'Delivered']);
  });

  it('keeps texts for a sleeping telephone at the carrier until it wakes', async () => {
    await send('14235550168', 'wake up');
    await send('14235550143', 'awake');
    while ((await texts('4235550143')).length === 0 || (await phones())[3]?.Waiting === 0)
      await new Promise(setImmediate);
    expect(await texts('4235550168')).toEqual([]);
    expect((await client.call('GET', '/stats')).json).toMatchObject({ Delivered: 1, Pending: 1 });
    await client.call('PATCH', '/phones/4235550168', { State: 'Awake' });
    expect(await texts('4235550168')).toEqual(['wake up']);
    expect((await client.call('GET', '/phones/4235550168')).json).toMatchObject({
      State: 'Awake',
      Waiting: 0,
      Unread: 1,
    });
  });

  it('opens, renames, reads and closes', async () => {
    expect((await client.call('POST', '/phones', { Number: '4235550175', Name: ' Ann Lee ' })).status).toBe(
      201,
    );
    expect((await phones()).at(-1)).toMatchObject({ Number: '14235550175', Name: 'Ann Lee', Open: true });
    await client.call('PATCH', '/phones/4235550175', { Name: 'Ann' });
    await send('14235550175', 'hello');
    await client.settle();
    expect((await phones()).at(-1)).toMatchObject({ Name: 'Ann', Unread: 1 });
    await client.call('PATCH', '/phones/4235550175', { Read: true });
    expect((await phones()).at(-1)).toMatchObject({ Name: 'Ann', Unread: 0 });
    expect((await client.call('DELETE', '/phones/4235550175')).status).toBe(204);
    expect((await phones()).map((phone) => phone.Number)).not.toContain('14235550175');
    expect(await texts('4235550175')).toEqual(['hello']);
    await send('14235550175', 'again');
    await client.settle();
    expect((await phones()).at(-1)).toMatchObject({ Number: '14235550175', Open: false });
  });

  it('forgets the oldest of many messages', async () => {
    await client.call('PUT', '/settings', { KeepMessages: 3 });
    for (let i = 0; i < 100; i++) await send('14235550143', `text ${i}`);
    await client.settle();
    expect(await texts('4235550143')).toHaveLength(3);
    expect(client.sandbox.carrier.phones.get('14235550143').messages.length).toBeLessThanOrEqual(3 + 64);
  });

  it('answers by itself, once in ten minutes', async () => {
    await send('14235550160', 'first');
    await muster.waitFor(1);
    await send('14235550160', 'second');
    await send('14235550196', 'stop me');
    const hooks = await muster.waitFor(2);
    await client.settle();
    const results = hooks.map(({ body }) => JSON.parse(body).results[0] as { from: string; text: string });
    expect(results.map(({ from }) => from)).toEqual(['14235550160', '14235550196']);
    expect(results[1]?.text).toBe('STOP');
    expect(muster.hooks).toHaveLength(2);
    await client.call('PUT', '/settings', { AutoAnswer: false });
    await send('14235550161', 'third');
    await client.settle();
    expect(muster.hooks).toHaveLength(2);
  });
});

describe('numbers', () => {
  it('learns who serves a number from traffic, and can be told', async () => {
    const strange = { To: '14235550199', Text: 'Hi' };
    expect((await client.call('POST', '/phones/4235550143/messages', strange)).status).toBe(409);
    const body = {
      messages: [{ sender: '14235550199', destinations: [{ to: '14235550143' }], content: { text: 'Hi' } }],
    };
    await client.call('POST', '/sms/3/messages', body);
    expect((await client.call('POST', '/phones/4235550143/messages', strange)).status).toBe(201);
    await client.call('PUT', '/numbers/14235550198', {
      Provider: 'twilio',
      InboundUrl: `${muster.url}/own`,
      Name: 'Front office',
    });
    await client.call('POST', '/phones/4235550143/messages', { To: '14235550198', Text: 'Hi' });
    await muster.waitFor(1, ({ path }) => path === '/own');
    expect((await client.call('GET', '/numbers')).json).toMatchObject({
      Items: [
        { Number: '14235550100', Provider: 'infobip', Name: 'Harlow Creek Schools' },
        { Number: '14235550120', Provider: 'twilio' },
        { Number: '14235550199', Provider: 'infobip', Learned: true },
        { Number: '14235550198', Provider: 'twilio', Name: 'Front office' },
      ],
    });
  });
});

describe('events', () => {
  it('names the telephone that changed, with the figures', async () => {
    const response = await fetch(`${client.sandbox.url}/events`);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    const readUntil = async (part: string) => {
      while (!seen.includes(part)) seen += (await reader?.read())?.value ?? '';
    };
    await readUntil('"Many":true');
    await send('14235550143', 'ding');
    await readUntil('"Phones":["14235550143"]');
    await readUntil('"Delivered":1');
    await reader?.cancel();
  });
});

describe('bad input', () => {
  it.each([
    ['GET', '/phones/123/messages', undefined, 400, 'Must be 10 digits; use only numbers'],
    ['GET', '/phones/42355501ab/messages', undefined, 400, 'Must be 10 digits; use only numbers'],
    ['GET', '/phones/%E0%A4%A/messages', undefined, 400, 'The address is not written correctly.'],
    ['POST', '/phones', '{', 400, 'The request is not valid JSON.'],
    ['POST', '/phones', '[]', 400, 'The request must be a JSON object.'],
    ['POST', '/phones', {}, 400, 'Must be 10 digits; use only numbers'],
    [
      'POST',
      '/phones',
      { Number: '4235550143', Name: 7 },
      400,
      'Name must be text of at most 100 characters.',
    ],
    ['PATCH', '/phones/4235550143', { State: 'Sleepy' }, 400, 'State must be Awake or Asleep.'],
    ['POST', '/phones/4235550143/messages', {}, 400, 'To must be the number that the text goes to.'],
    ['POST', '/phones/4235550143/messages', { To: '4235550100' }, 400, 'Write a text or attach a picture.'],
    [
      'POST',
      '/phones/4235550143/messages',
      { To: '4235550100', Media: [{ ContentType: 'image/tiff', Data: 'AAAA' }] },
      400,
      "A telephone can't show image/tiff.",
    ],
    [
      'POST',
      '/phones/4235550143/messages',
      { To: '4235550100', Media: [7] },
      400,
      'Each of Media must be an address, or ContentType and Data in base64.',
    ],
    ['PUT', '/numbers/4235550100', { Provider: 'pigeon' }, 400, 'Provider must be infobip, smpp or twilio.'],
    [
      'PUT',
      '/settings',
      { DeliveryDelayMs: [5, 1] },
      400,
      'DeliveryDelayMs must have its smaller number first.',
    ],
    [
      'PUT',
      '/settings',
      { ReceiptsPerRequest: 0 },
      400,
      'ReceiptsPerRequest must be a whole number from 1 to 2000.',
    ],
    ['PUT', '/settings', { Speed: 1 }, 400, 'There is no setting "Speed".'],
    ['PUT', '/phones', undefined, 405, 'PUT is not possible here.'],
    ['GET', '/nothing', undefined, 404, 'There is nothing here.'],
    ['GET', '/media/..%2F..%2Fetc%2Fpasswd', undefined, 404, 'There is no such picture.'],
    ['GET', '/../../package.json', undefined, 404, 'There is nothing here.'],
  ])('%s %s %o', async (method, path, body, ...[status, Message]) => {
    const answer = await client.call(method, path, body);
    expect([answer.status, answer.json]).toEqual([status, { Message }]);
  });

  it('does not let another site type on the telephones', async () => {
    const body = { To: '4235550100', Text: 'Hi' };
    const answer = await client.call('POST', '/phones/4235550143/messages', body, {
      origin: 'https://elsewhere.example',
    });
    expect(answer.status).toBe(403);
    const own = await client.call('POST', '/phones/4235550143/messages', body, {
      origin: client.sandbox.url,
    });
    expect(own.status).toBe(201);
  });

  it('starts over', async () => {
    await send('14235550143', 'hello', 'once');
    await client.settle();
    expect((await client.call('POST', '/reset')).status).toBe(204);
    expect(await texts('4235550143')).toEqual([]);
    expect((await client.call('GET', '/stats')).json).toMatchObject({
      Accepted: 0,
      Delivered: 0,
      Telephones: 4,
    });
    expect((await send('14235550143', 'hello', 'once')).json).toMatchObject({
      messages: [{ status: { id: 26 } }],
    });
  });
});
