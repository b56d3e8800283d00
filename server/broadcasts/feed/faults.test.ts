import { sql } from 'kysely';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { moveCredits, ofBroadcast } from '../../billing/move-credits.ts';
import { asSystem } from '../../db.ts';
import {
  aBroadcast,
  type BroadcastSender,
  checkBroadcast,
  recipientPhone,
} from '../../testing/broadcasts.ts';
import { buildAccount } from '../../testing/builders.ts';
import { hurryTexts } from '../../testing/hurry-texts.ts';
import { endProcess, spawnWorker } from '../../testing/spawn-worker.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { withdrawTexts } from '../../texts/withdraw-texts.ts';
import type { Worker } from '../../worker.ts';

const number = '14235550100';
const slice = 25;
let app: TestApp;
const workers: Worker[] = [];

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' }, { SEND_SLICE: String(slice) });
});

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await app.sandbox.control('POST', '/reset');
});

async function aSender(credits = 1000): Promise<BroadcastSender> {
  await sql`update text_numbers set released_at = now() where phone = ${number}`.execute(app.database.system);
  const account = await buildAccount(app, { numbers: { [number]: 'infobip' }, credits });
  return {
    accountId: account.accountId,
    userId: account.owner.userId,
    textNumberId: account.numbers[number] ?? 0,
  };
}

async function startWorker(): Promise<void> {
  workers.push(await app.startWorker());
}

const check = (broadcastId: number) => checkBroadcast(app.database, broadcastId);
const accepted = async () => (await app.sandbox.stats()).Accepted ?? 0;

/** Waits and leases are over: retries that are due later happen now. */
async function hurry(): Promise<void> {
  await hurryTexts(app.database);
  await sql`update outbox_slices set lease_until = now() - interval '1 second'`.execute(app.database.system);
}

async function untilDelivered(broadcastId: number, many: number): Promise<void> {
  await waitUntil(async () => (await check(broadcastId)).texts.delivered === many);
  await waitUntil(async () => (await check(broadcastId)).status === 'completed');
}

async function expectEachOnce(many: number): Promise<void> {
  const { Accepted, DuplicatesByNumberAndText } = await app.sandbox.stats();
  expect({ Accepted, DuplicatesByNumberAndText }).toEqual({ Accepted: many, DuplicatesByNumberAndText: 0 });
}

it('kill -9 of the worker while it sends: each exactly once', async () => {
  const count = 400;
  const id = await aBroadcast(app.database, await aSender(), { count });
  for (let killed = 0; killed < 2; killed += 1) {
    const before = await accepted();
    const worker = spawnWorker(app, { SEND_SLICE: String(slice) });
    await waitUntil(async () => (await accepted()) > before);
    await endProcess(worker, 'SIGKILL');
    await hurry();
  }
  const worker = spawnWorker(app, { SEND_SLICE: String(slice) });
  await untilDelivered(id, count);
  await endProcess(worker, 'SIGTERM');
  await expectEachOnce(count);
  expect(await check(id)).toMatchObject({ balance: 1000 - count, reserved: 0 });
});

it('two workers, receipts duplicated and shuffled: each exactly once', async () => {
  const count = 400;
  await app.sandbox.faults({ ReceiptDuplicate: 0.5, ReceiptShuffle: true });
  const id = await aBroadcast(app.database, await aSender(), { count });
  await startWorker();
  await startWorker();
  await untilDelivered(id, count);
  await expectEachOnce(count);
  expect(await check(id)).toMatchObject({ balance: 1000 - count, reserved: 0 });
});

it('a stopped worker that wakes up after its slice was given to another records nothing twice', async () => {
  const count = 60;
  await app.sandbox.faults({ TimeoutAfterAccept: 1 });
  const id = await aBroadcast(app.database, await aSender(), { count });
  const sending = app.drain();
  await waitUntil(async () => (await accepted()) >= slice);
  await app.sandbox.control('DELETE', '/faults');
  // Another worker treats the slices as lost while the first one still waits for its response.
  await startWorker();
  await waitUntil(async () => {
    await hurry();
    return (await check(id)).texts.delivered === count;
  });
  await sending;
  await app.until(async () => (await check(id)).status === 'completed');
  await expectEachOnce(count);
  expect(await check(id)).toMatchObject({ texts: { delivered: count }, balance: 1000 - count, reserved: 0 });
});

it('time-outs before and after accepting, errors and pauses of the carrier: each exactly once', async () => {
  const count = 100;
  await app.sandbox.faults({ TimeoutBeforeAccept: 0.3, TimeoutAfterAccept: 0.3, ServerError: 0.2, Seed: 7 });
  const id = await aBroadcast(app.database, await aSender(), { count });
  await app.drain();
  expect((await check(id)).texts.waiting).toBeGreaterThan(0);
  await app.sandbox.control('DELETE', '/faults');
  await app.sandbox.faults({ TooManyRequests: 1, RetryAfterSeconds: 1 });
  await hurry();
  await app.drain();
  await app.sandbox.control('DELETE', '/faults');
  await waitUntil(async () => {
    await hurry();
    await app.drain();
    return (await check(id)).texts.delivered === count;
  });
  await app.until(async () => (await check(id)).status === 'completed');
  await expectEachOnce(count);
  expect(await check(id)).toMatchObject({ balance: 1000 - count, reserved: 0 });
});

it('STOP at any instant: nothing is made for a phone after it', async () => {
  const count = 300;
  const sender = await aSender();
  const id = await aBroadcast(app.database, sender, { count, perMinute: 6000 });
  await startWorker();
  const late: string[] = [];
  for (const index of [280, 20, 150, 240, 90, 295]) {
    const phone = recipientPhone(index);
    await app.sandbox.text(phone, number, 'STOP');
    // From the moment at which its effect is visible to everybody.
    const { applied } = await waitUntil(async () => {
      const { rows } = await sql<{ applied: number }>`
        select max(m.message_id) as applied from messages m
        where exists (select from phone_consents c
          where c.account_id = ${sender.accountId} and c.phone = ${phone} and c.text_state = 'out')`.execute(
        app.database.system,
      );
      return rows[0]?.applied !== null && rows[0];
    });
    const { rows } = await sql<{ phone: string }>`
      select phone from messages where broadcast_id = ${id} and phone = ${phone} and not is_inbound
        and message_id > ${applied} and status <> 'opted_out'`.execute(app.database.system);
    late.push(...rows.map((row) => row.phone));
  }
  await waitUntil(async () => (await check(id)).status === 'completed');
  await waitUntil(async () => ((await check(id)).texts.sent ?? 0) === 0);
  expect(late).toEqual([]);
  const { texts, reserved } = await check(id);
  expect((texts.delivered ?? 0) + (texts.opted_out ?? 0)).toBe(count);
  expect(texts.opted_out).toBeGreaterThan(0);
  expect(reserved).toBe(0);
});

it('paused and resumed twenty times: nothing lost, nothing twice', async () => {
  const count = 400;
  const id = await aBroadcast(app.database, await aSender(), { count });
  await startWorker();
  const set = (status: 'paused' | 'broadcasting') =>
    sql`update broadcasts set status = ${status}
      where broadcast_id = ${id} and status in ('paused', 'broadcasting')`.execute(app.database.system);
  for (let times = 0; times < 20; times += 1) {
    await set('paused');
    const held = await waitUntil(async () => {
      const { rows } = await sql<{ fed: number; busy: boolean }>`
        select fed_count as fed, exists (select from outbox_slices) as busy from broadcasts where broadcast_id = ${id}`.execute(
        app.database.system,
      );
      return rows[0]?.busy === false && rows[0];
    });
    await new Promise((resolve) => setTimeout(resolve, 10));
    const { rows } = await sql<{ fed: number }>`
      select fed_count as fed from broadcasts where broadcast_id = ${id}`.execute(app.database.system);
    expect(rows[0]?.fed).toBe(held.fed);
    await set('broadcasting');
    await sql`select enqueue('send_messages', '{}', null, null, 25, 0)`.execute(app.database.system);
  }
  await untilDelivered(id, count);
  await expectEachOnce(count);
});

it('paused, texts in the outbox stay there', async () => {
  await app.sandbox.faults({ TooManyRequests: 1, RetryAfterSeconds: 1 });
  const id = await aBroadcast(app.database, await aSender(), { count: 20 });
  await app.drain();
  await app.sandbox.control('DELETE', '/faults');
  await sql`update broadcasts set status = 'paused' where broadcast_id = ${id}`.execute(app.database.system);
  await hurry();
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await app.drain();
  expect(await accepted()).toBe(0);
  await sql`update broadcasts set status = 'broadcasting' where broadcast_id = ${id}`.execute(
    app.database.system,
  );
  await app.until(async () => (await check(id)).texts.delivered === 20);
});

it('canceled while it is under way: what a worker holds is settled, the rest is never sent', async () => {
  const count = 300;
  const sender = await aSender();
  await app.sandbox.faults({ TimeoutBeforeAccept: 1 });
  const id = await aBroadcast(app.database, sender, { count });
  const sending = app.drain();
  await waitUntil(async () => (await check(id)).unfed <= count - 3 * slice);
  await asSystem(app.database, async (trx) => {
    const { rows } = await sql<{ credits: number }>`
      update broadcasts set status = 'canceled', ended_at = now(), next_feed_at = null, credits_unfed = 0
      where broadcast_id = ${id} returning old.credits_unfed as credits`.execute(trx);
    const credits = (rows[0]?.credits ?? 0) + (await withdrawTexts(trx, sender.accountId, id));
    await moveCredits(trx, [
      { accountId: sender.accountId, kind: 'release', credits, reference: ofBroadcast(id) },
    ]);
  });
  const { unfed } = await check(id);
  await sending;
  await app.sandbox.control('DELETE', '/faults');
  await app.until(async () => {
    await hurry();
    const { texts } = await check(id);
    return (texts.waiting ?? 0) + (texts.sent ?? 0) === 0;
  });
  const { texts, balance, reserved, ...after } = await check(id);
  expect(after).toMatchObject({ status: 'canceled', unfed });
  // They were in doubt, the carrier was asked and didn't have them, and they were not handed over again.
  expect(texts).toEqual({ canceled: count - unfed });
  expect({ balance, reserved, accepted: await accepted() }).toEqual({
    balance: 1000,
    reserved: 0,
    accepted: 0,
  });
});
