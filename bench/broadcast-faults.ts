/**
 * A broadcast under everything that can go wrong at once: fifty clicks on Send, workers killed with kill -9, one stopped
 * for a minute, PostgreSQL ended as by a power cut, a carrier that times out before and after accepting, errs and asks
 * for pauses, receipts doubled and shuffled, STOP at any instant, paused and resumed twenty times. Every recipient has
 * exactly one text, none was made after its STOP, the credits sum, and it completes.
 *
 *   node bench/broadcast-faults.ts [recipients]
 */
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../server/db.ts';
import {
  aBroadcast,
  type BroadcastTruth,
  checkBroadcast,
  recipientPhone,
} from '../server/testing/broadcasts.ts';
import { addOwner, signIn } from './beside-broadcast.ts';
import { type Running, report, startBench } from './harness.ts';
import { makeSender } from './texts.ts';

const count = Number(process.argv[2] ?? 1_000_000);
/** A million are sent in a hundred pieces, with a kill in each. */
const kills = Math.min(100, Math.max(4, Math.round(count / 10_000)));
const crashes = 3;
const pauses = 20;
const stops = Math.min(500, Math.max(10, Math.round(count / 2_000)));
const stoppedSeconds = count >= 500_000 ? 60 : 15;
const number = '14235550100';

const bench = await startBench({ port: 4240, numbers: { [number]: 'infobip' } });
const database = openDatabase(bench.databaseUrl, { connections: 8 });
try {
  // About twenty requests of the whole broadcast fail in each way.
  const rate = Math.min(0.08, 20_000 / count);
  await bench.sandbox('PUT', '/settings', {
    DeliveryDelayMs: [0, 200],
    AutoAnswer: false,
    ReceiptsPerRequest: 1000,
  });
  await bench.sandbox('POST', '/faults', {
    TimeoutBeforeAccept: rate,
    TimeoutAfterAccept: rate,
    ServerError: rate,
    TooManyRequests: rate,
    RetryAfterSeconds: 1,
    ReceiptDuplicate: 0.1,
    ReceiptShuffle: true,
  });
  const { accountId, numberId } = await makeSender(bench.db, number, 5);
  const sender = { accountId, userId: await addOwner(bench, accountId), textNumberId: numberId };
  await bench.db.query('update accounts set messages_per_day = 2000000000 where account_id = $1', [
    accountId,
  ]);
  await bench.startServer({ ROLE: 'web' });
  const cookie = await signIn(bench, accountId);
  const broadcastId = await aBroadcast(database, sender, { count, status: 'draft' });
  await bench.db.query('vacuum analyze broadcast_recipients');

  const start = performance.now();
  const clicks = await clickSend(broadcastId, cookie);
  const late = await sendThroughFaults({ broadcastId, accountId, cookie });
  const truth = await untilSettled(broadcastId);
  console.log(
    `${count.toLocaleString('en-US')} recipients in ${Math.round((performance.now() - start) / 1000)} s`,
  );
  console.log(`texts: ${JSON.stringify(truth.texts)}`);
  const stats = (await bench.sandbox('GET', '/stats')) as Record<string, number>;
  // Everybody who says STOP gets a confirmation, which is a text too.
  const [answers] = await ask<{ many: string }>(
    "select count(*) as many from messages where account_id = $1 and origin = 'automatic'",
    [accountId],
  );
  const going = count - (truth.texts.opted_out ?? 0);
  const all = going + Number(answers?.many);
  const holds = [
    report('clicks on Send that were answered alike', clicks, { least: 50, most: 50 }, 'of 50'),
    report('at their telephones', stats.Accepted ?? 0, { least: all, most: all }, 'texts'),
    report('doubled', stats.DuplicatesByNumberAndText ?? 0, { most: 0 }, 'texts'),
    report('delivered in the ledger', truth.texts.delivered ?? 0, { least: going, most: going }, 'texts'),
    report('made after their STOP', late, { most: 0 }, 'texts'),
    report('completed', truth.status === 'completed' ? 1 : 0, { least: 1 }, '(1 = yes)'),
    report('credits paid', 100_000_000 - truth.balance, { least: all, most: all }, 'credits'),
    report('credits still reserved', truth.reserved, { most: 0 }, 'credits'),
  ];
  console.log(`repeats that the carrier refused, as it should: ${stats.DuplicatesByKey ?? 0}`);
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await database.close();
  await bench.close();
}

interface Sent {
  broadcastId: number;
  accountId: number;
  cookie: string;
}

async function clickSend(DraftBroadcastID: number, cookie: string): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const answer = await call('POST', '/broadcasts', cookie, { DraftBroadcastID });
      return answer.ok && ((await answer.json()) as { BroadcastID: number }).BroadcastID === DraftBroadcastID;
    }),
  );
  return answers.filter(Boolean).length;
}

/** Returns how many texts were made for a phone after its STOP was applied. */
async function sendThroughFaults(sent: Sent): Promise<number> {
  const second = await bench.startServer({ ROLE: 'worker' });
  const [, , , , late] = await Promise.all([
    killWorkers(),
    crashPostgres(),
    stopForAWhile(second),
    pauseAndResume(sent),
    sayStop(sent),
  ]);
  return late;
}

async function killWorkers(): Promise<void> {
  let worker = await bench.startServer({ ROLE: 'worker' });
  for (let killed = 1; killed <= kills; killed += 1) {
    await progress(killed / (kills + 1));
    await delay(Math.random() * 200);
    await worker.kill('SIGKILL');
    worker = await bench.startServer({ ROLE: 'worker' });
  }
}

async function crashPostgres(): Promise<void> {
  for (let crashed = 1; crashed <= crashes; crashed += 1) {
    await progress(crashed / (crashes + 1.5));
    bench.crashPostgres();
  }
}

async function stopForAWhile({ child }: Running): Promise<void> {
  await progress(0.3);
  child.kill('SIGSTOP');
  await delay(stoppedSeconds * 1000);
  child.kill('SIGCONT');
}

async function pauseAndResume({ broadcastId, cookie }: Sent): Promise<void> {
  const set = async (BroadcastStatus: string) => {
    // The database may be away: asked again until it is done. A broadcast that has ended can't be changed.
    for (;;) {
      const answer = await call('PUT', `/broadcasts/${broadcastId}`, cookie, { BroadcastStatus });
      if (answer.ok || answer.status === 409) return;
      await delay(100);
    }
  };
  for (let times = 1; times <= pauses; times += 1) {
    await progress(times / (pauses + 2));
    await set('Paused');
    await delay(50);
    await set('Broadcasting');
  }
}

async function sayStop({ broadcastId, accountId }: Sent): Promise<number> {
  const stoppedPhones: { phone: string; appliedAt: number }[] = [];
  for (let stopped = 0; stopped < stops; stopped += 1) {
    await progress(Math.min(0.95, stopped / stops));
    const phone = recipientPhone(Math.floor(Math.random() * count));
    await bench.sandbox('POST', `/phones/${phone}/messages`, { To: number, Text: 'STOP' });
    let appliedAt: number | undefined;
    while (appliedAt === undefined) {
      const rows = await ask<{ applied: string }>(
        `select max(message_id) as applied from messages where exists (
           select from phone_consents where account_id = $1 and phone = $2 and text_state = 'out')`,
        [accountId, phone],
      );
      const [row] = rows;
      if (row !== undefined && row.applied !== null) appliedAt = Number(row.applied);
      else await delay(20);
    }
    stoppedPhones.push({ phone, appliedAt });
  }
  await progress(0.999);
  const rows = await ask<{ many: string }>(
    `select count(*) as many from messages m
     join unnest($2::text[], $3::bigint[]) as s(phone, applied_at) on m.phone = s.phone and m.message_id > s.applied_at
     where m.account_id = $1 and m.broadcast_id = $4 and not m.is_inbound and m.status <> 'opted_out'`,
    [
      accountId,
      stoppedPhones.map(({ phone }) => phone),
      stoppedPhones.map(({ appliedAt }) => appliedAt),
      broadcastId,
    ],
  );
  return Number(rows[0]?.many);
}

/** Until all of it is done, and whatever else was to be sent: the last confirmation of a STOP may have timed out. */
async function untilSettled(broadcastId: number): Promise<BroadcastTruth> {
  const deadline = performance.now() + 1_800_000;
  for (;;) {
    const [outbox] = await ask<{ many: string }>('select count(*) as many from outbox', []);
    const truth = await checkBroadcast(database, broadcastId);
    const open =
      (truth.texts.waiting ?? 0) + (truth.texts.sent ?? 0) + truth.unfed + Number(outbox?.many ?? 1);
    if (open === 0 && truth.status === 'completed') return truth;
    if (performance.now() > deadline) throw new Error(`not done: ${JSON.stringify(truth)}`);
    await delay(1000);
  }
}

/** Until so much of the broadcast is with the carrier. */
async function progress(part: number): Promise<void> {
  const goal = Math.floor(part * (count - stops));
  const deadline = performance.now() + 1_800_000;
  while (((await bench.sandbox('GET', '/stats')) as { Accepted: number }).Accepted < goal) {
    if (performance.now() > deadline) throw new Error(`did not reach ${goal} texts`);
    await delay(20);
  }
}

function call(method: string, path: string, cookie: string, body: object): Promise<Response> {
  return fetch(`${bench.serverUrl}/proxy/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  });
}

/** Asks again while the database is away. */
async function ask<Row extends object>(statement: string, values: unknown[]): Promise<Row[]> {
  for (;;) {
    try {
      return (await bench.db.query(statement, values)).rows as Row[];
    } catch {
      await delay(200);
    }
  }
}
