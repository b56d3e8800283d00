/**
 * A number with two carriers: which of them gets its texts, and that none gets one that the other may have.
 */
import { sql } from 'kysely';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { createConversation } from '../../contract/conversations.ts';
import { storeInbound } from '../inbound/store-hooks.ts';
import { runOperator } from '../operator.ts';
import { aBroadcast, checkBroadcast, recipientPhone } from '../testing/broadcasts.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { hurryTexts } from '../testing/hurry-texts.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { writeSendKey } from '../texts/rules.ts';
import { storeReceipts } from '../texts/store-receipts.ts';

const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;
let line = 4000;
const logged: string[] = [];

const isLogged = (sentence: string) => logged.some((one) => JSON.parse(one).msg === sentence);
const readyz = async () =>
  (await fetch(`${app.url}/readyz`)).json() as Promise<{ carriers?: string[]; work?: string[] }>;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip', '14235550107': 'smpp' }, {}, { logTo: logged });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
});

afterEach(async () => {
  await app.sandbox.control('DELETE', '/faults');
  await app.database.system.deleteFrom('carriers_down').execute();
});

const operate = (words: string) => runOperator(app.database, words.split(' '));

async function write(): Promise<{ phone: string; messageId: number }> {
  line += 1;
  const phone = `1615555${line}`;
  const body = {
    TextNumberID: account.numbers[number] ?? 0,
    LastMessage: { Contact: { PrimaryPhone: phone }, Message: `Text ${line}` },
  };
  const reply = await app.call(createConversation, { body }, account.owner);
  return { phone, messageId: reply.body.TextMessageID };
}

async function row(messageId: number) {
  const { rows } = await sql<{ status: string; carrier: number | null; in_doubt: boolean | null }>`
    select m.status, o.aggregator_id as carrier, o.in_doubt from messages m left join outbox o using (account_id, message_id)
    where message_id = ${messageId}`.execute(app.database.system);
  return rows[0];
}

async function credits() {
  const { rows } =
    await sql`select sum(balance_delta) as balance, sum(reserved_delta) as reserved from credit_entries where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
  return rows[0];
}

const untilDelivered = (messageId: number) =>
  app.until(async () => {
    await hurryTexts(app.database);
    return (await row(messageId))?.status === 'delivered';
  });

/** The carriers that delivered a text to the telephone, one entry for each copy. */
async function carriersOf(phone: string): Promise<string[]> {
  const got = (await app.sandbox.messages(phone)) as unknown as { Provider: string }[];
  return got.map((one) => one.Provider);
}

it('the operator sees and changes a number’s carrier; waiting texts move, doubtful ones stay', async () => {
  expect(await operate(`carrier ${number}`)).toEqual(['Number 1: infobip, without a second carrier.']);
  const waiting = await write();
  await app.sandbox.faults({ TimeoutBeforeAccept: 1, Provider: 'infobip' });
  const doubtful = await write();
  await sql`update outbox set in_doubt = true, doubt_since = now() where message_id = ${doubtful.messageId}`.execute(
    app.database.system,
  );
  expect(await operate('carrier 4235550100 smpp twilio')).toEqual([
    'Number 1: smpp, and twilio while it is down.',
    '1 waiting texts and 0 broadcasts go there too.',
  ]);
  expect(await row(waiting.messageId)).toMatchObject({ carrier: 6 });
  expect(await row(doubtful.messageId)).toMatchObject({ carrier: 5, in_doubt: true });
  await app.sandbox.control('DELETE', '/faults');
  await untilDelivered(waiting.messageId);
  await untilDelivered(doubtful.messageId);
  // Receipts of both carriers found their texts, and each telephone has one.
  expect([await carriersOf(waiting.phone), await carriersOf(doubtful.phone)]).toEqual([
    ['smpp'],
    ['infobip'],
  ]);
  await expect(operate(`carrier ${number} pigeon`)).rejects.toThrow('Carriers are infobip, smpp, twilio');
  await expect(operate(`carrier ${number} smpp smpp`)).rejects.toThrow(
    'The second carrier must be another one.',
  );
  await expect(operate('carrier 14235559999')).rejects.toThrow('No account has the number "14235559999".');
  await operate(`carrier ${number} infobip smpp`);
});

it('while a carrier is down, the second takes over by rule, but not what the first may have', async () => {
  const downFor = (minutes: number) =>
    sql`update carriers_down set since = now() - ${minutes} * interval '1 minute'`.execute(
      app.database.system,
    );
  const listDown = () => app.database.system.selectFrom('carriers_down').select('aggregator_id').execute();

  // Texts wait at first; after five minutes they are sent through the second carrier.
  await app.sandbox.faults({ TooManyRequests: 1, Provider: 'infobip' });
  const first = await write();
  await app.until(async () => (await listDown()).length === 1);
  const { carriers } = await readyz();
  expect(carriers).toEqual([expect.stringMatching(/^Infobip takes no texts\. The carrier .*\.$/)]);
  await downFor(4);
  await app.drain();
  expect(await row(first.messageId)).toMatchObject({ status: 'waiting', carrier: 5, in_doubt: false });
  await downFor(6);
  await untilDelivered(first.messageId);
  // The next one doesn't wait for the first carrier to fail again.
  const second = await write();
  await untilDelivered(second.messageId);
  expect([await carriersOf(first.phone), await carriersOf(second.phone)]).toEqual([['smpp'], ['smpp']]);

  // The first carrier hasn't been tried for more than a minute: it is tried, and is back.
  await app.sandbox.control('DELETE', '/faults');
  await sql`update carriers_down set tried_at = now() - interval '61 seconds'`.execute(app.database.system);
  const third = await write();
  await untilDelivered(third.messageId);
  expect(await carriersOf(third.phone)).toEqual(['infobip']);
  expect(await listDown()).toEqual([]);
  expect((await readyz()).carriers).toBeUndefined();

  // It accepts a text without a response: that one stays, however long the carrier is down.
  await app.sandbox.faults({ ResetAfterAccept: 1, Provider: 'infobip', ReceiptLost: 1 });
  const fourth = await write();
  await app.until(async () => (await row(fourth.messageId))?.in_doubt);
  await downFor(6);
  await app.drain();
  expect(await row(fourth.messageId)).toMatchObject({ status: 'waiting', carrier: 5, in_doubt: true });
  await app.sandbox.control('DELETE', '/faults');
  await app.until(async () => {
    await hurryTexts(app.database);
    return (await row(fourth.messageId))?.status === 'sent';
  });
  expect(await carriersOf(fourth.phone)).toEqual(['infobip']);
});

it('a number’s broadcast goes through its second carrier if one is down, to everybody once', async () => {
  await app.sandbox.faults({ TooManyRequests: 1, Provider: 'infobip' });
  await sql`insert into carriers_down (aggregator_id, reason, since)
    values (5, 'It takes nothing', now() - interval '6 minutes')`.execute(app.database.system);
  const { accountId, owner, numbers } = account;
  const sender = { accountId, userId: owner.userId, textNumberId: numbers[number] ?? 0 };
  const firstPhone = 5_550_100;
  const broadcastId = await aBroadcast(app.database, sender, { count: 20, firstPhone });
  await app.until(async () => {
    await hurryTexts(app.database);
    const { texts, unfed } = await checkBroadcast(app.database, broadcastId);
    return unfed === 0 && texts.delivered === 20;
  });
  const phones = Array.from({ length: 20 }, (_, index) => recipientPhone(index, firstPhone));
  const got = await Promise.all(phones.map(carriersOf));
  expect(got).toEqual(phones.map(() => ['smpp']));
});

it('a text that two carriers claim to have is one text, which the log and /readyz report', async () => {
  const { phone, messageId } = await write();
  await app.until(async () => (await row(messageId))?.status === 'delivered');
  const before = await credits();
  const { nonce } = await app.database.system
    .selectFrom('messages')
    .select('send_nonce as nonce')
    .where('message_id', '=', messageId)
    .executeTakeFirstOrThrow();
  const key = writeSendKey({ accountId: account.accountId, messageId, nonce: nonce ?? 0 });
  const sentence =
    'Two carriers say that they have the same text: a person may have got it twice. Check which numbers both of them carry.';
  expect((await readyz()).work ?? []).not.toContain(sentence);
  await storeReceipts(app.database, [
    { key, status: 'read', carrierMessageId: 'SM0123456789', error: null, occurredAt: new Date() },
  ]);
  await app.drain();
  expect(await row(messageId)).toMatchObject({ status: 'read', carrier: null });
  expect(await carriersOf(phone)).toHaveLength(1);
  expect(await credits()).toEqual(before);
  expect(isLogged(sentence)).toBe(true);
  expect((await readyz()).work).toContain(sentence);
});

it.each([
  ['its own first', [5, 6]],
  ['the other one first', [6, 5]],
] as const)(
  'a number without a second carrier that two bring texts for, %s: each is shown once',
  async (_, order) => {
    await operate(`carrier ${number} infobip`);
    const from = `1615555498${order[0]}`;
    for (const aggregatorId of order) {
      const inboundKey = `${aggregatorId === 5 ? 'infobip' : 'smpp'}:alone-${order[0]}`;
      await storeInbound(app.database, aggregatorId, [
        { inboundKey, from, to: number, body: 'Is there school?', media: [], occurredAt: new Date() },
      ]);
      await app.drain();
    }
    const { rows } = await sql`select from messages where phone = ${from} and is_inbound`.execute(
      app.database.system,
    );
    expect(rows).toHaveLength(1);
  },
);

it('a text that two carriers deliver is shown and answered once; two from one carrier are two', async () => {
  await operate(`carrier ${number} infobip smpp`);
  const from = '16155554990';
  let serial = 0;
  const bring = async (aggregatorId: 5 | 6, body: string, at = new Date()) => {
    serial += 1;
    const inboundKey = `${aggregatorId === 5 ? 'infobip' : 'smpp'}:copy-${serial}`;
    await storeInbound(app.database, aggregatorId, [
      { inboundKey, from, to: number, body, media: [], occurredAt: at },
    ]);
  };
  const received = async () => {
    await app.drain();
    const { rows } = await sql<{ body: string }>`
      select body from messages where phone = ${from} and is_inbound order by created_at`.execute(
      app.database.system,
    );
    return rows.map(({ body }) => body);
  };
  // In one batch, and later.
  await bring(5, 'Yes, both of us');
  await bring(6, 'Yes, both of us');
  expect(await received()).toEqual(['Yes, both of us']);
  await bring(6, 'Stop', new Date(Date.now() + 1000));
  expect(await received()).toHaveLength(2);
  await bring(5, 'Stop', new Date(Date.now() + 2000));
  expect(await received()).toHaveLength(2);
  // A sender who repeats it, and one who repeats it an hour later.
  await bring(5, 'Yes, both of us', new Date(Date.now() + 3000));
  expect(await received()).toHaveLength(3);
  await bring(6, 'Yes, both of us', new Date(Date.now() + 3_600_000));
  expect(await received()).toHaveLength(4);
  const confirmations = await app.until(async () => {
    await app.drain();
    const got = await app.sandbox.messages(from);
    return got.length > 0 && got;
  });
  expect(confirmations).toHaveLength(1);
  const sentence =
    'Two carriers brought the same text: it is shown once. Check which numbers both of them carry.';
  expect(isLogged(sentence)).toBe(true);
  expect((await readyz()).work).toContain(sentence);
});
