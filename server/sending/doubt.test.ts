/** The result of a text for each kind of carrier failure: never two at the telephone, never lost. */
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createConversation } from '../../contract/conversations.ts';
import { shiftClock } from '../clock.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { hurryTexts } from '../testing/hurry-texts.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

const numbers = { '14235550100': 'infobip', '14235550120': 'twilio' } as const;
let app: TestApp;
let account: BuiltAccount;
let line = 100;

beforeAll(async () => {
  app = await testApp(numbers);
  account = await buildAccount(app, { numbers });
});

afterEach(async () => {
  await app.sandbox.control('DELETE', '/faults');
});

async function write(number: keyof typeof numbers): Promise<{ phone: string; messageId: number }> {
  line += 1;
  const phone = `1615555${String(line).padStart(4, '0')}`;
  const reply = await app.call(
    createConversation,
    {
      body: {
        TextNumberID: account.numbers[number] ?? 0,
        LastMessage: { Contact: { PrimaryPhone: phone }, Message: `Text ${line}` },
      },
    },
    account.owner,
  );
  return { phone, messageId: reply.body.TextMessageID };
}

async function row(messageId: number) {
  const message = await app.database.system
    .selectFrom('messages')
    .select(['status'])
    .where('message_id', '=', messageId)
    .executeTakeFirstOrThrow();
  const waiting = await app.database.system
    .selectFrom('outbox')
    .select(['in_doubt', 'lease_id'])
    .where('message_id', '=', messageId)
    .executeTakeFirst();
  return { status: message.status, waiting };
}

describe.each(Object.keys(numbers) as (keyof typeof numbers)[])('from %s', (number) => {
  it('the carrier accepts it and never responds: found there, one text', async () => {
    await app.sandbox.faults({ TimeoutAfterAccept: 1 });
    const { phone, messageId } = await write(number);
    await app.drain();
    // A receipt may have proved it already; otherwise it is in doubt.
    await app.sandbox.control('DELETE', '/faults');
    await app.until(async () => {
      await hurryTexts(app.database);
      return (await row(messageId)).waiting === undefined;
    });
    await app.until(async () => (await row(messageId)).status === 'delivered');
    expect(await app.sandbox.messages(phone)).toHaveLength(1);
  });

  it('the carrier refuses for a while (500, 429): it is sent afterwards, once', async () => {
    await app.sandbox.faults({ TooManyRequests: 1, RetryAfterSeconds: 1 });
    const { phone, messageId } = await write(number);
    await app.drain();
    expect(await row(messageId)).toMatchObject({
      status: 'waiting',
      waiting: { lease_id: null, in_doubt: false },
    });
    await app.sandbox.control('DELETE', '/faults');
    await app.until(async () => {
      await hurryTexts(app.database);
      return (await row(messageId)).status === 'delivered';
    });
    expect(await app.sandbox.messages(phone)).toHaveLength(1);
  });

  it('the worker dies after the claim: the lease expires, the carrier is asked, one arrives', async () => {
    const { phone, messageId } = await write(number);
    // The state after a worker was killed: claimed, perhaps handed over, nothing recorded.
    await sql`update outbox set lease_id = gen_random_uuid(), lease_until = now() - interval '1 second'
      where message_id = ${messageId}`.execute(app.database.system);
    await app.drain();
    if (numbers[number] === 'infobip') {
      await app.until(async () => (await row(messageId)).status === 'delivered');
      expect(await app.sandbox.messages(phone)).toHaveLength(1);
    } else {
      // Twilio would accept it twice: it stays in doubt, and is Unknown after two minutes, never sent again.
      expect(await row(messageId)).toMatchObject({ status: 'waiting', waiting: { in_doubt: true } });
      // Two minutes of PostgreSQL's clock: that of this machine may be wrong.
      shiftClock(3_600_000);
      await hurryTexts(app.database);
      await app.drain().finally(() => shiftClock(-3_600_000));
      expect(await row(messageId)).toMatchObject({ status: 'waiting', waiting: { in_doubt: true } });
      await sql`update outbox set doubt_since = now() - interval '3 minutes', send_at = now()
        where message_id = ${messageId}`.execute(app.database.system);
      await app.drain();
      expect(await row(messageId)).toEqual({ status: 'unknown', waiting: undefined });
      expect(await app.sandbox.messages(phone)).toHaveLength(0);
    }
  });

  it('the carrier is down: the text waits and is sent when it is back', async () => {
    await app.sandbox.kill();
    const { phone, messageId } = await write(number);
    await app.drain();
    expect(await row(messageId)).toMatchObject({ status: 'waiting', waiting: { in_doubt: false } });
    await app.sandbox.start();
    await app.until(async () => {
      await hurryTexts(app.database);
      return (await row(messageId)).status === 'delivered';
    });
    expect(await app.sandbox.messages(phone)).toHaveLength(1);
  });
});

it('a time-out before acceptance by a carrier that refuses repeats: sent again with its key', async () => {
  await app.sandbox.faults({ TimeoutBeforeAccept: 1 });
  const { phone, messageId } = await write('14235550100');
  await app.drain();
  expect(await row(messageId)).toMatchObject({ status: 'waiting', waiting: { in_doubt: true } });
  await app.sandbox.control('DELETE', '/faults');
  await app.until(async () => {
    await hurryTexts(app.database);
    return (await row(messageId)).status === 'delivered';
  });
  expect(await app.sandbox.messages(phone)).toHaveLength(1);
});

it('a phone that a carrier refuses gets its label, and the credit returns', async () => {
  const before = await app.database.system
    .selectFrom('accounts')
    .select(['credit_balance', 'credit_reserved'])
    .where('account_id', '=', account.accountId)
    .executeTakeFirstOrThrow();
  const reply = await app.call(
    createConversation,
    {
      body: {
        TextNumberID: account.numbers['14235550120'] ?? 0,
        // The sandbox's error for it is "not a valid phone number".
        LastMessage: { Contact: { PrimaryPhone: '4235550192' }, Message: 'Hello' },
      },
    },
    account.owner,
  );
  await app.drain();
  expect(await row(reply.body.TextMessageID)).toEqual({ status: 'number_unavailable', waiting: undefined });
  const after = await app.database.system
    .selectFrom('accounts')
    .select(['credit_balance', 'credit_reserved'])
    .where('account_id', '=', account.accountId)
    .executeTakeFirstOrThrow();
  expect(after).toEqual(before);
});
