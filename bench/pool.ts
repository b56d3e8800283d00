/**
 * Through PgBouncer in transaction mode against the database itself, in turns on the same rows: calls of a page, and a
 * worker that sends. Without PgBouncer on the machine it says so and measures nothing.
 *
 *   node bench/pool.ts [texts]
 */
import { findPgbouncer, startPgbouncer } from '../scripts/pgbouncer.ts';
import { addOwner, signIn } from './beside-broadcast.ts';
import { type Bench, percentile, type Running, report, startBench, untilAnswers } from './harness.ts';
import { addPeople } from './people.ts';
import { addTexts, countByStatus, makeSender } from './texts.ts';

const texts = Number(process.argv[2] ?? 20_000);
const rounds = 8;
const callsPerRound = 200;
const atOnce = 8;
const number = '14235550100';
const port = 4260;
const program = findPgbouncer();

if (program === undefined) {
  console.log('PgBouncer is not installed: nothing was measured.');
} else {
  const bench = await startBench({ port, numbers: { [number]: 'infobip' } });
  const pgbouncer = await startPgbouncer({
    ...{ program, databaseUrl: bench.databaseUrl, port: port + 10, connections: 10 },
  });
  const pooled = { DATABASE_POOL_URL: pgbouncer.url };
  try {
    await bench.sandbox('PUT', '/settings', { DeliveryDelayMs: [0, 0], ReceiptsPerRequest: 1000 });
    const sender = await makeSender(bench.db, number, 5);
    await addOwner(bench, sender.accountId);
    await addPeople(bench.db, sender.accountId, 20_000);
    const calls = await compareCalls(bench, sender.accountId, pooled);
    const sent = await compareSending(bench, sender, pooled);
    const holds = [
      report('a call through the pool, against 100 without', calls, { most: 115 }, '%'),
      report('a text through the pool, against 100 without', sent, { most: 115 }, '%'),
    ];
    process.exitCode = holds.every(Boolean) ? 0 : 1;
  } finally {
    await bench.close();
    await pgbouncer.stop();
  }
}

/** The time of a call through the pool in percent of one without. Rounds take turns, so that others' load hits both. */
async function compareCalls(
  bench: Bench,
  accountId: number,
  pooled: Record<string, string>,
): Promise<number> {
  const direct = await bench.startServer({ ROLE: 'web' });
  const second = await bench.startServer({ ...pooled, ROLE: 'web', PORT: String(port + 3) });
  const urls = [bench.serverUrl, `http://127.0.0.1:${port + 3}`];
  await untilAnswers(`${urls[1]}/readyz`);
  const cookie = await signIn(bench, accountId);
  const took: number[][] = [[], []];
  for (let round = 0; round < rounds + 1; round += 1) {
    for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const start = performance.now();
      await callMany(urls[side] ?? '', cookie);
      // The first warms up.
      if (round > 0) took[side]?.push((performance.now() - start) / callsPerRound);
    }
  }
  await direct.kill('SIGTERM');
  await second.kill('SIGTERM');
  const [without, through] = took.map((times) => percentile(times, 0.5));
  console.log(
    `a call: ${without?.toFixed(2)} ms without, ${through?.toFixed(2)} ms through the pool (${atOnce} at once)`,
  );
  return (100 * (through ?? 0)) / (without ?? 1);
}

async function callMany(url: string, cookie: string): Promise<void> {
  const paths = ['/proxy/api/user', '/proxy/api/lists/0/contacts?pagesize=50', '/proxy/api/conversations'];
  let next = 0;
  const lane = async () => {
    while (next < callsPerRound) {
      const path = paths[next++ % paths.length] ?? '';
      const answer = await fetch(url + path, { headers: { cookie } });
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

async function compareSending(
  bench: Bench,
  sender: { accountId: number; numberId: number },
  pooled: Record<string, string>,
): Promise<number> {
  // Receipts go to a web process of each side's own.
  const took: number[][] = [[], []];
  let delivered = 0;
  for (const side of [0, 1, 1, 0]) {
    const env = side === 1 ? pooled : {};
    const running: Running = await bench.startServer(env);
    const start = performance.now();
    await addTexts(bench.db, sender, 5, texts);
    delivered += texts;
    while (((await countByStatus(bench.db)).delivered ?? 0) < delivered)
      await new Promise((resolve) => setTimeout(resolve, 50));
    took[side]?.push(performance.now() - start);
    await running.kill('SIGTERM');
  }
  const [without, through] = took.map((times) => times.reduce((sum, each) => sum + each, 0));
  const perSecond = (ms: number | undefined) => Math.round((2 * texts * 1000) / (ms ?? 1));
  console.log(`texts in a second: ${perSecond(without)} without, ${perSecond(through)} through the pool`);
  return (100 * (through ?? 0)) / (without ?? 1);
}
