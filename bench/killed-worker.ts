/**
 * kill -9 of the worker five times while it sends: every text at its telephone exactly once, none
 * lost, none doubled, and going on within fifteen seconds of each restart.
 *
 *   node bench/killed-worker.ts [count]
 */
import { type Bench, report, startBench } from './harness.ts';
import { addTexts, countByStatus, ledgerHolds, makeSender } from './texts.ts';

const count = Number(process.argv[2] ?? 100_000);
const kills = 5;
const number = '14235550100';

const bench = await startBench({ port: 4210, numbers: { [number]: 'infobip' } });
try {
  await bench.sandbox('PUT', '/settings', {
    DeliveryDelayMs: [0, 0],
    AutoAnswer: false,
    ReceiptsPerRequest: 1000,
  });
  const sender = await makeSender(bench.db, number, 5);
  // The web process takes the receipts; only the worker dies.
  await bench.startServer({ ROLE: 'web' });
  const resumed = await sendThroughKills(bench, sender);
  const statuses = await countByStatus(bench.db);
  const stats = (await bench.sandbox('GET', '/stats')) as Record<string, number>;
  const holds = [
    report('longest way back to work after a restart', Math.max(...resumed) / 1000, { most: 15 }, 's'),
    report('at their telephones', stats.Accepted ?? 0, { least: count, most: count }, 'texts'),
    report('delivered in the ledger', statuses.delivered ?? 0, { least: count, most: count }, 'texts'),
    report('doubled', stats.DuplicatesByNumberAndText ?? 0, { most: 0 }, 'texts'),
    report('ledger sums to the balance', (await ledgerHolds(bench.db)) ? 1 : 0, { least: 1 }, '(1 = yes)'),
  ];
  console.log(`repeats that the carrier refused, as it should: ${stats.DuplicatesByKey ?? 0}`);
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await bench.close();
}

/** Time from each restart until the first text was handed over again, in milliseconds. */
async function sendThroughKills(
  { db, sandbox, startServer }: Bench,
  sender: { accountId: number; numberId: number },
) {
  const accepted = async () => ((await sandbox('GET', '/stats')) as { Accepted: number }).Accepted;
  const resumed: number[] = [];
  let worker = await startServer({ ROLE: 'worker' });
  await addTexts(db, sender, 5, count);
  for (let killed = 0; killed < kills; killed += 1) {
    const goal = Math.floor((count * (killed + 1)) / (kills + 1));
    await until(async () => (await accepted()) >= goal);
    await worker.kill('SIGKILL');
    const before = await accepted();
    const start = performance.now();
    worker = await startServer({ ROLE: 'worker' });
    await until(async () => (await accepted()) > before);
    resumed.push(performance.now() - start);
  }
  await until(async () => {
    const { rows } = await db.query<{ open: boolean }>(
      'select exists (select from outbox) or exists (select from carrier_receipts) as open',
    );
    return rows[0]?.open === false && ((await countByStatus(db)).delivered ?? 0) === count;
  });
  return resumed;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 300_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
