/**
 * A failover in the middle of a send: the primary is ended at once, as a power cut would, and its standby promoted. Calls
 * have to be answered again within fifteen seconds without a restart, pages told to look again within five more, and every
 * text has to be at its telephone exactly once.
 *
 *   node bench/failover.ts [texts]
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { eventName } from '../contract/socket.ts';
import { startStandby } from '../scripts/standby.ts';
import { addOwner, openSocket, signIn } from './beside-broadcast.ts';
import { report, startBench, untilAnswers } from './harness.ts';
import { addTexts, countByStatus, ledgerHolds, makeSender } from './texts.ts';

const texts = Number(process.argv[2] ?? 20_000);
const number = '14235550100';
const port = 4300;

const bench = await startBench({ port, numbers: { [number]: 'infobip' } });
const folder = mkdtempSync(join(tmpdir(), 'muster-standby-'));
chmodSync(folder, 0o755);
const { databaseUrl: url, dataDir: from } = bench;
const standby = await startStandby({ url, from, to: folder, durable: true });
const db = new pg.Pool({ connectionString: standby.url, max: 2 });
db.on('error', () => undefined);
try {
  // A confirmed change is on the standby too.
  await bench.db.query("alter system set synchronous_standby_names = 'standby'");
  await bench.db.query('select pg_reload_conf()');
  await bench.sandbox('PUT', '/settings', {
    ...{ DeliveryDelayMs: [0, 0], AutoAnswer: false, ReceiptsPerRequest: 1000 },
  });
  const sender = await makeSender(bench.db, number, 5);
  await addOwner(bench, sender.accountId);
  const both = { DATABASE_URL: url.replace(/(@[^/]+)/, `$1,${new URL(standby.url).host}`) };
  await bench.startServer({ ...both, ROLE: 'web' });
  const metrics = String(port + 5);
  await bench.startServer({ ...both, ROLE: 'worker', METRICS_PORT: metrics });
  await untilAnswers(`http://127.0.0.1:${metrics}/readyz`);
  const cookie = await signIn(bench, sender.accountId);
  const socket = await openSocket(bench, cookie);
  await addTexts(bench.db, sender, 5, texts);
  await until(async () => ((await countByStatus(db)).delivered ?? 0) > texts / 4);

  await bench.losePostgres();
  const lostAt = performance.now();
  const since = () => (performance.now() - lostAt) / 1000;
  const told = new Promise<number>((resolve) => {
    socket.on(eventName, () => resolve(since()));
  });
  const unready = await until(async () => (await statusOf('/readyz')) === 503 && since());
  await standby.promote();
  const promoted = since();
  const reads = await until(async () => (await statusOf('/proxy/api/conversations')) === 200 && since());
  const writes = await until(async () => (await changeSomething()) && since());
  const sockets = await told;
  await until(async () => ((await countByStatus(db)).delivered ?? 0) === texts);
  const whole = since();
  const stats = (await bench.sandbox('GET', '/stats')) as Record<string, number>;
  console.log(
    `not ready after ${unready.toFixed(1)} s, promoted after ${promoted.toFixed(1)} s, all sent after ${whole.toFixed(1)} s`,
  );
  const holds = [
    report('calls read again', reads, { most: 15 }, 's after the loss'),
    report('calls write again', writes, { most: 15 }, 's after the loss'),
    report('pages told to look again', sockets - promoted, { most: 5 }, 's after the promotion'),
    report('socket lost meanwhile', socket.connected ? 0 : 1, { most: 0 }, ''),
    report('at their telephones', stats.Accepted ?? 0, { least: texts, most: texts }, 'texts'),
    report('doubled', stats.DuplicatesByNumberAndText ?? 0, { most: 0 }, 'texts'),
    report('ledger sums to the balance', (await ledgerHolds(db)) ? 1 : 0, { least: 1 }, '(1 = yes)'),
  ];
  socket.close();
  process.exitCode = holds.every(Boolean) ? 0 : 1;

  async function statusOf(path: string): Promise<number> {
    const answer = await fetch(bench.serverUrl + path, { headers: { cookie } }).catch(() => undefined);
    await answer?.arrayBuffer();
    return answer?.status ?? 0;
  }

  async function changeSomething(): Promise<boolean> {
    const answer = await fetch(`${bench.serverUrl}/proxy/api/contacts`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ FirstName: 'After', PrimaryPhone: '4235550199' }),
    }).catch(() => undefined);
    await answer?.arrayBuffer();
    // 422: the phone is there already, so an earlier try came through.
    return answer?.ok === true || answer?.status === 422;
  }
} finally {
  await db.end();
  await bench.close();
  await standby.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function until<T>(holds: () => Promise<T | false>): Promise<T> {
  const deadline = performance.now() + 300_000;
  for (;;) {
    const found = await holds();
    if (found !== false) return found;
    if (performance.now() > deadline) throw new Error(`waited in vain for ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
