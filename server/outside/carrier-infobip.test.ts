import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { shiftClock } from '../clock.ts';
import type { Carrier, DoubtfulText, OutboundText } from './carrier.ts';
import { infobipCarrier } from './carrier-infobip.ts';
import { checkEveryRequest } from './testing/published.ts';
import {
  type Got,
  type Script,
  type ScriptedCarrier,
  startScriptedCarrier,
} from './testing/scripted-carrier.ts';

const apiKey = 'key-that-must-not-leak';
const webhookSecret = 'secret-that-must-not-leak';

let server: ScriptedCarrier;
let carrier: Carrier;

beforeEach(async () => {
  server = await startScriptedCarrier(acceptAll);
  carrier = createCarrier(server.url);
});

afterEach(async () => {
  vi.useRealTimers();
  await server.close();
  await carrier.close();
});

function createCarrier(baseUrl: string): Carrier {
  return infobipCarrier({ baseUrl, apiKey, webhookSecret, publicUrl: 'https://muster.example' });
}

function text(key: string, over: Partial<OutboundText> = {}): OutboundText {
  const to = `1423555${key.replace(/\D/g, '').padStart(4, '0')}`;
  return { key, from: '14235550100', to, body: 'School is closed today.', mediaUrls: [], ...over };
}

interface Sent {
  messages: {
    sender: string;
    destinations: { to: string; messageId: string }[];
    content: { text?: string; messageSegments?: unknown[] };
    webhooks: unknown;
  }[];
}

function readSent(got: Got | undefined): Sent {
  return JSON.parse(got?.body ?? '{}');
}

function entry(messageId: string, groupName: string, id: number, name = 'NAME') {
  return { messageId, destination: '1', status: { groupId: 1, groupName, id, name, description: '' } };
}

function acceptAll(got: Got): Script {
  const destinations = readSent(got).messages.flatMap((message) => message.destinations);
  return {
    status: 200,
    body: { messages: destinations.map(({ messageId }) => entry(messageId, 'PENDING', 26)) },
  };
}

const apiError = (violations: { property: string; violation: string }[] = []): Script => ({
  status: 400,
  body: { errorCode: 'E400', description: '', action: '', violations, resources: [] },
});

describe('the request', () => {
  it('is one request, and one message for all with the same sender and body', async () => {
    const outcomes = await carrier.hand([
      text('m1'),
      text('m2', { body: 'Another.' }),
      text('m3'),
      text('m4', { from: '18445550190' }),
    ]);
    expect(outcomes).toEqual(
      ['m1', 'm2', 'm3', 'm4'].map((key) => ({ key, outcome: 'accepted', carrierMessageId: null })),
    );
    expect(server.requests).toHaveLength(1);
    const [got] = server.requests;
    expect(got).toMatchObject({ method: 'POST', path: '/sms/3/messages' });
    expect(got?.headers.authorization).toBe(`App ${apiKey}`);
    expect(
      readSent(got).messages.map(({ sender, destinations, content }) => [sender, content, destinations]),
    ).toEqual([
      [
        '14235550100',
        { text: 'School is closed today.' },
        [
          { to: '14235550001', messageId: 'm1' },
          { to: '14235550003', messageId: 'm3' },
        ],
      ],
      ['14235550100', { text: 'Another.' }, [{ to: '14235550002', messageId: 'm2' }]],
      ['18445550190', { text: 'School is closed today.' }, [{ to: '14235550004', messageId: 'm4' }]],
    ]);
    expect(readSent(got).messages[0]?.webhooks).toEqual({
      delivery: {
        url: `https://muster.example/hooks/infobip/receipts/${webhookSecret}`,
        intermediateReport: false,
      },
      contentType: 'application/json',
    });
  });

  it('goes as MMS with a picture, beside the others', async () => {
    const mediaUrls = ['https://muster.example/m/1.jpg', 'https://muster.example/m/2.png'];
    const outcomes = await carrier.hand([
      text('m1', { mediaUrls }),
      text('m2'),
      text('m3', { mediaUrls, body: '' }),
    ]);
    expect(outcomes.map(({ key, outcome }) => [key, outcome])).toEqual([
      ['m1', 'accepted'],
      ['m2', 'accepted'],
      ['m3', 'accepted'],
    ]);
    expect(server.requests.map(({ path }) => path).sort()).toEqual(['/mms/2/messages', '/sms/3/messages']);
    const links = mediaUrls.map((contentUrl) => ({ type: 'LINK', contentUrl }));
    const mms = readSent(server.requests.find(({ path }) => path.startsWith('/mms')));
    expect(mms.messages.map(({ content }) => content.messageSegments)).toEqual([
      [{ type: 'TEXT', text: 'School is closed today.' }, ...links],
      links,
    ]);
  });

  it('keeps a path in the base address', async () => {
    const behindProxy = createCarrier(`${server.url}/infobip/`);
    await behindProxy.hand([text('m1')]);
    await behindProxy.close();
    expect(server.requests[0]?.path).toBe('/infobip/sms/3/messages');
  });

  it('escapes the webhook’s address so that any secret survives', async () => {
    const settings = { baseUrl: server.url, apiKey, publicUrl: 'https://muster.example' };
    const odd = infobipCarrier({ ...settings, webhookSecret: 'a/b c?d#e' });
    await odd.hand([text('m1')]);
    await odd.close();
    expect(readSent(server.requests[0]).messages[0]?.webhooks).toMatchObject({
      delivery: { url: 'https://muster.example/hooks/infobip/receipts/a%2Fb%20c%3Fd%23e' },
    });
  });

  it('is not sent without texts', async () => {
    expect(await carrier.hand([])).toEqual([]);
    expect(server.requests).toEqual([]);
  });
});

describe('the outcome of a text in a successful request', () => {
  it.each([
    ['PENDING', 26, { outcome: 'accepted', carrierMessageId: null }],
    ['PENDING', 7, { outcome: 'accepted', carrierMessageId: null }],
    ['ACCEPTED', 0, { outcome: 'accepted', carrierMessageId: null }],
    ['DELIVERED', 5, { outcome: 'accepted', carrierMessageId: null }],
    ['REJECTED', 23, { outcome: 'accepted', carrierMessageId: null }],
    ['REJECTED', 52, { outcome: 'refused', status: 'number_unavailable', error: '52 NAME' }],
    ['REJECTED', 14, { outcome: 'refused', status: 'blacklisted', error: '14 NAME' }],
    ['REJECTED', 9999, { outcome: 'refused', status: 'not_delivered', error: '9999 NAME' }],
    ['UNDELIVERABLE', 4, { outcome: 'refused', status: 'carrier_rejected', error: '4 NAME' }],
    ['EXPIRED', 15, { outcome: 'refused', status: 'attempts_exceeded', error: '15 NAME' }],
    ['SOMETHING_NEW', 1, { outcome: 'doubt', reason: 'The carrier said nothing of this text.' }],
  ])('%s %i', async (group, id, expected) => {
    server.answerWith(() => ({ status: 200, body: { messages: [entry('m1', group, id)] } }));
    expect(await carrier.hand([text('m1')])).toEqual([{ key: 'm1', ...expected }]);
  });

  it('is found by the message id, in any order, and is doubt if it is missing', async () => {
    const messages = [
      null,
      entry('other', 'PENDING', 26),
      entry('m3', 'REJECTED', 20),
      entry('m1', 'PENDING', 26),
    ];
    server.answerWith(() => ({ status: 200, body: { messages } }));
    const outcomes = await carrier.hand([text('m1'), text('m2'), text('m3')]);
    expect(outcomes.map(({ key, outcome }) => [key, outcome])).toEqual([
      ['m1', 'accepted'],
      ['m2', 'doubt'],
      ['m3', 'refused'],
    ]);
  });
});

describe('a request that failed', () => {
  it.each<[string, Script, object]>([
    ['429', { status: 429 }, { outcome: 'later', afterMs: 1000, isCarrierDown: true }],
    [
      '429 with a wait',
      { status: 429, headers: { 'retry-after': '7' } },
      { outcome: 'later', afterMs: 7000 },
    ],
    [
      '401',
      { status: 401 },
      {
        outcome: 'later',
        afterMs: 30_000,
        isCarrierDown: true,
        reason: expect.stringContaining('credentials'),
      },
    ],
    [
      '403',
      { status: 403 },
      {
        outcome: 'later',
        afterMs: 30_000,
        isCarrierDown: true,
        reason: expect.stringContaining('credentials'),
      },
    ],
    ['404', { status: 404 }, { outcome: 'later', afterMs: 30_000, isCarrierDown: true }],
    [
      'a redirect',
      { status: 302, headers: { location: '/elsewhere' } },
      { outcome: 'later', isCarrierDown: true },
    ],
    ['500', { status: 500 }, { outcome: 'doubt' }],
    ['503', { status: 503 }, { outcome: 'doubt' }],
    ['408', { status: 408 }, { outcome: 'doubt' }],
    ['no JSON', { status: 200, body: '<html>' }, { outcome: 'doubt' }],
    ['no messages', { status: 200, body: [] }, { outcome: 'doubt' }],
    ['a cut connection', 'reset', { outcome: 'doubt' }],
    ['half a reply', 'half', { outcome: 'doubt' }],
  ])('%s', async (_, script, expected) => {
    server.answerWith(() => script);
    const outcomes = await carrier.hand([text('m1'), text('m2')]);
    expect(outcomes).toMatchObject([
      { key: 'm1', ...expected },
      { key: 'm2', ...expected },
    ]);
    expect(server.requests).toHaveLength(1);
    expect(JSON.stringify(outcomes)).not.toContain('must-not-leak');
  });

  it('leaves the texts in doubt after 5 seconds without a response', async () => {
    server.answerWith(() => 'hang');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const arrival = server.arrival();
    const handing = carrier.hand([text('m1')]);
    await arrival;
    await vi.advanceTimersByTimeAsync(5000);
    expect(await handing).toMatchObject([{ key: 'm1', outcome: 'doubt' }]);
  });

  it('was certainly not accepted when nothing is listening', async () => {
    await server.close();
    expect(await carrier.hand([text('m1')])).toMatchObject([
      {
        key: 'm1',
        outcome: 'later',
        afterMs: 1000,
        isCarrierDown: true,
        reason: expect.stringContaining('refused'),
      },
    ]);
  });

  it('was certainly not accepted when the host name is unknown', async () => {
    const lost = createCarrier('http://carrier.invalid');
    expect(await lost.hand([text('m1')])).toMatchObject([{ outcome: 'later', isCarrierDown: true }]);
    await lost.close();
  });

  it('was certainly not accepted when the carrier is closed', async () => {
    await carrier.close();
    expect(await carrier.hand([text('m1')])).toMatchObject([{ outcome: 'later' }]);
    carrier = createCarrier(server.url);
  });
});

describe('a refused request (400)', () => {
  it('refuses the named texts, and retries the others at once', async () => {
    server.answerWith(() =>
      apiError([
        { property: 'messages[0].destinations[1].to', violation: 'size must be between 0 and 64' },
        { property: 'messages[1].content.text', violation: 'must not be null' },
        { property: 'messages[77].destinations[0].to', violation: 'is not there' },
      ]),
    );
    const outcomes = await carrier.hand([
      text('m1'),
      text('m2', { body: 'B' }),
      text('m3'),
      text('m4', { body: 'B' }),
    ]);
    expect(outcomes).toMatchObject([
      { key: 'm1', outcome: 'later', afterMs: 0, isCarrierDown: false },
      { key: 'm2', outcome: 'refused', status: 'not_delivered' },
      { key: 'm3', outcome: 'refused', status: 'number_unavailable' },
      { key: 'm4', outcome: 'refused', status: 'not_delivered' },
    ]);
  });

  it('refuses no text if the error is about our webhook’s address', async () => {
    server.answerWith(() =>
      apiError([{ property: 'messages[0].webhooks.delivery.url', violation: 'must be a valid URL' }]),
    );
    expect(await carrier.hand([text('m1')])).toMatchObject([
      { outcome: 'later', afterMs: 30_000, isCarrierDown: true },
    ]);
  });

  it('is halved until the bad text is alone, and never stops the others', async () => {
    server.answerWith((got) => (got.body.includes('"m333"') ? apiError() : acceptAll(got)));
    const texts = Array.from({ length: 500 }, (_, index) => text(`m${index}`));
    const outcomes = await carrier.hand(texts);
    expect(outcomes.map(({ key }) => key)).toEqual(texts.map(({ key }) => key));
    expect(outcomes.filter(({ outcome }) => outcome !== 'accepted')).toEqual([
      { key: 'm333', outcome: 'refused', status: 'not_delivered', error: '400' },
    ]);
    // Nine levels, two requests each.
    expect(server.requests.length).toBeLessThanOrEqual(20);
  });

  it('stops halving when the carrier asks for a pause', async () => {
    server.answerWith((_, count) =>
      count < 3 ? apiError() : { status: 429, headers: { 'retry-after': '9' } },
    );
    const outcomes = await carrier.hand(Array.from({ length: 8 }, (_, index) => text(`m${index}`)));
    expect(server.requests).toHaveLength(3);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ outcome: 'later', afterMs: 9000 });
  });

  it('stops halving after 4 seconds, so that it ends before its lease expires', async () => {
    server.answerWith(() => {
      shiftClock(5000);
      return apiError();
    });
    const outcomes = await carrier.hand([text('m1'), text('m2')]);
    shiftClock(-5000);
    expect(server.requests).toHaveLength(1);
    expect(outcomes).toMatchObject([
      { key: 'm1', outcome: 'later', afterMs: 0, isCarrierDown: false },
      { key: 'm2', outcome: 'later', afterMs: 0, isCarrierDown: false },
    ]);
  });

  it('halves a request that is too large (413)', async () => {
    server.answerWith((got) => (got.body.length > 400 ? { status: 413 } : acceptAll(got)));
    const outcomes = await carrier.hand(Array.from({ length: 4 }, (_, index) => text(`m${index}`)));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted', 'accepted', 'accepted']);
  });
});

describe('looking up texts in doubt', () => {
  const doubtful = (key: string, over: Partial<OutboundText> = {}): DoubtfulText => {
    return { ...text(key, over), since: new Date(), otherIds: [] };
  };

  it('finds those in the log, but not those that were refused', async () => {
    const results = [
      entry('m1', 'PENDING', 7),
      entry('m2', 'REJECTED', 52),
      entry('m3', 'REJECTED', 23),
      entry('m4', 'UNDELIVERABLE', 9),
      entry('other', 'PENDING', 7),
      null,
    ];
    server.answerWith(() => ({ status: 200, body: { results } }));
    const found = await carrier.find(['m1', 'm2', 'm3', 'm4', 'm5'].map((key) => doubtful(key)));
    expect([...found.keys()].sort()).toEqual(['m1', 'm3', 'm4']);
    expect(found.get('m1')).toEqual({ carrierMessageId: null });
  });

  it('asks with at most 2,048 characters of ids, and each log for its own kind', async () => {
    server.answerWith(() => ({ status: 200, body: { results: [] } }));
    const keys = Array.from({ length: 300 }, (_, index) => `k${String(index).padStart(20, '0')}`);
    const texts = keys.map((key) => doubtful(key));
    await carrier.find([...texts, doubtful('p1', { mediaUrls: ['https://muster.example/1.jpg'] })]);
    const asked = server.requests.map(({ path }) => new URL(path, server.url));
    const ids = asked.map(({ searchParams }) => searchParams.get('messageId') ?? '');
    for (const each of ids) expect(each.length).toBeLessThanOrEqual(2048);
    expect(ids.slice(0, -1).flatMap((each) => each.split(','))).toEqual(keys);
    expect(asked.slice(0, -1).every(({ pathname }) => pathname === '/sms/3/logs')).toBe(true);
    expect(asked.at(-1)?.pathname).toBe('/mms/2/logs');
    expect(ids.at(-1)).toBe('p1');
    expect(asked[0]?.searchParams.get('limit')).toBe('1000');
  });

  it.each<[string, Script]>([
    ['429', { status: 429 }],
    ['500', { status: 500 }],
    ['no JSON', { status: 200, body: 'x' }],
    ['reset', 'reset'],
  ])('throws when the log request fails (%s)', async (_, script) => {
    server.answerWith(() => script);
    const error = await carrier.find([doubtful('m1')]).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(Error);
    expect(String(error) + JSON.stringify(error)).not.toContain('must-not-leak');
  });
});

checkEveryRequest();
