import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rules } from './rules.ts';
import {
  type Client,
  createClient,
  loadOracle,
  noProtocols,
  type Receiver,
  startReceiver,
  startTestSandbox,
  textMessage,
} from './testing.ts';

const oracle = loadOracle('infobip.json');
const errorSchema = 'ApiError';
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

type Status = { groupName: string; id: number; name: string };
type SendReply = { bulkId: string; messages: { messageId: string; destination: string; status: Status }[] };
type Report = { messageId: string; to: string; status: Status; error: { id: number }; callbackData?: string };

async function send(destinations: unknown[], text = 'Hello', webhooks?: unknown): Promise<SendReply> {
  const body = textMessage(destinations, text, {
    webhooks: webhooks ?? { delivery: { url: `${muster.url}/receipts` } },
  });
  const answer = await client.call('POST', '/sms/3/messages', body);
  expect(answer.status).toBe(200);
  oracle?.expectValid('SmsResponseEnvelope', answer.json);
  return answer.json as SendReply;
}

function reports(): Report[] {
  return muster.hooks
    .filter(({ path }) => path.startsWith('/receipts'))
    .flatMap(({ body }) => {
      const value = JSON.parse(body) as { results: Report[] };
      oracle?.expectValid('DeliveryReports', value);
      return value.results;
    });
}

describe('Infobip: send', () => {
  it.skipIf(!oracle)(oracle ? 'is held to the published description' : noProtocols, () => {
    expect(() => oracle?.expectValid(errorSchema, {})).toThrow('must have required property');
  });

  it('accepts each destination, delivers and reports it', async () => {
    const reply = await send([
      { to: '14235550143', messageId: 'm1' },
      { to: '+14235550106', messageId: 'm2' },
    ]);
    expect(
      reply.messages.map(({ messageId, destination, status }) => [messageId, destination, status.id]),
    ).toEqual([
      ['m1', '14235550143', 26],
      ['m2', '14235550106', 26],
    ]);
    await client.settle();
    expect(
      reports()
        .map(({ messageId, status }) => [messageId, status.name])
        .sort(),
    ).toEqual([
      ['m1', 'DELIVERED_TO_HANDSET'],
      ['m2', 'DELIVERED_TO_HANDSET'],
    ]);
    const phone = await client.call('GET', '/phones/4235550143/messages');
    expect(phone.json).toMatchObject({
      Items: [{ From: '14235550100', To: '14235550143', Text: 'Hello', Media: [], Direction: 'in' }],
    });
  });

  it('refuses a repeated message id and does not deliver it again', async () => {
    await send([{ to: '14235550143', messageId: 'same' }]);
    const again = await send([
      { to: '14235550143', messageId: 'same' },
      { to: '14235550143', messageId: 'other' },
    ]);
    expect(again.messages.map(({ status }) => status.id)).toEqual([23, 26]);
    expect(again.messages[0]?.status).toMatchObject({
      groupName: 'REJECTED',
      name: 'REJECTED_DUPLICATE_MESSAGE_ID',
    });
    await client.settle();
    expect((await client.call('GET', '/stats')).json).toMatchObject({
      Accepted: 2,
      DuplicatesByKey: 1,
      DuplicatesByNumberAndText: 1,
      Delivered: 2,
    });
  });

  it('makes an id where none is given, and a bulk id', async () => {
    const reply = await send([{ to: '14235550143' }, { to: '14235550106' }]);
    const [first, second] = reply.messages;
    expect(first?.messageId).toMatch(/^[0-9a-f]{32}$/);
    expect(first?.messageId).not.toBe(second?.messageId);
    expect(reply.bulkId).not.toBe('');
  });

  it('refuses a bad recipient alone', async () => {
    const reply = await send([{ to: '' }, { to: 'nobody' }, { to: '14235550143' }]);
    expect(reply.messages.map(({ status }) => status.id)).toEqual([51, 52, 26]);
    const long = await send([{ to: '14235550143' }], 'x'.repeat(153 * 26));
    expect(long.messages[0]?.status.id).toBe(25);
  });

  it('repeats callback data, sender and bulk id in the report', async () => {
    const body = {
      ...textMessage([{ to: '14235550143', messageId: 'a' }], 'Hi', {
        options: { campaignReferenceId: 'c-1' },
        webhooks: { delivery: { url: `${muster.url}/receipts` }, callbackData: 'say "this"' },
      }),
      options: { schedule: { bulkId: 'bulk-1' } },
    };
    await client.call('POST', '/sms/3/messages', body);
    await client.settle();
    expect(reports()).toMatchObject([
      { bulkId: 'bulk-1', sender: '14235550100', callbackData: 'say "this"', campaignReferenceId: 'c-1' },
    ]);
  });

  it('reports the way there when asked, and nothing when told not to', async () => {
    const delivery = { url: `${muster.url}/receipts`, intermediateReport: true };
    await send([{ to: '14235550143', messageId: 'a' }], 'Hi', { delivery });
    await client.settle();
    expect(reports().map(({ status }) => status.id)).toEqual([7, 5]);
    await send([{ to: '14235550143', messageId: 'b' }], 'Ho', { delivery: { ...delivery, notify: false } });
    await client.settle();
    expect(reports().some(({ messageId }) => messageId === 'b')).toBe(false);
  });

  it('packs receipts by the hundred', async () => {
    await send(Array.from({ length: 250 }, (_, i) => ({ to: `1615555${String(i).padStart(4, '0')}` })));
    await client.settle();
    expect(muster.hooks.map(({ body }) => JSON.parse(body).results.length).sort()).toEqual(
      [100, 100, 50].sort(),
    );
  });

  it('holds a scheduled message back', async () => {
    const body = {
      ...textMessage([{ to: '14235550143', messageId: 'later' }], 'Hi'),
      options: { schedule: { sendAt: '2099-01-01T00:00:00.000+0000' } },
    };
    expect((await client.call('POST', '/sms/3/messages', body)).status).toBe(400);
    const soon = new Date(Date.now() + 3_600_000).toISOString().replace('Z', '+0000');
    expect(
      (await client.call('POST', '/sms/3/messages', { ...body, options: { schedule: { sendAt: soon } } }))
        .status,
    ).toBe(200);
    expect((await client.call('GET', '/stats')).json).toMatchObject({ Pending: 1, Delivered: 0 });
  });
});

describe('Infobip: the failing numbers', () => {
  const expected: readonly (readonly [string, number, number])[] = [
    ['0180', 20, 4104],
    ['0181', 4, 0],
    ['0182', 9, 32],
    ['0183', 4, 607],
    ['0184', 9, 1],
    ['0185', 9, 15012],
    ['0186', 9, 27],
    ['0187', 4, 603],
    ['0188', 14, 0],
    ['0189', 15, 0],
    ['0190', 9, 0],
    ['0197', 2, 0],
  ];

  it('ends each with its status and error', async () => {
    await send(expected.map(([last]) => ({ to: `1423555${last}`, messageId: last })));
    await client.settle();
    const found = new Map(reports().map((report) => [report.messageId, report]));
    for (const [last, statusId, errorId] of expected) {
      expect([last, found.get(last)?.status.id, found.get(last)?.error.id]).toEqual([
        last,
        statusId,
        errorId,
      ]);
    }
    expect((await client.call('GET', '/stats')).json).toMatchObject({ Failed: 11, Silent: 1, Delivered: 0 });
  });

  it('says nothing more about 0191', async () => {
    await send([{ to: '14235550191', messageId: 'silent' }]);
    await client.settle();
    expect(muster.hooks).toEqual([]);
    expect((await client.call('GET', '/phones/4235550191/messages')).json).toEqual({ Items: [] });
  });

  it('refuses at once where the rule says so', async () => {
    const reply = await send(['0192', '0193', '0194'].map((last) => ({ to: `1423555${last}` })));
    expect(reply.messages.map(({ status }) => [status.groupName, status.id])).toEqual([
      ['REJECTED', 52],
      ['REJECTED', 14],
      ['REJECTED', 19],
    ]);
    expect(rules.size).toBe(28);
  });
});

describe('Infobip: pictures', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );

  it('fetches a linked picture, shows it and serves its copy', async () => {
    const own = client.sandbox.carrier.media.keep('image/png', png);
    const body = {
      messages: [
        {
          sender: '14235550100',
          destinations: [{ to: '14235550143', messageId: 'p1' }],
          content: {
            title: 'Map',
            messageSegments: [
              { type: 'TEXT', text: 'See here' },
              { type: 'LINK', contentUrl: client.sandbox.url + own.Url },
            ],
          },
          webhooks: { delivery: { url: `${muster.url}/receipts` } },
        },
      ],
    };
    const answer = await client.call('POST', '/mms/2/messages', body);
    expect(answer.status).toBe(200);
    oracle?.expectValid('ResponseEnvelopeMessageResponseMessageResponseDetails', answer.json);
    await client.settle();
    const { Items } = (await client.call('GET', '/phones/4235550143/messages')).json as {
      Items: { Text: string; Media: { ContentType: string; Url: string }[] }[];
    };
    expect(Items[0]).toMatchObject({ Text: 'See here', Media: [{ ContentType: 'image/png' }] });
    const copy = await fetch(Items[0]?.Media[0]?.Url ?? '');
    expect(Buffer.from(await copy.arrayBuffer())).toEqual(png);
    const logs = await client.call('GET', '/mms/2/logs?messageId=p1');
    oracle?.expectValid('LogResponseMmsUnificationLogMmsOutboundContent', logs.json);
    expect(logs.json).toMatchObject({ results: [{ messageId: 'p1' }] });
  });

  it('can not deliver a picture that it can not fetch', async () => {
    const segments = [{ type: 'LINK', contentUrl: `${client.sandbox.url}/media/none.png` }];
    await client.call('POST', '/mms/2/messages', {
      messages: [
        {
          sender: '14235550100',
          destinations: [{ to: '14235550143', messageId: 'p2' }],
          content: { messageSegments: segments },
          webhooks: { delivery: { url: `${muster.url}/receipts` } },
        },
      ],
    });
    await client.settle();
    expect(reports()).toMatchObject([{ messageId: 'p2', error: { id: 15012 } }]);
  });

  it('hands a picture from a telephone on as MMS', async () => {
    await client.call('POST', '/phones/4235550143/messages', {
      To: '4235550100',
      Text: 'my photo',
      Media: [{ ContentType: 'image/png', Data: png.toString('base64') }],
    });
    const [hook] = await muster.waitFor(1);
    const value = JSON.parse(hook?.body ?? '');
    oracle?.expectValid('MMSMoWebhookRequest', value);
    const [text, picture] = value.results[0].message;
    expect(text).toEqual({ contentType: 'text/plain', value: 'my photo' });
    expect(Buffer.from(await (await fetch(picture.url)).arrayBuffer())).toEqual(png);
  });
});

describe('Infobip: look up', () => {
  it('finds messages by id and by bulk, with their status', async () => {
    const { bulkId } = await send([
      { to: '14235550143', messageId: 'a' },
      { to: '14235550190', messageId: 'b' },
    ]);
    await client.settle();
    const byId = await client.call('GET', '/sms/3/logs?messageId=a,b,never');
    oracle?.expectValid('LogResponseSmsLogSmsMessageContent', byId.json);
    const { results } = byId.json as { results: { messageId: string; status: Status }[] };
    expect(results.map(({ messageId, status }) => [messageId, status.name]).sort()).toEqual([
      ['a', 'DELIVERED_TO_HANDSET'],
      ['b', 'UNDELIVERABLE_NOT_DELIVERED'],
    ]);
    const byBulk = await client.call('GET', `/sms/3/logs?bulkId=${bulkId}&limit=1&useCursor=true`);
    oracle?.expectValid('LogResponseSmsLogSmsMessageContent', byBulk.json);
    const first = byBulk.json as { results: unknown[]; cursor: { nextCursor: string } };
    const next = await client.call(
      'GET',
      `/sms/3/logs?bulkId=${bulkId}&limit=1&useCursor=true&cursor=${first.cursor.nextCursor}`,
    );
    expect([...first.results, ...(next.json as { results: unknown[] }).results]).toHaveLength(2);
    expect(next.json).not.toHaveProperty('cursor.nextCursor');
  });

  it('still knows of a message whose details are forgotten', async () => {
    await send([{ to: '14235550143', messageId: 'old' }]);
    await client.settle();
    client.sandbox.carrier.log.clear();
    const answer = await client.call('GET', '/sms/3/logs?messageId=old,never');
    expect(answer.json).toMatchObject({ results: [{ messageId: 'old', status: { id: 5 } }] });
    expect((answer.json as { results: unknown[] }).results).toHaveLength(1);
  });
});

describe('Infobip: errors', () => {
  it('asks for the key', async () => {
    for (const path of ['/sms/3/messages', '/mms/2/messages']) {
      const answer = await client.call('POST', path, '{}', { authorization: 'App wrong' });
      expect(answer.status).toBe(401);
      oracle?.expectValid('ApiError', answer.json);
      expect(answer.json).toMatchObject({ errorCode: 'E401' });
    }
    const logs = await client.call('GET', '/sms/3/logs', undefined, { authorization: '' });
    expect(logs.status).toBe(401);
  });

  it('says what is wrong with a request', async () => {
    const wrong: [string, unknown, string][] = [
      ['/sms/3/messages', 'not json', 'body'],
      ['/sms/3/messages', '[]', 'body'],
      ['/sms/3/messages', '{}', 'messages'],
      ['/sms/3/messages', { messages: [] }, 'messages'],
      ['/sms/3/messages', { messages: [null] }, 'messages[0]'],
      ['/sms/3/messages', textMessage([], 'Hi'), 'messages[0].destinations'],
      ['/sms/3/messages', textMessage([null], 'Hi'), 'messages[0].destinations[0]'],
      ['/sms/3/messages', textMessage([{}], 'Hi'), 'messages[0].destinations[0].to'],
      [
        '/sms/3/messages',
        textMessage([{ to: '1', messageId: 7 }], 'Hi'),
        'messages[0].destinations[0].messageId',
      ],
      ['/sms/3/messages', { messages: [{ destinations: [{ to: '1' }] }] }, 'messages[0].content.text'],
      [
        '/sms/3/messages',
        textMessage([{ to: '1' }], 'Hi', { webhooks: { delivery: { url: 'nowhere' } } }),
        'messages[0].webhooks.delivery.url',
      ],
      [
        '/sms/3/messages',
        { ...textMessage([{ to: '1' }], 'Hi'), options: { schedule: 1 } },
        'options.schedule',
      ],
      [
        '/mms/2/messages',
        { messages: [{ destinations: [{ to: '1' }], content: { messageSegments: [{ type: 'SMELL' }] } }] },
        'messages[0].content.messageSegments[0].type',
      ],
    ];
    for (const [path, body, property] of wrong) {
      const answer = await client.call('POST', path, body);
      oracle?.expectValid('ApiError', answer.json);
      expect([answer.status, answer.json]).toMatchObject([
        400,
        { errorCode: 'E400', violations: [{ property }] },
      ]);
    }
    const missing = await client.call('GET', '/sms/9/nothing');
    oracle?.expectValid('ApiError', missing.json);
    expect(missing.status).toBe(404);
    expect((await client.call('GET', '/sms/3/logs?limit=5000')).status).toBe(400);
    expect((await client.call('GET', '/stats')).json).toMatchObject({ Accepted: 0 });
  });
});
