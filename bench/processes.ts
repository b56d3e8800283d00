/**
 * Two web and two worker processes behind a load balancer against one of each, in turns: how fast texts go out and calls
 * are answered. Then kill -9 of any of the four at random instants of a send: nothing may be lost or doubled, and a
 * browser's socket has to be back within five seconds.
 *
 *   node bench/processes.ts                 40,000 texts and 10 kills, in some three minutes
 *   node bench/processes.ts 200000 50       the whole of it
 */
import { startBalancer } from './balancer.ts';
import { addOwner, openSocket, signIn } from './beside-broadcast.ts';
import { percentile, type Running, report, startBench, untilAnswers } from './harness.ts';
import { addPeople } from './people.ts';
import { findProcess, processorMs } from './processor-time.ts';
import { addTexts, countByStatus, ledgerHolds, makeSender } from './texts.ts';

const texts = Number(process.argv[2] ?? 40_000);
const kills = Number(process.argv[3] ?? 10);
/** Number of processes of each kind in the rounds that are compared, and of texts that go out in each round. */
const rounds = [1, 2, 2, 1];
const compared = Math.min(10_000, Math.ceil(texts / 4));
/** By each process before it is measured: what is compared is how they work, not how they start. */
const warmUp = Math.ceil(compared / 2);
const port = 4290;
const number = '14235550100';
const web = [port + 3, port + 4];
const workerMetrics = [port + 5, port + 6];

const bench = await startBench({ port, numbers: { [number]: 'infobip' } });
const balancer = startBalancer(port, web);
try {
  await bench.sandbox('PUT', '/settings', {
    ...{ DeliveryDelayMs: [0, 0], AutoAnswer: false, ReceiptsPerRequest: 1000 },
  });
  const sender = await makeSender(bench.db, number, 5);
  await addOwner(bench, sender.accountId);
  await addPeople(bench.db, sender.accountId, 10_000);
  const speeds = await compare(sender);
  const killed = await sendThroughKills(sender, speeds.sent);
  const stats = (await bench.sandbox('GET', '/stats')) as Record<string, number>;
  const sent = texts + speeds.sent;
  const statuses = await countByStatus(bench.db);
  const holds = [
    report('texts by two and two, against 100 by one and one', speeds.texts, { least: 90 }, '%'),
    report('calls by two and two, against 100 by one and one', speeds.calls, { least: 90 }, '%'),
    report('processes killed meanwhile', killed.kills, { least: kills }, 'kills'),
    report('at their telephones', stats.Accepted ?? 0, { least: sent, most: sent }, 'texts'),
    report('delivered in the ledger', statuses.delivered ?? 0, { least: sent, most: sent }, 'texts'),
    report('doubled', stats.DuplicatesByNumberAndText ?? 0, { most: 0 }, 'texts'),
    report(
      `a socket back after its process was killed (${killed.returns} times)`,
      killed.socketMs / 1000,
      { most: 5 },
      's',
    ),
    report('ledger sums to the balance', (await ledgerHolds(bench.db)) ? 1 : 0, { least: 1 }, '(1 = yes)'),
  ];
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await bench.close();
  balancer.close();
}

async function startWeb(index: number): Promise<Running> {
  const env = {
    ROLE: 'web',
    PORT: String(web[index]),
    PUBLIC_URL: bench.serverUrl,
    DATABASE_CONNECTIONS: '10',
  };
  const running = await bench.startServer(env);
  await untilAnswers(`http://127.0.0.1:${web[index]}/readyz`);
  return running;
}

async function startWorker(index: number): Promise<Running> {
  const metrics = String(workerMetrics[index]);
  const env = {
    ROLE: 'worker',
    METRICS_PORT: metrics,
    PUBLIC_URL: bench.serverUrl,
    DATABASE_CONNECTIONS: '10',
  };
  const running = await bench.startServer(env);
  await untilAnswers(`http://127.0.0.1:${metrics}/readyz`);
  return running;
}

async function delivered(goal: number): Promise<void> {
  const deadline = performance.now() + 300_000;
  while (((await countByStatus(bench.db)).delivered ?? 0) < goal) {
    if (performance.now() > deadline)
      throw new Error(`only ${JSON.stringify(await countByStatus(bench.db))}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function compare(sender: { accountId: number; numberId: number }) {
  const sending: number[][] = [[], []];
  const calling: number[][] = [[], []];
  const processor: number[][] = [[], []];
  let goal = 0;
  const send = async (many: number) => {
    await addTexts(bench.db, { ...sender, after: goal }, 5, many);
    goal += many;
    await delivered(goal);
  };
  const running: Running[][] = [];
  for (const many of rounds) {
    while (running.length > many) for (const each of running.pop() ?? []) await each.kill('SIGTERM');
    const isNew = running.length < many;
    while (running.length < many)
      running.push(await Promise.all([startWeb(running.length), startWorker(running.length)]));
    const cookie = await again(() => signIn(bench, sender.accountId));
    for (let index = 0; isNew && index < many; index += 1) {
      await callMany(cookie);
      await send(warmUp);
    }
    calling[many - 1]?.push(await callMany(cookie));
    const pids = [findProcess('postgres', bench.dataDir), ...running.flat().map(({ child }) => child.pid)];
    const used = () => pids.reduce<number>((total, pid) => total + processorMs(pid), 0);
    const before = used();
    const start = performance.now();
    await send(compared);
    sending[many - 1]?.push(performance.now() - start);
    processor[many - 1]?.push(used() - before);
  }
  for (const each of running.flat()) await each.kill('SIGTERM');
  const sum = (times: number[] | undefined) => (times ?? []).reduce((total, each) => total + each, 0);
  const rate = (times: number[] | undefined) => Math.round((2000 * compared) / sum(times));
  console.log(`texts in a second: ${rate(sending[0])} by one and one, ${rate(sending[1])} by two and two`);
  const middle = (times: number[] | undefined) => percentile(times ?? [], 0.5);
  const each = (times: number[] | undefined) => Math.round((500 * sum(times)) / compared);
  console.log(`microseconds of processor a text: ${each(processor[0])} and ${each(processor[1])}`);
  console.log(`calls in a second: ${middle(calling[0]).toFixed(0)} and ${middle(calling[1]).toFixed(0)}`);
  return {
    sent: goal,
    texts: (100 * sum(sending[0])) / sum(sending[1]),
    calls: (100 * sum(calling[1])) / sum(calling[0]),
  };
}

/** A connection to a process that was just stopped may break; a page asks again too. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Calls in a second. */
async function callMany(cookie: string): Promise<number> {
  const most = 400;
  let next = 0;
  const start = performance.now();
  const lane = async () => {
    while (next < most) {
      const path = next++ % 2 === 0 ? '/proxy/api/lists/0/contacts?pagesize=50' : '/proxy/api/user';
      const answer = await again(() => fetch(bench.serverUrl + path, { headers: { cookie } }));
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  return (most * 1000) / (performance.now() - start);
}

async function sendThroughKills(sender: { accountId: number; numberId: number }, sentBefore: number) {
  const running = await Promise.all([startWeb(0), startWeb(1), startWorker(0), startWorker(1)]);
  const starts = [() => startWeb(0), () => startWeb(1), () => startWorker(0), () => startWorker(1)];
  const socket = await again(async () => openSocket(bench, await signIn(bench, sender.accountId)));
  let lostAt = 0;
  let socketMs = 0;
  let returns = 0;
  socket.on('disconnect', () => {
    lostAt = performance.now();
  });
  socket.on('connect', () => {
    if (lostAt === 0) return;
    socketMs = Math.max(socketMs, performance.now() - lostAt);
    returns += 1;
  });
  // A part of the texts before each kill: each hits a send that is under way.
  let added = 0;
  let done = 0;
  for (; done < kills; done += 1) {
    const part = Math.ceil((texts - added) / (kills - done));
    await addTexts(bench.db, { ...sender, after: sentBefore + added }, 5, part);
    added += part;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 1500));
    const victim = Math.floor(Math.random() * running.length);
    await running[victim]?.kill('SIGKILL');
    running[victim] = (await starts[victim]?.()) as Running;
  }
  await delivered(sentBefore + texts);
  socket.close();
  return { kills: done, socketMs, returns };
}
