/**
 * A text broadcast and the inbox while calls are under way, beside the same without them: each keeps its own figures
 * within a third. Everything shares this machine, the sandbox too; so the same is measured beside a process that does
 * nothing but take as much of the processors as the calls did: what is worse than that is ours.
 *
 *   node bench/beside-calls.ts [texts] [lines]
 */
import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { addOwner, signIn, watchInbox } from './beside-broadcast.ts';
import { addCallBroadcast } from './call-broadcast.ts';
import { percentile, report, startBench } from './harness.ts';
import { findProcess, processorMs } from './processor-time.ts';
import { addTexts, makeSender } from './texts.ts';

const texts = Number(process.argv[2] ?? 20_000);
const lines = Number(process.argv[3] ?? 500);
const textNumber = '14235550100';
const callNumber = '14235550120';
/** Figures may be so much worse beside calls. */
const third = 33.3;

interface Figures {
  textsPerSecond: number;
  listMs: number;
  arrivalMs: number;
}

const bench = await startBench({
  port: 4490,
  numbers: { [textNumber]: 'infobip', [callNumber]: 'twilio' },
});
try {
  await bench.sandbox('PUT', '/settings', {
    ...{ DeliveryDelayMs: [0, 0], AutoAnswer: false, ReceiptsPerRequest: 1000 },
    ...{ CallSpeed: 1, CallCrowd: true, CallStartsPerSecond: 1000, MostCallsAtOnce: lines },
  });
  const env = { CALL_LINES: String(lines), CALL_STARTS_PER_SECOND: String(Math.ceil(lines / 8)) };
  const web = await bench.startServer({ ...env, ROLE: 'web' });
  const worker = await bench.startServer({ ...env, ROLE: 'worker' });
  const parts = {
    web: web.child.pid,
    worker: worker.child.pid,
    sandbox: bench.sandboxPid,
    postgres: findProcess('postgres', bench.dataDir),
  };
  const sender = await makeSender(bench.db, textNumber, 5);
  await addOwner(bench, sender.accountId);
  const cookie = await signIn(bench, sender.accountId);
  await measure(sender, cookie, Math.ceil(texts / 4)); // To warm up.
  const before = await measure(sender, cookie, texts);
  await addCallBroadcast(bench, callNumber, lines * 8);
  await untilCalling();
  const used = await processors(parts);
  const beside = await measure(sender, cookie, texts);
  const { CallsInFlight = 0 } = (await bench.sandbox('GET', '/stats')) as Record<string, number>;
  console.log(`load ${loadavg()[0]?.toFixed(1)}, ${CallsInFlight} calls were up at the end`);
  await untilQuiet();
  const idle = await processors(parts);
  const taken = Object.keys(parts).map((part) => Math.max(0, (used[part] ?? 0) - (idle[part] ?? 0)));
  const burnt = taken.reduce((sum, each) => sum + each, 0);
  const burners = [burnt / 2, burnt / 2].map(burn);
  const limit = await measure(sender, cookie, texts);
  for (const burner of burners) burner.kill();
  console.log(
    `calls alone take ${burnt.toFixed(2)} processors: ` +
      Object.keys(parts)
        .map((part, index) => `${part} ${taken[index]?.toFixed(2)}`)
        .join(', '),
  );
  say('alone', before);
  say('beside calls', beside);
  say('beside a process that takes as much', limit);
  const worse = (alone: number, now: number) => Math.max(0, (now / alone - 1) * 100);
  const holds = [
    report(
      'texts take longer beside calls',
      worse(beside.textsPerSecond, before.textsPerSecond),
      { most: third },
      '%',
    ),
    report('the inbox opens slower', worse(before.listMs, beside.listMs), { most: third }, '%'),
    report(
      'a text arrives in the inbox later',
      worse(before.arrivalMs, beside.arrivalMs),
      { most: third },
      '%',
    ),
    report('calls up meanwhile', CallsInFlight, { least: lines * 0.8 }, 'calls'),
  ];
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await bench.close();
}

function say(when: string, { textsPerSecond, listMs, arrivalMs }: Figures): void {
  console.log(
    `${when}: ${Math.round(textsPerSecond)} texts a second, inbox ${Math.round(listMs)} ms, arrival ${Math.round(arrivalMs)} ms`,
  );
}

async function measure(
  sender: { accountId: number; numberId: number },
  cookie: string,
  count: number,
): Promise<Figures> {
  const watch = await watchInbox(bench, cookie, textNumber);
  const start = performance.now();
  await addTexts(bench.db, sender, 5, count);
  await untilSent();
  const seconds = (performance.now() - start) / 1000;
  await watch.stop();
  return {
    textsPerSecond: count / seconds,
    listMs: percentile(watch.lists, 0.5),
    arrivalMs: percentile(watch.arrivals, 0.5),
  };
}

async function untilSent(): Promise<void> {
  for (;;) {
    const { rows } = await bench.db.query<{ open: boolean }>(
      `select exists (select from outbox) or exists (select from carrier_receipts)
        or exists (select from messages where not is_inbound and status in ('waiting', 'sent')) as open`,
    );
    if (rows[0]?.open === false) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Processors that each part uses, over some seconds. */
async function processors(parts: Record<string, number | undefined>): Promise<Record<string, number>> {
  const times = () => Object.values(parts).map(processorMs);
  const before = times();
  const start = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 8_000));
  const ms = performance.now() - start;
  return Object.fromEntries(
    times().map((each, index) => [Object.keys(parts)[index] ?? '', (each - (before[index] ?? 0)) / ms]),
  );
}

/** A process that takes this part of a processor, in small pieces as calls do. */
function burn(part: number) {
  const everyMs = 20;
  const script = `(function burn() {
    const end = performance.now() + ${part * everyMs};
    while (performance.now() < end);
    setTimeout(burn, ${(1 - part) * everyMs});
  })()`;
  return spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
}

/** Lets nobody else be called, and waits for those who are. */
async function untilQuiet(): Promise<void> {
  await bench.db.query(
    "update broadcasts set next_call_at = null, status = 'completed' where call_count > 0",
  );
  for (;;) {
    // Calls that were claimed already wait again when their start comes.
    await bench.db.query("delete from call_queue where state = 'waiting'");
    const { rows } = await bench.db.query<{ open: boolean }>(
      'select exists (select from call_queue) as open',
    );
    if (rows[0]?.open === false) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Until the lines are full. */
async function untilCalling(): Promise<void> {
  for (;;) {
    const { CallsInFlight = 0 } = (await bench.sandbox('GET', '/stats')) as Record<string, number>;
    if (CallsInFlight >= lines * 0.95) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
