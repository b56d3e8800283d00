/**
 * A broadcast from Send until its last receipt is applied, through the sandbox over HTTP, while somebody works in the
 * inbox; beside it the same loops with a carrier that takes everything inside the process (no HTTP): the limit; and a
 * queue with one job a message.
 *
 *   node bench/broadcast.ts [recipients] [--personalized]
 *   node bench/broadcast.ts [minutes] --paced        500 a minute by two workers
 */
import { pino } from 'pino';
import { openDatabase } from '../server/db.ts';
import { createMetrics } from '../server/metrics.ts';
import type { Carrier } from '../server/outside/carrier.ts';
import { createSendingWork, type SendingWork } from '../server/sending/jobs.ts';
import { aBroadcast, checkBroadcast } from '../server/testing/broadcasts.ts';
import { readOwn } from '../server/texts/store-receipts.ts';
import { addOwner, signIn, watchInbox } from './beside-broadcast.ts';
import { percentile, report, startBench } from './harness.ts';
import { measurePeer } from './one-job-a-message.ts';
import { findProcess, processorMs } from './processor-time.ts';
import { makeSender } from './texts.ts';

const words = process.argv.slice(2);
const isPersonalized = words.includes('--personalized');
const isPaced = words.includes('--paced');
const given = Number(words.find((word) => /^\d+$/.test(word)) ?? Number.NaN);
const count = Number.isNaN(given) ? (isPersonalized ? 200_000 : 1_000_000) : given;
const minutes = Number.isNaN(given) ? 10 : given;
const number = '14235550100';
const common =
  'Harlow Creek Schools: all schools close at 1:30 PM today, ice is forecast. Buses leave at 1:40 PM.';
const personal =
  'Hi {{FirstName|friend}}, all schools close at 1:30 PM today, ice is forecast. Stay safe, {{LastName}}.';

interface Sender {
  accountId: number;
  userId: number;
  textNumberId: number;
}

const bench = await startBench({ port: 4230, numbers: { [number]: 'infobip' } });
const database = openDatabase(bench.databaseUrl, { connections: 8 });
try {
  await bench.sandbox('PUT', '/settings', {
    DeliveryDelayMs: [0, 0],
    AutoAnswer: false,
    ReceiptsPerRequest: 1000,
  });
  const holds = isPaced ? await measurePace() : await measureSpeed();
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await database.close();
  await bench.close();
}

async function aSender(phone: string): Promise<Sender> {
  const { accountId, numberId } = await makeSender(bench.db, phone, 5);
  const userId = await addOwner(bench, accountId);
  await bench.db.query('update accounts set messages_per_day = 2000000000 where account_id = $1', [
    accountId,
  ]);
  return { accountId, userId, textNumberId: numberId };
}

async function measureSpeed(): Promise<boolean[]> {
  const limit = await measureLimit(Math.min(count, 200_000));
  const sent = await sendThroughSandbox();
  const peer = isPersonalized
    ? undefined
    : await measurePeer(bench.sandboxUrl, number, Math.min(count, 20_000));
  const whole = (value: number) => Math.round(value).toLocaleString('en-US');
  console.log(`${whole(count)} recipients; bare SQL ${whole(limit)} a second`);
  if (sent.processor !== '') console.log(sent.processor);
  const least = isPersonalized ? 4_000 : 8_000;
  return [
    report('from Send until its receipts are applied', sent.perSecond, { least }, 'texts a second'),
    report('of the bare SQL loop', (100 * sent.perSecond) / limit, { least: 50 }, '%'),
    ...(peer === undefined
      ? []
      : [report('times one job a message', sent.perSecond / peer, { least: 5 }, 'times')]),
    ...(sent.answerMs === undefined ? [] : [report('Send answers', sent.answerMs, { most: 1000 }, 'ms')]),
    report('from Send to the first handset', sent.firstMs / 1000, { most: 2 }, 's'),
    report('server memory at its highest', sent.peakMb, { most: 500 }, 'MB'),
    report('inbox list meanwhile, p95', percentile(sent.lists, 0.95), { most: 150 }, 'ms'),
    report(
      'an inbound text on the screen meanwhile, p95',
      percentile(sent.arrivals, 0.95),
      { most: 500 },
      'ms',
    ),
    report('at their telephones', sent.stats.Accepted ?? 0, { least: count, most: count }, 'texts'),
    report('doubled', sent.stats.DuplicatesByNumberAndText ?? 0, { most: 0 }, 'texts'),
  ];
}

async function sendThroughSandbox() {
  const sender = await aSender(number);
  const server = await bench.startServer();
  const cookie = await signIn(bench, sender.accountId);
  const broadcastId = await makeBroadcast(sender);
  const processes = {
    postgres: findProcess('postgres', bench.dataDir),
    server: server.child.pid,
    sandbox: bench.sandboxPid,
  };
  const before = Object.values(processes).map(processorMs);
  const watch = await watchInbox(bench, cookie, number);
  const start = performance.now();
  const answerMs = isPersonalized ? await begin(broadcastId) : await pressSend(broadcastId, cookie);
  const firstMs = await untilFirst(start);
  await untilDelivered(broadcastId, count);
  const seconds = (performance.now() - start) / 1000;
  await watch.stop();
  const used = Object.values(processes).map((pid, index) => processorMs(pid) - (before[index] ?? 0));
  const stats = (await bench.sandbox('GET', '/stats')) as Record<string, number>;
  const peakMb = server.peakMb();
  await checkBroadcast(database, broadcastId);
  await server.kill('SIGTERM');
  const each = Object.keys(processes).map(
    (name, index) => `${name} ${Math.round((1000 * (used[index] ?? 0)) / count)}`,
  );
  return {
    perSecond: count / seconds,
    answerMs,
    firstMs,
    peakMb,
    stats,
    lists: watch.lists,
    arrivals: watch.arrivals,
    processor: used.some((ms) => ms > 0) ? `microseconds of processor a text: ${each.join(', ')}` : '',
  };
}

async function makeBroadcast(sender: Sender): Promise<number> {
  const start = performance.now();
  const id = await aBroadcast(database, sender, {
    count,
    status: isPersonalized ? 'scheduled' : 'draft',
    startAt: new Date(Date.now() + 86_400_000),
    body: isPersonalized ? personal : common,
    isPersonalized,
  });
  await bench.db.query('vacuum analyze broadcast_recipients');
  console.log(`recipients made in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return id;
}

/** As a page does it. */
async function pressSend(DraftBroadcastID: number, cookie: string): Promise<number> {
  const start = performance.now();
  const answer = await fetch(`${bench.serverUrl}/proxy/api/broadcasts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ DraftBroadcastID }),
  });
  if (!answer.ok) throw new Error(`Send answered ${answer.status}: ${await answer.text()}`);
  return performance.now() - start;
}

/** A personalized one has to be merged before it can be sent; here its time has come. */
async function begin(broadcastId: number): Promise<undefined> {
  await bench.db.query(
    'update broadcasts set next_feed_at = now(), start_at = now() where broadcast_id = $1',
    [broadcastId],
  );
  await bench.db.query("select enqueue('send_messages', '{}', null, null, 25, 0)");
  return undefined;
}

async function untilFirst(start: number): Promise<number> {
  for (;;) {
    const { Delivered } = (await bench.sandbox('GET', '/stats')) as { Delivered: number };
    if (Delivered > 0) return performance.now() - start;
    if (performance.now() - start > 60_000) throw new Error('nothing reached a handset');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function untilDelivered(broadcastId: number, many: number): Promise<void> {
  const deadline = performance.now() + 1_800_000;
  for (;;) {
    const { rows } = await bench.db.query<{ delivered: string; status: string }>(
      `select b.status, (select coalesce(sum(delivered), 0) from broadcast_slices s
         where s.account_id = b.account_id and s.broadcast_id = b.broadcast_id) as delivered
       from broadcasts b where b.broadcast_id = $1`,
      [broadcastId],
    );
    // It is completed a second or so after the last receipt.
    if (Number(rows[0]?.delivered) === many && rows[0]?.status !== 'broadcasting') return;
    if (performance.now() > deadline) throw new Error(`not done: ${JSON.stringify(rows[0])}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The same loops in this process with a carrier that answers from memory and reports at once. */
async function measureLimit(many: number): Promise<number> {
  const sender = await aSender('14235550199');
  const pool = openDatabase(bench.databaseUrl, { connections: 20 });
  let work: SendingWork | undefined;
  const reports = new Set<Promise<unknown>>();
  const carrier = {
    aggregatorId: 5,
    name: 'memory',
    slice: 1000,
    refusesRepeats: true,
    async hand(texts) {
      const occurredAt = new Date();
      const receipts = readOwn(
        texts.map(({ key }) => ({
          key,
          status: 'delivered',
          carrierMessageId: null,
          error: null,
          occurredAt,
        })),
      );
      const taken = work?.takeReceipts(receipts).finally(() => reports.delete(taken as Promise<unknown>));
      if (taken !== undefined) reports.add(taken);
      return texts.map(({ key }) => ({ key, outcome: 'accepted', carrierMessageId: null }));
    },
    find: async () => new Map(),
  } satisfies Partial<Carrier> as unknown as Carrier;
  work = createSendingWork({
    database: pool,
    carriers: new Map([[5, carrier]]),
    publicUrl: 'http://127.0.0.1',
    lanes: 4,
    slice: 1000,
    log: pino({ level: 'silent' }),
    metrics: createMetrics({ withDefaults: false }),
  });
  const id = await aBroadcast(database, sender, {
    count: many,
    firstPhone: 500_000_000,
    body: isPersonalized ? personal : common,
    isPersonalized,
  });
  await bench.db.query('vacuum analyze broadcast_recipients');
  const start = performance.now();
  await work.send();
  await Promise.all(reports);
  await untilDelivered(id, many);
  const seconds = (performance.now() - start) / 1000;
  await work.stop();
  await pool.close();
  await checkBroadcast(database, id);
  await bench.db.query(
    'truncate messages, broadcast_recipients, broadcast_slices, broadcast_zones, broadcasts, outbox, outbox_slices, daily_texts cascade',
  );
  return many / seconds;
}

/** 500 a minute with two workers: how many were handed over in each minute, and in all. */
async function measurePace(): Promise<boolean[]> {
  const perMinute = 500;
  const sender = await aSender(number);
  await bench.startServer({ ROLE: 'web' });
  await bench.startServer({ ROLE: 'worker' });
  await bench.startServer({ ROLE: 'worker' });
  await aBroadcast(database, sender, { count: perMinute * (minutes + 2), perMinute });
  const accepted = async () => ((await bench.sandbox('GET', '/stats')) as { Accepted: number }).Accepted;
  while ((await accepted()) === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  const start = performance.now();
  const first = await accepted();
  const each: number[] = [];
  let last = first;
  for (let minute = 1; minute <= minutes; minute += 1) {
    await new Promise((resolve) => setTimeout(resolve, start + minute * 60_000 - performance.now()));
    const now = await accepted();
    each.push(now - last);
    last = now;
  }
  const passed = (performance.now() - start) / 60_000;
  console.log(`handed over by the minute: ${each.join(', ')}`);
  const deviation = 100 * Math.abs((last - first) / (perMinute * passed) - 1);
  const worst = Math.max(...each.map((many) => 100 * Math.abs(many / perMinute - 1)));
  console.log(`the worst minute is off by ${worst.toFixed(1)} %`);
  return [report(`off its pace over ${minutes} minutes, two workers`, deviation, { most: 3 }, '%')];
}
