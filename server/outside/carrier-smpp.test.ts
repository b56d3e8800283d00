/** The SMPP carrier with the sandbox's SMSC, which has its own code for reading and writing the protocol. */
import { type AddressInfo, connect, createServer as createPlainServer } from 'node:net';
import { createServer } from 'node:tls';
import { beforeAll, describe, expect, it } from 'vitest';
import { createConversation } from '../../contract/conversations.ts';
import { makeCertificate } from '../../scripts/test-certificates.ts';
import { closeParts } from '../inbound/store-parts.ts';
import { refuseUnlessTakesPictures } from '../numbers/rules.ts';
import { createEar } from '../sending/hear-carrier.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { closeAtEnd } from '../testing/closers.ts';
import { hurryTexts } from '../testing/hurry-texts.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { smppCarrier } from './carrier-smpp.ts';
import { readDelivered } from './smpp-read.ts';

const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;
const logged: string[] = [];

beforeAll(async () => {
  app = await testApp({ [number]: 'smpp' }, {}, { logTo: logged });
  account = await buildAccount(app, { numbers: { [number]: 'smpp' } });
});

async function write(phone: string, Message: string): Promise<number> {
  const body = {
    TextNumberID: account.numbers[number] ?? 0,
    LastMessage: { Contact: { PrimaryPhone: phone }, Message },
  };
  const reply = await app.call(createConversation, { body }, account.owner);
  return reply.body.TextMessageID;
}

async function statusOf(messageId: number): Promise<string> {
  const row = await app.database.system
    .selectFrom('messages')
    .select('status')
    .where('message_id', '=', messageId)
    .executeTakeFirstOrThrow();
  return row.status;
}

const long = `${'Snow day today, school begins at ten. '.repeat(6)}[€] The end`;

describe('a text over SMPP', () => {
  it.each([
    ['of one part', 'Plain words, 5 € [cash] ~ £4 @ noon_ ^ \\ |'],
    ['with characters that GSM doesn’t have', 'Café “Zoë” 😀 at noon'],
    ['in several parts', long],
    ['in several parts of UCS-2', `${'Schnee – “heute” 😀 '.repeat(12)}Ende`],
  ])('%s arrives whole, once, and its receipts are applied', async (kind, text) => {
    const phone = `1615555${String(1000 + kind.length)}`;
    const messageId = await write(phone, text);
    await app.until(async () => (await statusOf(messageId)) === 'delivered');
    const got = await app.sandbox.messages(phone);
    // The typed text is the one that is sent, in its plain form.
    const sent = await app.database.system
      .selectFrom('messages')
      .select('body')
      .where('message_id', '=', messageId)
      .executeTakeFirstOrThrow();
    expect(got.map((one) => one.Text)).toEqual([sent.body]);
  });

  it('to a phone that is unreachable or refused by the SMSC ends with the reason', async () => {
    const expected = {
      '4235550180': 'carrier_limit_exceeded',
      '4235550181': 'carrier_rejected',
      '4235550182': 'handset_rejected',
      '4235550183': 'spam_rejected',
      '4235550184': 'number_unavailable',
      '4235550186': 'phone_unreachable',
      '4235550187': 'opted_out',
      '4235550188': 'blacklisted',
      '4235550189': 'attempts_exceeded',
      '4235550190': 'not_delivered',
      '4235550192': 'number_unavailable',
      '4235550194': 'carrier_rejected',
    };
    const ids = new Map<string, number>();
    for (const phone of Object.keys(expected)) ids.set(phone, await write(phone, `To ${phone}`));
    const read = async () => {
      const found: Record<string, string> = {};
      for (const [phone, id] of ids) found[phone] = await statusOf(id);
      return found;
    };
    await app.until(async () =>
      Object.values(await read()).every((status) => !['waiting', 'sent'].includes(status)),
    );
    expect(await read()).toEqual(expected);
  });

  it('goes over TLS only to a host that the certificate names', async () => {
    const { privateKey, certificate } = makeCertificate('localhost');
    const smppPort = Number(new URL(app.sandbox.smppUrl).port);
    const server = createServer({ key: privateKey, cert: certificate }, (socket) => {
      const inner = connect(smppPort, '127.0.0.1');
      socket.pipe(inner).pipe(socket);
      for (const each of [socket, inner]) each.on('error', () => socket.destroy());
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    closeAtEnd(async () => void server.close());
    const { port } = server.address() as AddressInfo;
    const text = { key: 'mu-1-1-a', from: number, to: '16155550119', body: 'Over TLS', mediaUrls: [] };
    const handOver = async (ca: string | undefined) => {
      const carrier = smppCarrier({
        ...{
          url: `smpps://localhost:${port}`,
          systemId: 'muster-test',
          password: 'testsmpp',
          systemType: '',
        },
        ...{ window: 1, perSecond: undefined, enquireSeconds: 30, longTexts: 'payload', idForm: 'same', ca },
        errorCodes: new Map(),
      });
      carrier.listen?.({
        keepIds: async () => undefined,
        findIds: async () => new Map(),
        takeReceipts: async () => undefined,
        takeInbound: async () => undefined,
        trust: async () => false,
        warn: () => undefined,
      });
      const [handed] = await carrier.hand([text]);
      await carrier.close();
      return handed;
    };
    expect(await handOver(certificate)).toMatchObject({ outcome: 'accepted' });
    expect(await handOver(undefined)).toMatchObject({
      outcome: 'later',
      reason: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
    });
    await app.until(async () => (await app.sandbox.messages('16155550119')).length === 1);
  });

  it('with a picture is refused when it is written', () => {
    const sentence = 'This text number can’t send pictures: its carrier takes text only.';
    expect(() => refuseUnlessTakesPictures({ aggregator_id: 6 }, [1])).toThrow(sentence);
    refuseUnlessTakesPictures({ aggregator_id: 6 }, []);
    refuseUnlessTakesPictures({ aggregator_id: 5 }, [1]);
  });

  it('with a picture that was already queued is refused by the adapter', async () => {
    const carrier = app.context.carriers.get(6);
    const text = {
      key: 'mu-1-1-a',
      from: number,
      to: '16155550111',
      body: 'Look',
      mediaUrls: ['http://x/y'],
    };
    expect(await carrier?.hand([text])).toEqual([
      {
        key: 'mu-1-1-a',
        outcome: 'refused',
        status: 'unsupported_media',
        error: 'This carrier (SMPP) can’t send pictures.',
      },
    ]);
  });
});

describe('when the SMSC fails', () => {
  it('accepts the text but doesn’t respond: the text is in doubt, then Unknown, and sent once', async () => {
    await app.sandbox.faults({ ResetAfterAccept: 1, ReceiptLost: 1 });
    const messageId = await write('16155552001', 'Taken, then cut');
    await app.drain();
    const waiting = () =>
      app.database.system
        .selectFrom('outbox')
        .select(['in_doubt', 'lease_id'])
        .where('message_id', '=', messageId)
        .executeTakeFirst();
    expect(await waiting()).toMatchObject({ in_doubt: true, lease_id: null });
    await app.sandbox.control('DELETE', '/faults');
    await hurryTexts(app.database);
    await app.drain();
    expect(await waiting()).toMatchObject({ in_doubt: true });
    await app.database.system
      .updateTable('outbox')
      .set({ doubt_since: new Date(Date.now() - 180_000), send_at: new Date() })
      .where('message_id', '=', messageId)
      .execute();
    await app.drain();
    expect(await waiting()).toBeUndefined();
    expect(await statusOf(messageId)).toBe('unknown');
    expect(await app.sandbox.messages('16155552001')).toHaveLength(1);
  });

  it('responds to a worker that then dies: the text is found by its id and not sent again', async () => {
    const messageId = await write('16155552002', 'Answered, not recorded');
    const row = await app.database.system
      .selectFrom('messages')
      .select(['account_id', 'send_nonce', 'body'])
      .where('message_id', '=', messageId)
      .executeTakeFirstOrThrow();
    const carrier = app.context.carriers.get(6);
    const key = `mu-${row.account_id}-${messageId}-${row.send_nonce.toString(36)}`;
    await app.sandbox.faults({ ReceiptLost: 1 });
    const text = { key, from: number, to: '16155552002', body: row.body, mediaUrls: [] };
    expect(await carrier?.hand([text])).toMatchObject([{ outcome: 'accepted' }]);
    // The state after a worker was killed: claimed, handed over, nothing recorded.
    await app.database.system
      .updateTable('outbox')
      .set({ lease_id: '00000000-0000-4000-8000-000000000001', lease_until: new Date(Date.now() - 1000) })
      .where('message_id', '=', messageId)
      .execute();
    await app.drain();
    expect(await statusOf(messageId)).toBe('sent');
    await app.sandbox.control('DELETE', '/faults');
    expect(await app.sandbox.messages('16155552002')).toHaveLength(1);
  });

  it('asks for a pause or is gone for a while: the text is sent later, once', async () => {
    await app.sandbox.faults({ TooManyRequests: 1 });
    const messageId = await write('16155552003', 'Throttled');
    await app.drain();
    expect(await statusOf(messageId)).toBe('waiting');
    await app.sandbox.kill();
    await app.drain();
    await app.sandbox.start();
    await app.until(async () => {
      await hurryTexts(app.database);
      return (await statusOf(messageId)) === 'delivered';
    });
    expect(await app.sandbox.messages('16155552003')).toHaveLength(1);
  });

  it('a receipt that arrives before its text is known waits for it', async () => {
    const messageId = await write('16155552004', 'Receipt first');
    const ear = app.database.system;
    await ear
      .insertInto('stray_receipts')
      .values({
        aggregator_id: 6,
        carrier_message_id: 'early-1',
        status: 'phone_unreachable',
        carrier_error: 'UNDELIV 027',
        occurred_at: new Date(),
        try_at: new Date(Date.now() - 1000),
      })
      .execute();
    await app.sandbox.faults({ ReceiptLost: 1 });
    await app.drain();
    await app.sandbox.control('DELETE', '/faults');
    expect(await statusOf(messageId)).toBe('sent');
    await ear
      .updateTable('carrier_ids')
      .set({ carrier_message_id: 'early-1' })
      .where('message_id', '=', messageId)
      .execute();
    await ear
      .updateTable('stray_receipts')
      .set({ try_at: new Date(Date.now() - 1000) })
      .execute();
    await app.drain();
    expect(await statusOf(messageId)).toBe('phone_unreachable');
    const left = ear
      .selectFrom('stray_receipts')
      .select('status')
      .where('carrier_message_id', '=', 'early-1');
    expect(await left.execute()).toEqual([]);
  });
});

describe('a text from a telephone over SMPP', () => {
  it('with a message id and no state is a text, not a receipt', () => {
    const pdu = {
      ...{
        command: 'deliver_sm',
        command_status: 0,
        sequence_number: 1,
        response: (): never => pdu as never,
      },
      ...{ source_addr: '16155550123', destination_addr: number, esm_class: 0, receipted_message_id: '7' },
      short_message: Buffer.from('Stop'),
    };
    const settings = { errorCodes: new Map() };
    expect(readDelivered(pdu, settings)).toMatchObject({ kind: 'text', text: { body: 'Stop' } });
    expect(readDelivered({ ...pdu, message_state: 2 }, settings)).toMatchObject({ kind: 'receipt' });
  });

  const bodies = async (phone: string) =>
    (
      await app.database.system
        .selectFrom('messages')
        .select('body')
        .where('phone', '=', phone)
        .where('is_inbound', '=', true)
        .orderBy('message_id')
        .execute()
    ).map((row) => row.body);

  it.each([
    ['short', '16155553001', 'Yes, 2 adults [and] 1 child'],
    ['of many parts', '16155553002', `${'Is the bus still at 7:40 tomorrow? '.repeat(10)}Thanks`],
    ['of many parts with emoji', '16155553003', `${'Grüße 😀 '.repeat(30)}Ende`],
  ])('%s is one text in the inbox', async (_, phone, text) => {
    await app.sandbox.text(phone, number, text);
    await app.until(async () => (await bodies(phone)).length > 0);
    expect(await bodies(phone)).toEqual([text]);
  });

  it('is shown with a gap after ten minutes if a part is missing', async () => {
    const part = { aggregator_id: 6, from_phone: '16155553004', to_phone: number, reference: 7, parts: 3 };
    const received_at = new Date(Date.now() - 11 * 60_000);
    await app.database.system
      .insertInto('inbound_parts')
      .values(
        [1, 3].map((place) => ({
          ...part,
          part: place,
          body: `part ${place}`,
          occurred_at: received_at,
          received_at,
        })),
      )
      .execute();
    await closeParts(app.database);
    await app.drain();
    expect(await bodies('16155553004')).toEqual(['part 1 […] part 3']);
  });
});

it('a text that a killed worker stored but didn’t acknowledge goes to another worker, and is shown once', async () => {
  // A second worker, whose connection is cut as soon as it has stored a text.
  const cuts = new Set<() => void>();
  const server = createPlainServer((socket) => {
    const inner = connect(Number(new URL(app.sandbox.smppUrl).port), '127.0.0.1');
    socket.pipe(inner).pipe(socket);
    for (const each of [socket, inner]) each.on('error', () => socket.destroy());
    cuts.add(() => inner.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const carrier = smppCarrier({
    ...{ url: `smpp://127.0.0.1:${(server.address() as AddressInfo).port}`, systemType: '' },
    ...{ systemId: 'muster-test', password: 'testsmpp', window: 1, perSecond: undefined, enquireSeconds: 30 },
    ...{ longTexts: 'parts', idForm: 'same', errorCodes: new Map() },
  });
  closeAtEnd(() => carrier.close());
  const ear = createEar(app.context, carrier, async () => false);
  const dying: string[] = [];
  carrier.listen?.({
    ...ear,
    async takeInbound(texts, parts) {
      await ear.takeInbound(texts, parts);
      dying.push(...texts.map(({ from }) => from));
      server.close();
      for (const cut of cuts) cut();
      await new Promise(() => undefined);
    },
  });
  // The SMSC gives them to both by turns.
  const phones = Array.from({ length: 4 }, (_, index) => `1615555461${index}`);
  let round = 0;
  await waitUntil(async () => {
    if (dying.length > 0) return true;
    round += 1;
    await Promise.all(phones.map((phone) => app.sandbox.text(phone, number, `Yes ${round}`)));
    return false;
  });
  await app.until(async () => logged.some((line) => line.includes('they are not shown twice')));
  const sent = phones.flatMap((phone) => Array.from({ length: round }, (_, at) => `${phone} Yes ${at + 1}`));
  // Texts that the lost connection had not taken yet come over the other one, a little later.
  const shown = await app.until(async () => {
    const rows = await app.database.system
      .selectFrom('messages')
      .select(['phone', 'body'])
      .where('phone', 'in', phones)
      .execute();
    return rows.length >= sent.length && rows;
  });
  expect(shown.map(({ phone, body }) => `${phone} ${body}`).toSorted()).toEqual(sent.toSorted());
});

// Last: the connection may still be reconnecting when it ends.
it('sends nothing twice when the SMSC closes in the middle of a window', async () => {
  const carrier = app.context.carriers.get(6);
  const texts = Array.from({ length: 40 }, (_, index) => ({
    ...{
      key: `mu-0-${index}-w`,
      from: number,
      to: `1615555${4000 + index}`,
      body: 'Window',
      mediaUrls: [],
    },
  }));
  // One in ten responses is lost with the connection, and the others that were in progress with it.
  await app.sandbox.faults({ ResetAfterAccept: 0.1, ReceiptLost: 1, Seed: 7 });
  const outcomes = new Map<string, string>();
  for (let round = 0; round < 50 && outcomes.size < texts.length; round += 1) {
    const left = texts.filter(({ key }) => !outcomes.has(key)).slice(0, 8);
    for (const { key, outcome } of (await carrier?.hand(left)) ?? []) {
      // Only texts that were certainly not accepted are handed over again.
      if (outcome !== 'later') outcomes.set(key, outcome);
    }
  }
  expect(new Set(outcomes.values())).toEqual(new Set(['accepted', 'doubt']));
  // If it is gone permanently, /readyz says so; the log did when the connection was lost.
  const work = async () => ((await (await fetch(`${app.url}/readyz`)).json()) as { work?: string[] }).work;
  await app.sandbox.faults({ Outage: true });
  await carrier?.hand(texts.slice(0, 1));
  await app.until(async () => (await work()) !== undefined);
  expect(await work()).toEqual([
    expect.stringMatching(/^The SMPP carrier can’t be reached: .+\. Texts wait for it\.$/),
  ]);
  expect(logged.some((one) => one.includes('the connection to the SMPP carrier is lost'))).toBe(true);
  await app.sandbox.control('DELETE', '/faults');
  await app.until(async () => (await work()) === undefined);
  for (const { key, to } of texts) {
    const got = (await app.sandbox.messages(to)).length;
    expect([key, outcomes.get(key), got]).toEqual([
      ...[key, outcomes.get(key)],
      outcomes.get(key) === 'accepted' ? 1 : Math.min(got, 1),
    ]);
  }
});
