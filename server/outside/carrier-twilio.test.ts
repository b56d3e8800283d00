import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { shiftClock } from '../clock.ts';
import type { Carrier, DoubtfulText, OutboundText } from './carrier.ts';
import { twilioCarrier } from './carrier-twilio.ts';
import { checkEveryRequest } from './testing/published.ts';
import {
  type Got,
  type Script,
  type ScriptedCarrier,
  startScriptedCarrier,
} from './testing/scripted-carrier.ts';

const accountSid = `AC${'0'.repeat(31)}1`;
const authToken = 'token-that-must-not-leak';
const messagesPath = `/2010-04-01/Accounts/${accountSid}/Messages.json`;

let server: ScriptedCarrier;
let carrier: Carrier;

beforeEach(async () => {
  server = await startScriptedCarrier(accept);
  carrier = twilioCarrier({
    baseUrl: server.url,
    accountSid,
    authToken,
    publicUrl: 'https://muster.example',
  });
});

afterEach(async () => {
  vi.useRealTimers();
  await server.close();
  await carrier.close();
});

function text(key: string, over: Partial<OutboundText> = {}): OutboundText {
  const to = `1423555${key.replace(/\D/g, '').padStart(4, '0')}`;
  return { key, from: '14235550120', to, body: 'School is closed.', mediaUrls: [], ...over };
}

function texts(count: number): OutboundText[] {
  return Array.from({ length: count }, (_, index) => text(`m${index}`));
}

function sidOf(number: number): string {
  return `SM${String(number).padStart(32, '0')}`;
}

function accept(_: Got, count: number): Script {
  return { status: 201, body: { sid: sidOf(count), status: 'queued', error_code: null } };
}

const error = (status: number, code: number): Script => ({
  status,
  body: { code, message: 'x', more_info: 'x', status },
});

describe('requests', () => {
  it('go through the agent of an RCS number, and are looked up there', async () => {
    const rcsAgent = `MG${'0'.repeat(32)}`;
    await carrier.hand([text('m1', { rcsAgent })]);
    const sent = new URLSearchParams(server.requests[0]?.body);
    expect([sent.get('MessagingServiceSid'), sent.get('FallbackFrom'), sent.has('From')]).toEqual([
      rcsAgent,
      '+14235550120',
      false,
    ]);
    const since = new Date();
    const listed = (sid: string, from: string, service: string | null) => ({
      ...{ sid, from, messaging_service_sid: service, body: 'School is closed.', direction: 'outbound-api' },
      date_created: since.toUTCString(),
    });
    server.answerWith(() => ({
      status: 200,
      body: {
        messages: [listed(sidOf(7), '+14235550199', null), listed(sidOf(8), 'rcs:harlow_agent', rcsAgent)],
        next_page_uri: null,
      },
    }));
    const found = await carrier.find([{ ...text('m1', { rcsAgent }), since, otherIds: [] }]);
    expect(found.get('m1')).toEqual({ carrierMessageId: sidOf(8) });
    expect(server.requests.at(-1)?.path).not.toContain('From=');
  });

  it('are one per text, with our key in the URL of its receipts', async () => {
    const mediaUrls = ['https://muster.example/1.jpg', 'https://muster.example/2.jpg'];
    const outcomes = await carrier.hand([
      text('m1', { mediaUrls }),
      text('m 2&', { body: 'Ünïcode & more 👍' }),
    ]);
    expect(outcomes).toEqual([
      { key: 'm1', outcome: 'accepted', carrierMessageId: sidOf(1) },
      { key: 'm 2&', outcome: 'accepted', carrierMessageId: sidOf(2) },
    ]);
    const [first, second] = server.requests;
    expect(first).toMatchObject({ method: 'POST', path: messagesPath });
    expect(first?.headers.authorization).toBe(`Basic ${btoa(`${accountSid}:${authToken}`)}`);
    expect([...new URLSearchParams(first?.body)]).toEqual([
      ['To', '+14235550001'],
      ['From', '+14235550120'],
      ['Body', 'School is closed.'],
      ['MediaUrl', 'https://muster.example/1.jpg'],
      ['MediaUrl', 'https://muster.example/2.jpg'],
      ['StatusCallback', 'https://muster.example/hooks/twilio/receipts?key=m1#rc=5&rp=all'],
    ]);
    const form = new URLSearchParams(second?.body);
    expect(form.get('Body')).toBe('Ünïcode & more 👍');
    expect(new URL(form.get('StatusCallback') ?? '').searchParams.get('key')).toBe('m 2&');
  });

  it('are at most twenty at once', async () => {
    let under = 0;
    let most = 0;
    server.answerWith((got, count) => {
      under++;
      most = Math.max(most, under);
      setImmediate(() => {
        under--;
      });
      return accept(got, count);
    });
    const outcomes = await carrier.hand(texts(60));
    expect(outcomes.every(({ outcome }) => outcome === 'accepted')).toBe(true);
    expect(most).toBeLessThanOrEqual(20);
  });

  it('are not sent without texts', async () => {
    expect(await carrier.hand([])).toEqual([]);
  });
});

describe('the outcome of a text', () => {
  it.each<[string, Script, object]>([
    [
      '201',
      { status: 201, body: { sid: sidOf(7), status: 'accepted' } },
      { outcome: 'accepted', carrierMessageId: sidOf(7) },
    ],
    [
      '201 that failed',
      { status: 201, body: { sid: sidOf(7), status: 'failed', error_code: 30034 } },
      { outcome: 'refused', status: 'carrier_rejected', error: '30034' },
    ],
    ['201 without an id', { status: 201, body: {} }, { outcome: 'doubt' }],
    ['201 that is no JSON', { status: 201, body: 'x' }, { outcome: 'doubt' }],
    ['400 unsubscribed', error(400, 21610), { outcome: 'refused', status: 'opted_out', error: '21610' }],
    ['400 invalid', error(400, 21211), { outcome: 'refused', status: 'number_unavailable', error: '21211' }],
    [
      '400 of another kind',
      error(400, 21617),
      { outcome: 'refused', status: 'not_delivered', error: '21617' },
    ],
    [
      '400 without a code',
      { status: 400, body: 'x' },
      { outcome: 'refused', status: 'not_delivered', error: '400' },
    ],
    ['400 for our webhook', error(400, 21609), { outcome: 'later', afterMs: 30_000, isCarrierDown: true }],
    [
      '401',
      error(401, 20003),
      {
        outcome: 'later',
        afterMs: 30_000,
        isCarrierDown: true,
        reason: expect.stringContaining('credentials'),
      },
    ],
    ['403', error(403, 20003), { outcome: 'later', afterMs: 30_000, isCarrierDown: true }],
    ['404', error(404, 20404), { outcome: 'later', afterMs: 30_000, isCarrierDown: true }],
    ['429', error(429, 20429), { outcome: 'later', afterMs: 1000, isCarrierDown: true }],
    [
      '429 with a wait',
      { status: 429, headers: { 'retry-after': '4' } },
      { outcome: 'later', afterMs: 4000 },
    ],
    ['500', error(500, 20500), { outcome: 'doubt' }],
    ['503', error(503, 20503), { outcome: 'doubt' }],
    ['a cut connection', 'reset', { outcome: 'doubt' }],
    ['half a reply', 'half', { outcome: 'doubt' }],
  ])('%s', async (_, script, expected) => {
    server.answerWith(() => script);
    const outcomes = await carrier.hand([text('m1')]);
    expect(outcomes).toMatchObject([{ key: 'm1', ...expected }]);
    expect(server.requests).toHaveLength(1);
    expect(JSON.stringify(outcomes)).not.toContain('must-not-leak');
  });

  it('is doubt after 5 seconds without a response', async () => {
    server.answerWith(() => 'hang');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const arrival = server.arrival();
    const handing = carrier.hand([text('m1')]);
    await arrival;
    await vi.advanceTimersByTimeAsync(5000);
    expect(await handing).toMatchObject([{ key: 'm1', outcome: 'doubt' }]);
  });

  it('is later when nothing is listening', async () => {
    await server.close();
    expect(await carrier.hand(texts(3))).toMatchObject([
      { outcome: 'later', isCarrierDown: true },
      { outcome: 'later', isCarrierDown: true },
      { outcome: 'later', isCarrierDown: true },
    ]);
  });
});

describe('a slice', () => {
  it('begins with a single text, and ends there when the carrier is down', async () => {
    server.answerWith(() => error(500, 20500));
    const outcomes = await carrier.hand(texts(40));
    expect(server.requests).toHaveLength(1);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['doubt', ...Array(39).fill('later')]);
  });

  it('holds the rest back at the first sign of a limit, with the same wait', async () => {
    await carrier.hand(texts(1));
    server.answerWith(() => ({ status: 429, headers: { 'retry-after': '3' } }));
    const outcomes = await carrier.hand(texts(40));
    expect(server.requests.length).toBeLessThanOrEqual(21);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ outcome: 'later', afterMs: 3000 });
  });

  it('continues after two texts in doubt, and stops after three', async () => {
    server.answerWith((got, count) => {
      return /key%3Dm[78]%23/.test(got.body) ? error(500, 20500) : accept(got, count);
    });
    const outcomes = await carrier.hand(texts(40));
    expect(outcomes.filter(({ outcome }) => outcome !== 'accepted')).toMatchObject([
      { key: 'm7', outcome: 'doubt' },
      { key: 'm8', outcome: 'doubt' },
    ]);
    await carrier.hand(texts(1));
    server.answerWith(() => error(500, 20500));
    const failed = await carrier.hand(texts(40));
    expect(failed.filter(({ outcome }) => outcome === 'doubt').length).toBeLessThanOrEqual(22);
    expect(failed.at(-1)).toMatchObject({ outcome: 'later', afterMs: 1000, isCarrierDown: true });
  });

  it('starts no text after 4 seconds, so that it ends before its lease expires', async () => {
    server.answerWith((got, count) => {
      if (count === 1) shiftClock(4000);
      return accept(got, count);
    });
    const outcomes = await carrier.hand(texts(3));
    shiftClock(-4000);
    expect(server.requests).toHaveLength(1);
    expect(outcomes).toMatchObject([
      { outcome: 'accepted' },
      { outcome: 'later', afterMs: 0, isCarrierDown: false },
      { outcome: 'later', afterMs: 0, isCarrierDown: false },
    ]);
  });

  it('does not end at a text that is refused', async () => {
    server.answerWith((got, count) => (count === 1 ? error(400, 21610) : accept(got, count)));
    const outcomes = await carrier.hand(texts(40));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['refused', ...Array(39).fill('accepted')]);
  });
});

describe('looking up texts in doubt', () => {
  const since = new Date('2026-11-20T15:00:00.700Z');

  function doubtful(key: string, over: Partial<DoubtfulText> = {}): DoubtfulText {
    return { ...text(key, { to: '14235550143' }), since, otherIds: [], ...over };
  }

  function listed(number: number, seconds: number, over: object = {}) {
    const date = new Date(Date.UTC(2026, 10, 20, 15, 0, seconds));
    return {
      sid: sidOf(number),
      body: 'School is closed.',
      direction: 'outbound-api',
      date_created: date.toUTCString().replace('GMT', '+0000'),
      ...over,
    };
  }

  const list = (...messages: unknown[]): Script => ({ status: 200, body: { messages, next_page_uri: null } });

  it('queries the thread, and finds the message with the same words since the try', async () => {
    server.answerWith(() =>
      list(
        null,
        listed(1, -1, { body: 'Other words' }),
        listed(2, -1, { direction: 'inbound' }),
        listed(3, -1, { sid: 'not an id' }),
        listed(4, 0),
        listed(5, -6),
      ),
    );
    expect(await carrier.find([doubtful('m1')])).toEqual(new Map([['m1', { carrierMessageId: sidOf(4) }]]));
    const asked = new URL(server.requests[0]?.path ?? '', server.url);
    expect(asked.pathname).toBe(messagesPath);
    expect([...asked.searchParams]).toEqual([
      ['To', '+14235550143'],
      ['From', '+14235550120'],
      ['PageSize', '50'],
    ]);
  });

  it('does not match the message of another text', async () => {
    server.answerWith(() => list(listed(1, 1)));
    expect(await carrier.find([doubtful('m1', { otherIds: [sidOf(1)] })])).toEqual(new Map());
  });

  it('matches each message with one text only, the earlier with the earlier', async () => {
    server.answerWith(() => list(listed(2, 4), listed(1, 1)));
    const later = new Date(since.getTime() + 3000);
    const found = await carrier.find([
      doubtful('b', { since: later }),
      doubtful('a'),
      doubtful('c', { since: later }),
    ]);
    expect(found).toEqual(
      new Map([
        ['a', { carrierMessageId: sidOf(1) }],
        ['b', { carrierMessageId: sidOf(2) }],
      ]),
    );
  });

  it('makes one query per thread', async () => {
    server.answerWith(() => list());
    await carrier.find([doubtful('a'), doubtful('b'), doubtful('c', { to: '14235550109' })]);
    expect(server.requests).toHaveLength(2);
  });

  it('reads pages back to the try and no further', async () => {
    const next = `${messagesPath}?To=%2B14235550143&From=%2B14235550120&PageSize=50&Page=1&PageToken=PA1`;
    server.answerWith((_, count) => ({
      status: 200,
      body: {
        messages: [listed(count, 60 - 30 * count, { body: count < 3 ? 'x' : 'School is closed.' })],
        next_page_uri: next,
      },
    }));
    // The pages are of second 30, 0, -30: the third is older than the try.
    expect(await carrier.find([doubtful('m1')])).toEqual(new Map());
    expect(server.requests).toHaveLength(3);
    expect(server.requests[1]?.path).toBe(next);
  });

  it('reads five pages at most', async () => {
    server.answerWith(() => ({
      status: 200,
      body: { messages: [listed(1, 9, { body: 'x' })], next_page_uri: `${messagesPath}?Page=1` },
    }));
    await carrier.find([doubtful('m1')]);
    expect(server.requests).toHaveLength(5);
  });

  it('never follows a page to another host, which would get the credentials', async () => {
    server.answerWith(() => ({
      status: 200,
      body: { messages: [listed(1, 9, { body: 'x' })], next_page_uri: 'http://127.0.0.1:1/2010-04-01/x' },
    }));
    expect(await carrier.find([doubtful('m1')])).toEqual(new Map());
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, Script]>([
    ['401', error(401, 20003)],
    ['429', error(429, 20429)],
    ['500', error(500, 20500)],
    ['no JSON', { status: 200, body: 'x' }],
    ['reset', 'reset'],
  ])('throws when the request fails (%s)', async (_, script) => {
    server.answerWith(() => script);
    const reason = await carrier.find([doubtful('m1')]).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(reason).toBeInstanceOf(Error);
    expect(String(reason) + JSON.stringify(reason)).not.toContain('must-not-leak');
  });
});

checkEveryRequest();
