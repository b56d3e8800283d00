import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  accountSid,
  authToken,
  type Client,
  createClient,
  loadOracle,
  noProtocols,
  type Receiver,
  startReceiver,
  startTestSandbox,
  twilioBase,
} from './testing.ts';
import { signTwilio } from './twilio-signature.ts';
import { parseOverrides, twilioRetryAfterMs } from './twilio-webhooks.ts';

const oracle = loadOracle('twilio-messages.json');
const errorSchema = 'x-rest-error';
let muster: Receiver;
let client: Client;

beforeEach(async () => {
  muster = await startReceiver();
  client = createClient(await startTestSandbox({ TWILIO_INBOUND_URL: `${muster.url}/inbound` }));
});
afterEach(async () => {
  await client.sandbox.close();
  await muster.close();
});

type Resource = { sid: string; status: string; to: string; error_code: number | null; uri: string };

function expectResource(value: unknown): Resource {
  oracle?.expectValid('api.v2010.account.message', value);
  expect(Object.keys(value as object)).toEqual(
    expect.arrayContaining(oracle?.publishedNames('api.v2010.account.message') ?? []),
  );
  return value as Resource;
}

async function create(fields: Record<string, string | string[]>) {
  return await client.form(`${twilioBase}/Messages.json`, {
    To: '+14235550143',
    From: '+14235550120',
    Body: 'Hello',
    ...fields,
  });
}

function callbacks() {
  return muster.hooks
    .filter(({ path }) => path.startsWith('/status'))
    .map(({ body, path, headers }) => {
      const fields = Object.fromEntries(new URLSearchParams(body));
      oracle?.expectValid('x-webhook-message-status', fields);
      oracle?.expectKnown('x-webhook-message-status', fields);
      expect(headers['x-twilio-signature']).toBe(signTwilio(authToken, muster.url + path, fields));
      return fields;
    });
}

describe('X-Twilio-Signature', () => {
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
  const call = {
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675309',
    Digits: '1234',
    From: '+14158675309',
    To: '+18005551212',
  };
  const status = {
    AccountSid: accountSid,
    ApiVersion: '2010-04-01',
    ErrorCode: '30003',
    From: '+15550100001',
    MessageSid: 'SM00000000000000000000000000000001',
    SmsSid: 'SM00000000000000000000000000000001',
    MessageStatus: 'undelivered',
    SmsStatus: 'undelivered',
    To: '+15550100002',
  };
  const bodyHash = '0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620';
  it.each<
    [
      name: string,
      signed: { token?: string; address: string; parameters: Record<string, string | string[]> },
      is: string,
    ]
  >([
    ['the published example', { address: url, parameters: call }, 'RSOYDt4T1cUTdK1PDd93/VVr8B8='],
    [
      'with the port',
      { address: url.replace('.com/', '.com:443/'), parameters: call },
      'kvajT1Ptam85bY51eRf/AJRuM3w=',
    ],
    [
      'a repeated name',
      {
        address: url,
        parameters: { 'MessagingBinding.Address': ['+1415xxxxxxx', '+1325xxxxxxx', '+1415xxxxxxx'] },
      },
      '83O6e2vORAoJHUNzJjDWN1jz+BA=',
    ],
    [
      'a JSON body',
      { address: `${url}&bodySHA256=${bodyHash}`, parameters: {} },
      'a9nBmqA0ju/hNViExpshrM61xv4=',
    ],
    [
      'our own vector, fragment left out',
      {
        token: '0123456789abcdef0123456789abcdef',
        address: 'https://muster.example/hooks/twilio/status?c=7#rc=5&rp=all',
        parameters: status,
      },
      'VqM7rt9IxF1f5A9jepLARIsBMpI=',
    ],
  ])('%s', (_name, { token = '12345', address, parameters }, signature) => {
    expect(signTwilio(token, address, parameters)).toBe(signature);
  });
});

describe('Twilio: messages', () => {
  it.skipIf(!oracle)(oracle ? 'is held to the published description' : noProtocols, () => {
    expect(() => oracle?.expectValid(errorSchema, {})).toThrow('must have required property');
  });

  it('creates, delivers and calls back', async () => {
    const answer = await create({ StatusCallback: `${muster.url}/status?m=mu-1` });
    expect(answer.status).toBe(201);
    const created = expectResource(answer.json);
    expect(created).toMatchObject({ status: 'queued', to: '+14235550143', body: 'Hello', date_sent: null });
    expect(created.sid).toMatch(/^SM[0-9a-f]{32}$/);
    await client.settle();
    // Over several connections, so in any order.
    expect(
      callbacks()
        .map(({ MessageStatus, MessageSid }) => [MessageStatus, MessageSid])
        .sort(),
    ).toEqual([
      ['delivered', created.sid],
      ['sent', created.sid],
    ]);
    const fetched = expectResource((await client.call('GET', created.uri)).json);
    expect(fetched.status).toBe('delivered');
  });

  it('has no idempotency: the same request twice is two messages', async () => {
    const [first, second] = [await create({}), await create({})];
    expect((first.json as Resource).sid).not.toBe((second.json as Resource).sid);
    await client.settle();
    expect((await client.call('GET', '/stats')).json).toMatchObject({
      Accepted: 2,
      DuplicatesByKey: 0,
      DuplicatesByNumberAndText: 1,
      Delivered: 2,
    });
  });

  it.each([
    ['0180', 30022],
    ['0181', 30034],
    ['0183', 30007],
    ['0184', 30005],
    ['0185', 30011],
    ['0186', 30003],
    ['0188', 30004],
    ['0189', 30036],
    ['0190', 30008],
  ])('(423) 555-%s ends with %i', async (last, code) => {
    const answer = await create({ To: `+1423555${last}`, StatusCallback: `${muster.url}/status` });
    await client.settle();
    expect(callbacks().find(({ MessageStatus }) => MessageStatus !== 'sent')).toMatchObject({
      MessageStatus: 'undelivered',
      ErrorCode: String(code),
    });
    const { uri } = answer.json as Resource;
    expect(expectResource((await client.call('GET', uri)).json)).toMatchObject({
      status: 'undelivered',
      error_code: code,
    });
  });

  it('leaves 0197 at sent and 0191 without a word', async () => {
    await create({ To: '+14235550197', StatusCallback: `${muster.url}/status` });
    await create({ To: '+14235550191', StatusCallback: `${muster.url}/status` });
    await client.settle();
    await muster.waitFor(1);
    expect(callbacks().map(({ To, MessageStatus }) => [To, MessageStatus])).toEqual([
      ['+14235550197', 'sent'],
    ]);
  });

  it.each([
    [{ To: '' }, 21604],
    [{ From: '' }, 21603],
    [{ Body: '' }, 21602],
    [{ Body: 'x'.repeat(1601) }, 21617],
    [{ To: '+1555' }, 21211],
    [{ From: 'someone' }, 21212],
    [{ MediaUrl: Array(11).fill('http://127.0.0.1/a.png') }, 21623],
    [{ MediaUrl: 'nowhere' }, 21620],
    [{ To: '+15005550001' }, 21211],
    [{ To: '+15005550002' }, 21612],
    [{ To: '+15005550003' }, 21408],
    [{ To: '+15005550004' }, 21610],
    [{ To: '+15005550009' }, 21614],
    [{ From: '+15005550007' }, 21606],
    [{ From: '+15005550008' }, 21611],
    [{ To: '+14235550187' }, 21610],
    [{ To: '+14235550192' }, 21211],
  ])('refuses %o with %i', async (fields, code) => {
    const answer = await create(fields);
    oracle?.expectValid('x-rest-error', answer.json);
    expect([answer.status, answer.json]).toMatchObject([400, { code, status: 400 }]);
    expect((await client.call('GET', '/stats')).json).toMatchObject({ Accepted: 0, Refused: 1 });
  });

  it('asks for the token and knows its paths', async () => {
    const wrong = await client.call('GET', `${twilioBase}/Messages.json`, undefined, {
      authorization: 'Basic eA==',
    });
    oracle?.expectValid('x-rest-error', wrong.json);
    expect([wrong.status, wrong.json]).toMatchObject([401, { code: 20003 }]);
    for (const path of ['/Messages/SM00000000000000000000000000000009.json', '/Nothing.json']) {
      const missing = await client.call('GET', twilioBase + path);
      oracle?.expectValid('x-rest-error', missing.json);
      expect([missing.status, missing.json]).toMatchObject([404, { code: 20404 }]);
    }
    const other = await client.call('GET', `/2010-04-01/Accounts/AC${'9'.repeat(32)}/Messages.json`);
    expect(other.status).toBe(404);
  });
});

describe('Twilio: lists', () => {
  type Page = { messages: Resource[]; next_page_uri: string | null; page: number; page_size: number };

  it('pages by next_page_uri, newest first, while others arrive', async () => {
    const sids: string[] = [];
    for (let i = 0; i < 5; i++) sids.push(((await create({ Body: `Text ${i}` })).json as Resource).sid);
    const seen: string[] = [];
    let next: string | null = `${twilioBase}/Messages.json?To=%2B14235550143&PageSize=2`;
    while (next !== null) {
      const page: Page = (await client.call('GET', next)).json as Page;
      seen.push(...page.messages.map((message) => expectResource(message).sid));
      next = page.next_page_uri;
      await create({ To: '+14235550143', Body: 'Meanwhile' });
    }
    expect(seen).toEqual(sids.reverse());
  });

  it('filters by To, From and the day it was sent', async () => {
    await create({});
    await create({ To: '+14235550106' });
    await client.settle();
    const list = async (query: string) =>
      ((await client.call('GET', `${twilioBase}/Messages.json?${query}`)).json as Page).messages.length;
    const today = new Date().toISOString().slice(0, 10);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    expect(await list('To=%2B14235550106')).toBe(1);
    expect(await list('From=%2B14235550120')).toBe(2);
    expect(await list('From=%2B14235550199')).toBe(0);
    expect(await list(`DateSent%3E=${today}`)).toBe(2);
    expect(await list(`DateSent%3E=${tomorrow}`)).toBe(0);
    expect(await list(`DateSent%3C=${today}`)).toBe(2);
    expect(await list(`DateSent=${today}`)).toBe(2);
    expect((await client.call('GET', `${twilioBase}/Messages.json?PageSize=5000`)).status).toBe(400);
    expect((await client.call('GET', `${twilioBase}/Messages.json?DateSent=soon`)).status).toBe(400);
  });

  it('leaves what is not sent yet out of a list by date', async () => {
    client.sandbox.carrier.settings.DeliveryDelayMs = [3_600_000, 3_600_000];
    await create({});
    const today = new Date().toISOString().slice(0, 10);
    const all = (await client.call('GET', `${twilioBase}/Messages.json`)).json as Page;
    const dated = (await client.call('GET', `${twilioBase}/Messages.json?DateSent%3E=${today}`)).json as Page;
    expect([all.messages.length, dated.messages.length]).toEqual([1, 0]);
  });
});

describe('Twilio: pictures', () => {
  const gif = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');

  it('takes an MMS on, lists its media and serves the picture', async () => {
    const own = client.sandbox.carrier.media.keep('image/gif', gif);
    const created = (await create({ MediaUrl: client.sandbox.url + own.Url })).json as Resource;
    expect(created.sid).toMatch(/^MM[0-9a-f]{32}$/);
    await client.settle();
    const list = (await client.call('GET', created.uri.replace('.json', '/Media.json'))).json as {
      media_list: { uri: string; content_type: string }[];
    };
    expect(list.media_list).toHaveLength(1);
    const [media] = list.media_list;
    oracle?.expectValid('api.v2010.account.message.media', media);
    expect(Object.keys(media ?? {})).toEqual(
      expect.arrayContaining(oracle?.publishedNames('api.v2010.account.message.media') ?? []),
    );
    expect((await client.call('GET', media?.uri ?? '')).json).toEqual(media);
    const bytes = await fetch(client.sandbox.url + media?.uri.replace('.json', ''));
    expect(bytes.headers.get('content-type')).toBe('image/gif');
    expect(Buffer.from(await bytes.arrayBuffer())).toEqual(gif);
  });

  it('hands a text and a picture from a telephone on, signed', async () => {
    await client.call('POST', '/phones/14235550143/messages', { To: '+14235550120', Text: 'Hi there' });
    await client.call('POST', '/phones/14235550143/messages', {
      To: '14235550120',
      Media: [{ ContentType: 'image/gif', Data: gif.toString('base64') }],
    });
    const hooks = await muster.waitFor(2);
    const sent = hooks.map(({ body, path, headers }) => {
      const fields = Object.fromEntries(new URLSearchParams(body));
      oracle?.expectValid('x-webhook-message-incoming', fields);
      oracle?.expectKnown('x-webhook-message-incoming', fields);
      expect(headers['x-twilio-signature']).toBe(signTwilio(authToken, muster.url + path, fields));
      return fields;
    });
    expect(sent.find(({ NumMedia }) => NumMedia === '0')).toMatchObject({
      Body: 'Hi there',
      From: '+14235550143',
      To: '+14235550120',
    });
    const picture = sent.find(({ NumMedia }) => NumMedia === '1');
    expect(picture?.MessageSid).toMatch(/^MM/);
    const copy = await fetch(picture?.MediaUrl0 ?? '');
    expect(Buffer.from(await copy.arrayBuffer())).toEqual(gif);
  });
});

describe('Twilio: retries', () => {
  it('reads the overrides of the fragment', () => {
    expect(parseOverrides('http://a/b')).toMatchObject({ retries: 1, timeoutMs: 15_000 });
    expect(parseOverrides('http://a/b#rc=5&rp=all&rt=3000')).toMatchObject({ retries: 5, timeoutMs: 3000 });
    expect(parseOverrides('http://a/b#rc=9&rt=1')).toMatchObject({ retries: 1, timeoutMs: 15_000 });
  });

  const failure = (status: number) => ({ kind: 'status', status }) as const;
  it.each([
    ['http://a/b', 1, { kind: 'broken', late: false } as const, 2],
    ['http://a/b', 2, { kind: 'broken', late: false } as const, undefined],
    ['http://a/b', 1, failure(500), undefined],
    ['http://a/b#rc=2&rp=5xx', 2, failure(503), 5],
    ['http://a/b#rc=2&rp=5xx', 1, failure(404), undefined],
    ['http://a/b#rc=5&rp=all', 5, { kind: 'broken', late: true } as const, 40],
    ['http://a/b#rc=5&rp=all', 6, failure(500), undefined],
  ])('%s after %i tries', (url, tries, reply, expected) => {
    expect(twilioRetryAfterMs(url, tries, reply, 1)).toBe(expected);
  });

  it('loses a callback that got a 500, unless the fragment asks for more', async () => {
    let first = true;
    muster.answer = () => {
      if (!first) return 200;
      first = false;
      return 500;
    };
    await create({ StatusCallback: `${muster.url}/status?plain` });
    await client.settle();
    expect(muster.hooks.filter(({ path }) => path === '/status?plain')).toHaveLength(2);
    first = true;
    await create({ StatusCallback: `${muster.url}/status?more#rc=5&rp=all` });
    await client.settle();
    const more = await muster.waitFor(3, ({ path }) => path === '/status?more');
    expect(more[0]?.headers['i-twilio-idempotency-token']).toBeDefined();
  });
});
