/**
 * Calls started per second, with lines and people enough: not more in any second than the provider permits, as they
 * arrive there, and hardly fewer. Twilio's own one a second, and twenty.
 *
 *   node bench/call-starts.ts             1 a second and 20 a second: some four minutes
 *   node bench/call-starts.ts 20 120      [starts per second] [seconds of it]
 *
 * Everybody who didn't answer is called once more. In life that is five minutes later; here it is at once, so that it falls
 * into the same time.
 */
import { loadavg } from 'node:os';
import { addCallBroadcast } from './call-broadcast.ts';
import { type Door, doorLateMs, fullestSecond, openDoor } from './door.ts';
import { type Bench, report, startBench } from './harness.ts';

const paces = process.argv[2] === undefined ? [1, 20] : [Number(process.argv[2])];
const secondsOf = (perSecond: number) => Number(process.argv[3] ?? (perSecond === 1 ? 60 : 90));
/** Mean seconds on a line with this crowd. */
const meanSeconds = 24;
/** Of all calls, so many are made again: nobody answers, it is busy, or it fails for a reason that can pass. */
const repeated = 0.25;
/** A slow spell is one in which fewer begin for so long. */
const spellSeconds = 10;
const number = '14235550100';

let holds = true;
for (const perSecond of paces) {
  const bench = await startBench({ port: 4476, numbers: { [number]: 'twilio' } });
  try {
    holds = (await measure(bench, perSecond)) && holds;
  } finally {
    await bench.close();
  }
}
process.exitCode = holds ? 0 : 1;

async function measure(bench: Bench, perSecond: number): Promise<boolean> {
  // Half as many again as the calls need, so that lines are never what decides.
  const lines = Math.ceil(perSecond * meanSeconds * 1.5);
  const count = Math.ceil((perSecond * secondsOf(perSecond)) / (1 + repeated));
  await bench.sandbox('PUT', '/settings', {
    CallSpeed: 1,
    CallCrowd: true,
    CallStartsPerSecond: 1000,
    MostCallsAtOnce: lines,
  });
  const door = await openDoor(4480, bench.sandboxUrl);
  const env = {
    TWILIO_BASE_URL: door.url,
    CALL_LINES: String(lines),
    CALL_STARTS_PER_SECOND: String(perSecond),
  };
  await bench.startServer({ ...env, ROLE: 'web' });
  await bench.startServer({ ...env, ROLE: 'worker', METRICS_PORT: '4479' });
  const broadcastId = await addCallBroadcast(bench, number, count, 1);
  const { untilMs, mostUp } = await watch(bench, door, broadcastId, perSecond);
  const begun = door.arrivedMs.filter((at) => at <= untilMs);
  const rate = rateOf(begun, 0, begun.length - 1);
  const slowest = Math.min(
    rate,
    ...begun.flatMap((from, index) => {
      const until = begun.findIndex((at) => at >= from + spellSeconds * 1000);
      return until < 0 ? [] : [rateOf(begun, index, until)];
    }),
  );
  await door.close();
  const { CallsRepeated = 0 } = await statsOf(bench);
  const share = (value: number) =>
    `${value.toFixed(2)} a second (${((100 * value) / perSecond).toFixed(1)} %)`;
  console.log(
    `${perSecond} a second permitted: ${share(rate)} by ${begun.length} calls, ${share(slowest)} in the slowest ` +
      `${spellSeconds} s, load ${loadavg()[0]?.toFixed(1)}`,
  );
  const fullest = fullestSecond(door.arrivedMs);
  console.log(
    `the fullest second began ${((fullest.fromMs - (begun[0] ?? 0)) / 1000).toFixed(1)} s after the first call; ` +
      `the door was ${Math.round(doorLateMs(door, fullest.fromMs))} ms late`,
  );
  return [
    // One in twenty more: a request that was held up on its way (docs/decisions/0366).
    report(
      'asked for in any one second',
      fullest.most,
      { most: perSecond + Math.floor(perSecond / 20) },
      'calls',
    ),
    report('begun of what is permitted', (100 * rate) / perSecond, { least: 98 }, '%'),
    report('lines in use at once', mostUp, { most: lines - 1 }, 'calls'),
    report('placed again for one attempt', CallsRepeated, { most: 0 }, 'calls'),
  ].every(Boolean);
}

/** From one call to another, both by when they arrived. */
function rateOf(arrivedMs: readonly number[], from: number, until: number): number {
  return (1000 * (until - from)) / ((arrivedMs[until] ?? 0) - (arrivedMs[from] ?? 0));
}

/** Until hardly anybody is left to call: when that was, and the most lines in use before. */
async function watch(
  bench: Bench,
  door: Door,
  broadcastId: number,
  perSecond: number,
): Promise<{ untilMs: number; mostUp: number }> {
  let mostUp = 0;
  for (;;) {
    await bench.db.query(
      `update call_queue set due_at = now() where broadcast_id = $1 and state = 'waiting' and due_at > now()`,
      [broadcastId],
    );
    const atMs = performance.now();
    const { rows } = await bench.db.query<{ waiting: number; up: number }>(
      `select count(*) filter (where state = 'waiting')::int as waiting,
         count(*) filter (where state in ('claimed', 'placing', 'up', 'doubt'))::int as up
       from call_queue where broadcast_id = $1`,
      [broadcastId],
    );
    const { waiting = 0, up = 0 } = rows[0] ?? {};
    mostUp = Math.max(mostUp, up);
    if (door.arrivedMs.length > 0 && waiting < perSecond) return { untilMs: atMs, mostUp };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function statsOf(bench: Bench): Promise<Record<string, number>> {
  return (await bench.sandbox('GET', '/stats')) as Record<string, number>;
}
