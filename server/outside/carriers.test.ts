import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Config, readConfig } from '../config.ts';
import { startSandbox, type TestSandbox, testCredentials } from '../testing/test-sandbox.ts';
import type { Carrier, InboundText, OutboundText, Receipt } from './carrier.ts';
import { createCarriers } from './carriers.ts';
import { type HookServer, startHookServer } from './testing/hook-server.ts';
import { checkEveryRequest, expectPublished } from './testing/published.ts';

// Both adapters with the sandbox, which is a separate program: outbound texts, receipts and inbound texts,
// and errors in between. The tests check what the telephones got.

const infobipNumber = '14235550100';
const twilioNumber = '14235550120';

let hooks: HookServer;
let sandbox: TestSandbox;
let carriers: Map<number, Carrier>;

function settings(over: Record<string, string> = {}): Config {
  return readConfig({ DATABASE_URL: 'postgres://x', ...over });
}

beforeAll(async () => {
  hooks = await startHookServer();
  sandbox = await startSandbox(hooks.url, { [infobipNumber]: 'infobip', [twilioNumber]: 'twilio' });
  carriers = createCarriers(
    settings({
      PUBLIC_URL: hooks.url,
      INFOBIP_BASE_URL: sandbox.url,
      TWILIO_BASE_URL: sandbox.url,
      ...testCredentials,
    }),
  );
  hooks.carriers.set('infobip', getCarrier(5)).set('twilio', getCarrier(2));
});

afterEach(async () => {
  vi.useRealTimers();
  await sandbox.control('DELETE', '/faults');
});

afterAll(async () => {
  for (const carrier of carriers.values()) await carrier.close();
  await sandbox.kill();
  await hooks.close();
});

function getCarrier(id: number): Carrier {
  const carrier = carriers.get(id);
  if (!carrier) throw new Error(`There is no carrier ${id}`);
  return carrier;
}

let count = 0;
function text(to: string, over: Partial<OutboundText> = {}): OutboundText {
  count++;
  return { key: `key-${count}`, from: '', to, body: `Text number ${count}`, mediaUrls: [], ...over };
}

/** Every receipt so far, oldest first. */
function readReceipts(provider: string, carrier: Carrier): Receipt[] {
  return hooks.list(`${provider}/receipts`).flatMap((hook) => {
    if (provider === 'infobip') {
      expectPublished('infobip.json', 'DeliveryReports', JSON.parse(hook.body.toString()));
    } else {
      const form = Object.fromEntries(new URLSearchParams(hook.body.toString()));
      expectPublished('twilio-messages.json', 'x-webhook-message-status', form);
    }
    return carrier.readReceipts(hook);
  });
}

it('includes the carriers with complete settings', async () => {
  expect([...carriers.keys()].sort()).toEqual([2, 5]);
  expect(createCarriers(settings()).size).toBe(0);
  const some = createCarriers(
    settings({
      TWILIO_BASE_URL: sandbox.url,
      TWILIO_ACCOUNT_SID: 'x',
      TWILIO_AUTH_TOKEN: 'x',
    }),
  );
  expect([...some.keys()]).toEqual([2]);
  for (const carrier of some.values()) await carrier.close();
});

describe.each([
  ['infobip', 5, infobipNumber],
  ['twilio', 2, twilioNumber],
] as const)('with %s', (provider, id, from) => {
  const hand = (texts: OutboundText[]) => getCarrier(id).hand(texts.map((each) => ({ ...each, from })));
  const doubtful = (each: OutboundText, since: Date) => ({ ...each, from, since, otherIds: [] });
  const until = (keys: string[], isLast: (receipt: Receipt) => boolean) =>
    hooks.until(() => {
      const receipts = readReceipts(provider, getCarrier(id));
      const last = keys.map((key) => receipts.findLast((each) => each.key === key && isLast(each)));
      return last.every((each) => each !== undefined) ? last : undefined;
    });

  it('a text arrives, and its receipts come back with our key', async () => {
    const texts = [
      text('14235550143'),
      text('14235550109'),
      text('14235550106', { body: `Ünïcode 👍 & more by ${provider}` }),
    ];
    const outcomes = await hand(texts);
    expect(outcomes.map(({ key, outcome }) => [key, outcome])).toEqual(
      texts.map(({ key }) => [key, 'accepted']),
    );
    const receipts = await until(
      texts.map(({ key }) => key),
      ({ status }) => status === 'delivered',
    );
    for (const receipt of receipts) {
      expect(receipt.error).toBeNull();
      const accepted = outcomes.find(({ key }) => key === receipt.key);
      expect(accepted).toMatchObject({ carrierMessageId: receipt.carrierMessageId });
    }
    for (const { to, body } of texts) {
      expect((await sandbox.messages(to)).filter((each) => each.Text === body)).toHaveLength(1);
    }
  });

  it('a text that fails says why', async () => {
    const failing = {
      '14235550180': 'carrier_limit_exceeded',
      '14235550181': 'carrier_rejected',
      // Twilio has no code for a text that a handset refuses.
      '14235550182': provider === 'infobip' ? 'handset_rejected' : 'not_delivered',
      '14235550183': 'spam_rejected',
      '14235550184': 'number_unavailable',
      '14235550185': 'unsupported_media',
      '14235550186': 'phone_unreachable',
      '14235550188': 'blacklisted',
      '14235550189': 'attempts_exceeded',
      '14235550190': 'not_delivered',
    };
    const texts = Object.keys(failing).map((to) => text(to));
    const outcomes = await hand(texts);
    expect(outcomes.every(({ outcome }) => outcome === 'accepted')).toBe(true);
    const receipts = await until(
      texts.map(({ key }) => key),
      ({ status }) => status !== 'sent',
    );
    expect(receipts.map((receipt) => receipt?.status)).toEqual(Object.values(failing));
    for (const receipt of receipts) expect(receipt?.error).toEqual(expect.any(String));
  });

  it('an invalid number is refused at once', async () => {
    expect(await hand([text('14235550192'), text('14235550143')])).toMatchObject([
      { outcome: 'refused', status: 'number_unavailable' },
      { outcome: 'accepted' },
    ]);
  });

  it('a picture goes out and comes in', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
      'base64',
    );
    const media = [{ ContentType: 'image/png', Data: png.toString('base64') }];
    await sandbox.control('POST', '/phones/14235550109/messages', {
      To: from,
      Text: `photo ${id}`,
      Media: media,
    });
    const inbound = await hooks.until(() =>
      hooks
        .list(`${provider}/inbound`)
        .flatMap((hook): InboundText[] => getCarrier(id).readInbound(hook))
        .find(({ body }) => body === `photo ${id}`),
    );
    expect(inbound).toMatchObject({ from: '14235550109', to: from, media: [{ contentType: 'image/png' }] });
    expect(inbound.inboundKey).toMatch(new RegExp(`^${provider}:.+`));
    const url = inbound.media[0]?.url ?? '';
    expect(await getCarrier(id).fetchMedia(url, 1000)).toEqual(png);
    await expect(getCarrier(id).fetchMedia(url, 10)).rejects.toThrow('larger than 10 bytes');

    const each = text('14235550106', { mediaUrls: [url] });
    expect(await hand([each])).toMatchObject([{ outcome: 'accepted' }]);
    await until([each.key], ({ status }) => status === 'delivered');
    const arrived = (await sandbox.messages('14235550106')).find(({ Text }) => Text === each.body);
    expect(arrived?.Media).toHaveLength(1);
  });

  it('a text from a telephone is read', async () => {
    await sandbox.text('14235550143', from, 'Is there school? 👍');
    const hook = await hooks.until(() =>
      hooks.list(`${provider}/inbound`).find(({ body }) => /Is(\+|%20| )there/.test(body.toString())),
    );
    const [inbound] = getCarrier(id).readInbound(hook);
    expect(inbound).toMatchObject({ from: '14235550143', to: from, body: 'Is there school? 👍', media: [] });
    if (provider === 'infobip') {
      expectPublished('infobip.json', 'SmsMoReportResponse', JSON.parse(hook.body.toString()));
    } else {
      const form = Object.fromEntries(new URLSearchParams(hook.body.toString()));
      expectPublished('twilio-messages.json', 'x-webhook-message-incoming', form);
    }
  });

  it('a text that the carrier accepted, without its response arriving, is found', async () => {
    await sandbox.faults({ Provider: provider, TimeoutAfterAccept: 1 });
    const each = text('14235550143');
    const since = new Date();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const handing = hand([each]);
    await until([each.key], ({ status }) => status === 'delivered');
    await vi.advanceTimersByTimeAsync(5000);
    expect(await handing).toMatchObject([{ outcome: 'doubt' }]);
    vi.useRealTimers();
    const never = text('14235550143');
    const found = await getCarrier(id).find([doubtful(each, since), doubtful(never, since)]);
    expect([...found.keys()]).toEqual([each.key]);
    await sandbox.control('DELETE', '/faults');
    if (getCarrier(id).refusesRepeats) expect(await hand([each])).toMatchObject([{ outcome: 'accepted' }]);
    expect((await sandbox.messages(each.to)).filter(({ Text }) => Text === each.body)).toHaveLength(1);
  });

  it('a text that was lost by an error is not found', async () => {
    await sandbox.faults({ Provider: provider, ServerError: 1 });
    const each = text('14235550143');
    const since = new Date();
    expect(await hand([each])).toMatchObject([{ outcome: 'doubt' }]);
    await expect(getCarrier(id).find([doubtful(each, since)])).rejects.toThrow('answered 500');
    await sandbox.control('DELETE', '/faults');
    expect(await getCarrier(id).find([doubtful(each, since)])).toEqual(new Map());
  });

  it('waits as long as the carrier asks', async () => {
    await sandbox.faults({
      Provider: provider,
      TooManyRequests: 1,
      RetryAfterSeconds: 3,
    });
    expect(await hand([text('14235550143')])).toMatchObject([
      { outcome: 'later', afterMs: 3000, isCarrierDown: true },
    ]);
  });

  it('parses receipts that arrive twice and in any order', async () => {
    await sandbox.faults({
      Provider: provider,
      ReceiptDuplicate: 1,
      ReceiptShuffle: true,
    });
    const each = text('14235550143');
    await hand([each]);
    await hooks.until(() => {
      const delivered = readReceipts(provider, getCarrier(id)).filter(
        ({ key, status }) => key === each.key && status === 'delivered',
      );
      return delivered.length >= 2 ? delivered : undefined;
    });
    expect((await sandbox.messages(each.to)).filter(({ Text }) => Text === each.body)).toHaveLength(1);
  });

  it('wrong credentials are reported, and nothing is sent', async () => {
    const wrong = createCarriers(
      settings({
        INFOBIP_BASE_URL: sandbox.url,
        TWILIO_BASE_URL: sandbox.url,
        ...testCredentials,
        INFOBIP_API_KEY: 'wrong',
        TWILIO_AUTH_TOKEN: 'wrong',
      }),
    );
    expect(await wrong.get(id)?.hand([{ ...text('14235550143'), from }])).toMatchObject([
      {
        outcome: 'later',
        afterMs: 30_000,
        isCarrierDown: true,
        reason: expect.stringContaining('credentials'),
      },
    ]);
    for (const carrier of wrong.values()) await carrier.close();
  });
});

it('Infobip accepts 500 texts in one request, and each arrives once', async () => {
  const before = await sandbox.stats();
  const texts = Array.from({ length: 500 }, (_, index) =>
    text(`1212555${String(index).padStart(4, '0')}`, { from: infobipNumber }),
  );
  const outcomes = await getCarrier(5).hand(texts);
  expect(outcomes.every(({ outcome }) => outcome === 'accepted')).toBe(true);
  expect((await getCarrier(5).hand(texts)).every(({ outcome }) => outcome === 'accepted')).toBe(true);
  const after = await sandbox.stats();
  expect(Number(after.Requests) - Number(before.Requests)).toBe(2);
  expect(Number(after.Accepted) - Number(before.Accepted)).toBe(500);
});

checkEveryRequest();
