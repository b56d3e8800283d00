/**
 * The send loop: texts handed to the sandbox over HTTP and their receipts applied, end to end, beside
 * the same SQL with a carrier that takes everything at once inside the process (no HTTP): the limit.
 *
 *   node bench/send-loop.ts [count]
 */
import { pino } from 'pino';
import { openDatabase } from '../server/db.ts';
import { createMetrics } from '../server/metrics.ts';
import type { Carrier } from '../server/outside/carrier.ts';
import { createSendingWork } from '../server/sending/jobs.ts';
import { storeReceipts } from '../server/texts/store-receipts.ts';
import { type Bench, report, startBench } from './harness.ts';
import { addTexts, countByStatus, ledgerHolds, makeSender } from './texts.ts';

const count = Number(process.argv[2] ?? 100_000);
const number = '14235550100';

const bench = await startBench({ port: 4200, numbers: { [number]: 'infobip' } });
try {
  const limit = await bareLoop(bench);
  const { perSecond, peakMb, stats } = await throughSandbox(bench);
  console.log(
    `${count.toLocaleString('en-US')} texts; bare SQL ${Math.round(limit).toLocaleString('en-US')} a second`,
  );
  const holds = [
    report('handed over and receipted', perSecond, { least: 5_000 }, 'texts a second'),
    report('of the bare SQL loop', (100 * perSecond) / limit, { least: 25 }, '%'),
    report('server memory at its highest', peakMb, { most: 350 }, 'MB'),
    report('accepted by the carrier', stats.Accepted ?? 0, { least: count, most: count }, 'texts'),
    report(
      'doubled',
      (stats.DuplicatesByNumberAndText ?? 0) + (stats.DuplicatesByKey ?? 0),
      { most: 0 },
      'texts',
    ),
    report('ledger sums to the balance', (await ledgerHolds(bench.db)) ? 1 : 0, { least: 1 }, '(1 = yes)'),
  ];
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await bench.close();
}

async function throughSandbox({ db, startServer, sandbox }: Bench) {
  await db.query('truncate messages, outbox, carrier_receipts, daily_texts');
  await sandbox('PUT', '/settings', { DeliveryDelayMs: [0, 0], AutoAnswer: false, ReceiptsPerRequest: 1000 });
  const sender = await makeSender(db, number, 5);
  const server = await startServer();
  await addTexts(db, sender, 5, count);
  const start = performance.now();
  await untilDelivered(db);
  const seconds = (performance.now() - start) / 1000;
  const stats = (await sandbox('GET', '/stats')) as Record<string, number>;
  const peakMb = server.peakMb();
  await server.kill('SIGTERM');
  return { perSecond: count / seconds, peakMb, stats };
}

/** The same loops in this process with a carrier that answers from memory and reports at once. */
async function bareLoop({ db, databaseUrl }: Bench): Promise<number> {
  const sender = await makeSender(db, '14235550199', 5);
  const database = openDatabase(databaseUrl, { connections: 20 });
  const carrier = {
    aggregatorId: 5,
    name: 'memory',
    slice: 500,
    refusesRepeats: true,
    async hand(texts) {
      await storeReceipts(
        database,
        texts.map(({ key }) => ({
          key,
          status: 'delivered',
          carrierMessageId: null,
          error: null,
          occurredAt: new Date(),
        })),
      );
      return texts.map(({ key }) => ({ key, outcome: 'accepted', carrierMessageId: null }));
    },
    find: async () => new Map(),
  } satisfies Partial<Carrier> as unknown as Carrier;
  const work = createSendingWork({
    database,
    carriers: new Map([[5, carrier]]),
    publicUrl: 'http://127.0.0.1',
    lanes: 4,
    slice: 500,
    log: pino({ level: 'silent' }),
    metrics: createMetrics({ withDefaults: false }),
  });
  await addTexts(db, sender, 5, count);
  const start = performance.now();
  const applying = setInterval(() => work.applyReceipts(), 20);
  await work.send();
  clearInterval(applying);
  await work.applyReceipts();
  await untilDelivered(db);
  const seconds = (performance.now() - start) / 1000;
  await work.stop();
  await database.close();
  return count / seconds;
}

async function untilDelivered(db: Bench['db']): Promise<void> {
  const deadline = performance.now() + 600_000;
  for (;;) {
    const { rows } = await db.query<{ open: boolean }>(
      `select exists (select from outbox) or exists (select from carrier_receipts)
        or (select count(*) from messages where status = 'delivered') < $1 as open`,
      [count],
    );
    if (rows[0]?.open === false) return;
    if (performance.now() > deadline) throw new Error(`not done: ${JSON.stringify(await countByStatus(db))}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
