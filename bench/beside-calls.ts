/**
 * A text broadcast and the inbox while calls are under way, beside the same without them: each keeps its own figures
 * within a third.
 *
 *   node bench/beside-calls.ts [texts] [lines]
 */
import { loadavg } from 'node:os';
import { addOwner, signIn, watchInbox } from './beside-broadcast.ts';
import { addCallBroadcast } from './call-broadcast.ts';
import { percentile, report, startBench } from './harness.ts';
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
  await bench.startServer({ ...env, ROLE: 'web' });
  await bench.startServer({ ...env, ROLE: 'worker' });
  const sender = await makeSender(bench.db, textNumber, 5);
  await addOwner(bench, sender.accountId);
  const cookie = await signIn(bench, sender.accountId);
  await measure(sender, cookie, Math.ceil(texts / 4)); // To warm up.
  const before = await measure(sender, cookie, texts);
  await addCallBroadcast(bench, callNumber, lines * 8);
  await untilCalling();
  const beside = await measure(sender, cookie, texts);
  const { CallsInFlight = 0 } = (await bench.sandbox('GET', '/stats')) as Record<string, number>;
  console.log(`load ${loadavg()[0]?.toFixed(1)}, ${CallsInFlight} calls were up at the end`);
  say('alone', before);
  say('beside calls', beside);
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

/** Until the lines are full. */
async function untilCalling(): Promise<void> {
  for (;;) {
    const { CallsInFlight = 0 } = (await bench.sandbox('GET', '/stats')) as Record<string, number>;
    if (CallsInFlight >= lines * 0.95) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
