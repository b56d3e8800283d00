import { sql } from 'kysely';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TextStatusCode } from '../../contract/delivery/text-status.ts';
import type { Database } from '../db.ts';
import { createMetrics } from '../metrics.ts';
import type { Receipt } from '../outside/carrier.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { testCredentials } from '../testing/test-sandbox.ts';
import { applyAtOnce, applyReceipts } from '../texts/apply-receipts.ts';
import { writeSendKey } from '../texts/rules.ts';
import { readOwn, storeReceipts } from '../texts/store-receipts.ts';
import { createReceiptTaking } from './take-receipts.ts';

let app: TestApp;
let account: BuiltAccount;
let database: Database;

beforeAll(async () => {
  app = await testApp({ '14235550100': 'infobip' });
  account = await buildAccount(app, { numbers: { '14235550100': 'infobip' }, credits: 100 });
  database = app.database;
});

/** A text of ours in the ledger, as if the carrier had it, or still in the outbox. */
async function makeText(status: 'waiting' | 'sent'): Promise<{ messageId: number; key: string }> {
  const row = await database.system
    .insertInto('messages')
    .values({
      account_id: account.accountId,
      text_number_id: account.numbers['14235550100'] ?? 0,
      phone: '14235550101',
      is_inbound: false,
      status,
      body: 'Hello',
      credits: 1,
    })
    .returning(['message_id', 'send_nonce'])
    .executeTakeFirstOrThrow();
  if (status === 'waiting') {
    await sql`update accounts set credit_reserved = credit_reserved + 1 where account_id = ${account.accountId}`.execute(
      database.system,
    );
    await database.system
      .insertInto('outbox')
      .values({
        account_id: account.accountId,
        message_id: row.message_id,
        text_number_id: account.numbers['14235550100'] ?? 0,
        aggregator_id: 5,
        phone: '14235550101',
        // Held by a worker that was killed after the carrier accepted it.
        lease_id: '00000000-0000-0000-0000-000000000001',
        lease_until: sql`now() + interval '1 minute'`,
      })
      .execute();
  }
  return {
    messageId: row.message_id,
    key: writeSendKey({ accountId: account.accountId, messageId: row.message_id, nonce: row.send_nonce }),
  };
}

function receipt(key: string, status: TextStatusCode) {
  return { key, status, carrierMessageId: 'c-1', error: null, occurredAt: new Date() };
}

async function statusOf(messageId: number): Promise<string> {
  const row = await database.system
    .selectFrom('messages')
    .select('status')
    .where('message_id', '=', messageId)
    .executeTakeFirstOrThrow();
  return row.status;
}

/** With webhooks handled without a worker in the process, and with one. */
const ways: Record<string, (receipts: Receipt[]) => Promise<void>> = {
  stored: async (receipts) => {
    await storeReceipts(database, receipts);
    await applyReceipts(database, 100);
  },
  'at once': (receipts) => applyAtOnce(database, readOwn(receipts)),
};

describe.each(Object.entries(ways))('statuses only move forward, %s', (_, apply) => {
  const orders: [TextStatusCode[], TextStatusCode][] = [
    [['sent', 'delivered'], 'delivered'],
    [['delivered', 'sent'], 'delivered'],
    [['delivered', 'delivered', 'delivered'], 'delivered'],
    [['delivered', 'phone_unreachable'], 'delivered'],
    [['phone_unreachable', 'delivered'], 'delivered'],
    [['phone_unreachable', 'spam_rejected'], 'phone_unreachable'],
    [['unknown', 'delivered', 'unknown'], 'delivered'],
    [['read', 'delivered'], 'read'],
  ];
  it.each(orders)('%j results in %s, one by one', async (statuses, expected) => {
    const { messageId, key } = await makeText('sent');
    for (const status of statuses) {
      await apply([receipt(key, status)]);
    }
    expect(await statusOf(messageId)).toBe(expected);
  });

  it('in one batch the furthest one counts', async () => {
    const { messageId, key } = await makeText('sent');
    await apply((['delivered', 'sent', 'phone_unreachable'] as const).map((status) => receipt(key, status)));
    expect(await statusOf(messageId)).toBe('delivered');
  });

  it('a receipt with another nonce changes nothing, and doesn’t block a correct one', async () => {
    const { messageId, key } = await makeText('sent');
    const forged = key.replace(/-[0-9a-z]+$/, '-0');
    await apply([receipt(forged, 'read')]);
    expect(await statusOf(messageId)).toBe('sent');
    await apply([receipt(forged, 'read'), receipt(key, 'delivered'), receipt(forged, 'read')]);
    expect(await statusOf(messageId)).toBe('delivered');
  });
});

it('a receipt before the hand-over is recorded settles the text once, out of the outbox', async () => {
  const balance = async () =>
    database.system
      .selectFrom('accounts')
      .select(['credit_balance', 'credit_reserved'])
      .where('account_id', '=', account.accountId)
      .executeTakeFirstOrThrow();
  const before = await balance();
  const { messageId, key } = await makeText('waiting');
  for (let times = 0; times < 2; times += 1) {
    await storeReceipts(database, [receipt(key, 'delivered')]);
    await applyReceipts(database, 100);
  }
  expect(await statusOf(messageId)).toBe('delivered');
  expect(
    await database.system.selectFrom('outbox').selectAll().where('message_id', '=', messageId).execute(),
  ).toEqual([]);
  expect(await balance()).toEqual({
    credit_balance: before.credit_balance - 1,
    credit_reserved: before.credit_reserved,
  });
});

it('a forged key, or that of a row restored from a backup, changes nothing', async () => {
  const { messageId, key } = await makeText('sent');
  const forged = key.replace(/-[0-9a-z]+$/, '-0');
  expect(await storeReceipts(database, [receipt('not-ours', 'delivered')])).toBe(0);
  await storeReceipts(database, [receipt(forged, 'delivered')]);
  await applyReceipts(database, 100);
  expect(await statusOf(messageId)).toBe('sent');
});

it('receipts of several webhooks share a transaction; those that can’t be applied are stored', async () => {
  const metrics = createMetrics({ withDefaults: false });
  const log = pino({ level: 'silent' });
  const taking = createReceiptTaking({ database, metrics, log }, 3);
  const made = await Promise.all(Array.from({ length: 7 }, () => makeText('sent')));
  const taken = await Promise.all(
    made.map(({ key }) => taking.take(readOwn([receipt(key, 'delivered'), receipt(key, 'sent')]))),
  );
  expect(taken).toEqual(Array(7).fill(true));
  for (const { messageId } of made) expect(await statusOf(messageId)).toBe('delivered');
  // A state that the ledger doesn't know fails like an unavailable database.
  const one = await makeText('sent');
  const broken = { ...receipt(one.key, 'delivered'), status: 'nonsense' as TextStatusCode };
  expect(await taking.take(readOwn([broken]))).toBe(false);
  await taking.stop();
  expect(await taking.take(readOwn([receipt(one.key, 'read')]))).toBe(false);
});

it('webhooks are refused without the secret or the signature, and nothing is stored', async () => {
  const body = JSON.stringify({ results: [] });
  const post = (path: string, headers: Record<string, string> = {}) =>
    fetch(app.url + path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
  expect((await post('/hooks/infobip/receipts/wrong-secret')).status).toBe(403);
  expect((await post('/hooks/infobip/inbound/wrong-secret')).status).toBe(403);
  expect((await post('/hooks/twilio/receipts?key=x', { 'x-twilio-signature': 'AAAA' })).status).toBe(403);
  expect((await post('/hooks/twilio/inbound')).status).toBe(403);
  const right = await post(`/hooks/infobip/receipts/${testCredentials.INFOBIP_WEBHOOK_SECRET}`);
  expect(right.status).toBe(200);
});
