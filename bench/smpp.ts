/**
 * SMPP: texts that our adapter hands to the sandbox's SMSC, beside a bare loop that only submits, with the same package and
 * the same window: the limit. Then the whole way: from the outbox until their receipts are applied.
 *
 *   node bench/smpp.ts [count]
 */
import smpp from 'smpp';
import { smppCarrier } from '../server/outside/carrier-smpp.ts';
import { type Bench, credentials, report, smppPortOf, startBench } from './harness.ts';
import { addTexts, countByStatus, ledgerHolds, makeSender } from './texts.ts';

const count = Number(process.argv[2] ?? 30_000);
const number = '14235550100';
const port = 4290;
const window = 50;

const bench = await startBench({ port, numbers: { [number]: 'smpp' } });
try {
  await bench.sandbox('PUT', '/settings', { DeliveryDelayMs: [0, 0], AutoAnswer: false });
  const bare = await bareLoop();
  const adapter = await throughAdapter();
  const before = (await bench.sandbox('GET', '/stats')) as Record<string, number>;
  const { handed, whole } = await throughServer(bench);
  const after = (await bench.sandbox('GET', '/stats')) as Record<string, number>;
  const figure = (name: string) => (after[name] ?? 0) - (before[name] ?? 0);
  console.log(
    `${count.toLocaleString('en-US')} texts; bare submit_sm ${Math.round(bare).toLocaleString('en-US')} a second`,
  );
  const holds = [
    report('handed over by the adapter', adapter, { least: 3_000 }, 'texts a second'),
    report('of the bare loop', (100 * adapter) / bare, { least: 40 }, '%'),
    report('the whole way, without receipts', handed, { least: 1_500 }, 'texts a second'),
    report('the whole way, with receipts', whole, { least: 1_000 }, 'texts a second'),
    report('accepted by the carrier', figure('Accepted'), { least: count, most: count }, 'texts'),
    report('doubled', figure('DuplicatesByNumberAndText'), { most: 0 }, 'texts'),
    report('ledger sums to the balance', (await ledgerHolds(bench.db)) ? 1 : 0, { least: 1 }, '(1 = yes)'),
  ];
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await bench.close();
}

async function throughServer({ db, startServer }: Bench) {
  const sender = await makeSender(db, number, 6);
  const server = await startServer({ SMPP_WINDOW: String(window) });
  await addTexts(db, sender, 6, count);
  const start = performance.now();
  await until(db, "status <> 'waiting'");
  const handedMs = performance.now() - start;
  await until(db, "status = 'delivered'");
  const wholeMs = performance.now() - start;
  await server.kill('SIGTERM');
  return { handed: (1000 * count) / handedMs, whole: (1000 * count) / wholeMs };
}

/** The adapter alone: slices of a thousand, with nobody who keeps ids or wants receipts. */
async function throughAdapter(): Promise<number> {
  const { SMPP_SYSTEM_ID: systemId, SMPP_PASSWORD: password } = credentials;
  const carrier = smppCarrier({
    ...{ url: `smpp://127.0.0.1:${smppPortOf(port)}`, systemId, password, systemType: '' },
    ...{ window, perSecond: undefined, enquireSeconds: 30, longTexts: 'parts', idForm: 'same' },
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
  const texts = Array.from({ length: count }, (_, index) => ({
    ...{ key: `mu-1-${index + 1}-a`, from: number, to: String(14_010_000_000 + index), mediaUrls: [] },
    body: `Harlow Creek Schools: all schools close at 1:30 PM today. Number ${index}`,
  }));
  const startMs = performance.now();
  for (let at = 0; at < count; at += 1000) {
    const handed = await carrier.hand(texts.slice(at, at + 1000));
    if (handed.some(({ outcome }) => outcome !== 'accepted')) throw new Error('a text was not taken');
  }
  const seconds = (performance.now() - startMs) / 1000;
  await carrier.close();
  return count / seconds;
}

/** The package alone: a window of submit_sm without receipts, database or anything else. */
function bareLoop(): Promise<number> {
  return new Promise((done, failed) => {
    const session = smpp.connect({ host: '127.0.0.1', port: smppPortOf(port) });
    session.on('error', failed);
    session.on('connect', () => {
      const { SMPP_SYSTEM_ID: system_id, SMPP_PASSWORD: password } = credentials;
      session.bind_transceiver({ system_id, password }, run);
    });
    let sent = 0;
    let answered = 0;
    let startMs = 0;
    const next = () => {
      sent += 1;
      session.submit_sm(
        {
          source_addr: number,
          destination_addr: String(13_010_000_000 + sent),
          data_coding: 0,
          short_message: Buffer.from(
            `Harlow Creek Schools: all schools close at 1:30 PM today. Number ${sent}`,
          ),
        },
        () => {
          answered += 1;
          if (answered === count) {
            const seconds = (performance.now() - startMs) / 1000;
            session.destroy();
            done(count / seconds);
          } else if (sent < count) next();
        },
      );
    };
    function run(): void {
      startMs = performance.now();
      for (let index = 0; index < window; index++) next();
    }
  });
}

async function until(db: Bench['db'], what: string): Promise<void> {
  const deadline = performance.now() + 300_000;
  for (;;) {
    const { rows } = await db.query<{ many: string }>(`select count(*) as many from messages where ${what}`);
    if (Number(rows[0]?.many) >= count) return;
    if (performance.now() > deadline) throw new Error(`not done: ${JSON.stringify(await countByStatus(db))}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
