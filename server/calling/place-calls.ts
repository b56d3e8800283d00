/**
 * Places calls. A call in the queue goes
 *
 *   waiting ──claim──▶ claimed ──its start──▶ placing ──accepted──▶ up ──ended──▶ over ──paid──▶ gone
 *      ▲                  │                      │                  ▲  └────▶ waiting, for the next attempt
 *      ├── paused, killed ┘                      │                  │ a webhook with its key, or found at the provider
 *      ├── later, fault ─────────────────────────┤                  │
 *      │                                         └── no answer ──▶ doubt ── nothing for two minutes ──▶ over: Call Failed
 *
 * A claim gives a line and a start; the attempt is committed when it starts, before the provider is asked. No transaction
 * is open while we wait for the provider.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { holdBroadcast } from '../broadcasts/feed/feed-calls.ts';
import { type BegunCall, beginAttempt, giveBack } from '../calls/begin-attempt.ts';
import { type BarredBroadcast, type ClaimedCall, claimCalls } from '../calls/claim-calls.ts';
import { endAttempt } from '../calls/end-attempt.ts';
import { recordDoubt, recordPlaced, undoAttempt } from '../calls/record-placed.ts';
import { graceSeconds, ringSeconds, writeCallKey } from '../calls/rules.ts';
import { asSystem, type Database } from '../db.ts';
import type { Log } from '../log.ts';
import type { CallProvider, Placed } from '../outside/calls.ts';
import { createStartPace } from './start-pace.ts';

export interface PlacingContext {
  database: Database;
  publicUrl: string;
  log: Log;
}

/** Interval at which the queue is checked: starts are assigned further ahead than this. */
const tickMs = 100;
/**
 * After this long without anything due the loop ends; a wake-up or the check every second starts it again.
 */
const idleMs = 300;
/**
 * When starts are late, an attempt is committed no more than this before the request may go: what is committed when a
 * worker is killed is in doubt.
 */
const beginMs = 100;
/** After this many attempts in a row without an answer, the provider counts as down. */
const fewDoubts = 3;

/** One provider's loop: places calls that are due, until nothing is left or the provider asks for a pause. */
export function createPlacing(context: PlacingContext, provider: CallProvider) {
  const under = new Set<Promise<void>>();
  const upcoming: { call: ClaimedCall; startMs: number }[] = [];
  let running: Promise<void> | undefined;
  let starting: Promise<void> | undefined;
  let isStopping = false;
  let restUntilMs = 0;
  let failures = 0;
  const pace = createStartPace();

  const isResting = () => isStopping || restUntilMs > performance.now();

  async function loop(): Promise<void> {
    let idleSinceMs = performance.now();
    while (!isResting()) {
      // The process that is connected finds them by itself.
      const mayPlace = provider.mayPlace?.() !== false;
      if (!mayPlace && upcoming.length === 0) return;
      // A machine that is too slow for its pace catches up before it takes more.
      const isBehind = (upcoming[0]?.startMs ?? Number.POSITIVE_INFINITY) < performance.now() - tickMs;
      if (mayPlace && !isBehind) {
        const askedMs = performance.now();
        const claim = await claimCalls(context.database, provider.aggregatorId);
        // Counted from before the request: the database's time is between the two.
        const nowMs = (askedMs + performance.now()) / 2;
        await holdBarred(context.database, claim.barred);
        pace.set(claim.perSecond);
        for (const call of claim.calls) upcoming.push({ call, startMs: nowMs + call.startsInMs });
        // One tick later, so that it can't have ended before it is recorded here.
        if (upcoming.length > 0) starting ??= Promise.resolve().then(startAll);
        if (claim.calls.length > 0 || claim.isHeldBack) idleSinceMs = performance.now();
        else if (upcoming.length === 0 && performance.now() - idleSinceMs > idleMs) return;
      }
      await delay(tickMs);
    }
  }

  /** Starts the claimed calls, each at its time; late ones when the pace has room for them. */
  async function startAll(): Promise<void> {
    for (let next = upcoming.shift(); next !== undefined; next = upcoming.shift()) {
      // Again after each wait: others may have gone meanwhile.
      for (;;) {
        const waitMs = Math.max(next.startMs, pace.freeAtMs() - beginMs) - performance.now();
        if (waitMs <= 0.5) break;
        await delay(waitMs);
      }
      if (isResting()) {
        upcoming.unshift(next);
        await giveBack(
          context.database,
          upcoming.splice(0).map(({ call }) => call),
        ).catch((error) => context.log.warn({ err: error }, 'claimed calls could not be given back'));
        break;
      }
      start(next.call);
    }
    starting = undefined;
  }

  function start(call: ClaimedCall): void {
    const promise = place(call)
      // A call that can't be recorded loses its lease and is in doubt.
      .catch((error) => context.log.warn({ err: error }, 'a call could not be recorded'))
      .finally(() => under.delete(promise));
    under.add(promise);
  }

  function rest(forMs: number, reason: string): void {
    restUntilMs = performance.now() + forMs;
    context.log.warn({ provider: provider.name, reason }, 'calls are not taken at the moment');
  }

  async function place(claimed: ClaimedCall): Promise<void> {
    const begun = await beginAttempt(context.database, provider.aggregatorId, claimed, context.publicUrl);
    if (begun === undefined) return;
    const { flow, row, call } = begun;
    await pace.turn();
    const placed = await provider.place({
      key: writeCallKey(call),
      from: call.callerId,
      to: call.phone,
      ringSeconds,
      detectMachine: row.purpose === 'broadcast' && !flow.isCallback,
      flow,
    });
    if (placed.outcome === 'later') {
      failures += 1;
      rest(Math.max(placed.afterMs, Math.min(10_000, 500 * 2 ** failures)), placed.reason);
    } else if (placed.outcome === 'doubt') {
      // Requests that were in progress when the pause began count as one.
      if (!isResting()) failures += 1;
      // A single response may get lost. After several in a row the provider is down, and no more calls should
      // become doubtful.
      if (failures >= fewDoubts && !isResting())
        rest(Math.min(60_000, 1000 * 2 ** (failures - fewDoubts)), placed.reason);
    } else failures = 0;
    const messageSeconds = Math.max(row.live_ms ?? 0, row.voicemail_ms ?? 0) / 1000;
    await record(context, call, placed, ringSeconds + messageSeconds + graceSeconds);
  }

  return {
    /** Starts, and doesn't wait: ten thousand calls take hours. */
    run(): void {
      running ??= loop()
        .catch((error) => context.log.warn({ err: error }, 'placing calls failed; the next check retries it'))
        .finally(() => {
          running = undefined;
        });
    },
    async stop() {
      isStopping = true;
      await running;
      await starting;
      await Promise.allSettled(under);
    },
  };
}

/** The page says why; resuming it when the account may send again continues with the remaining people. */
async function holdBarred(database: Database, barred: readonly BarredBroadcast[]): Promise<void> {
  for (const { accountId, broadcastId, reason } of barred)
    await asSystem(database, (trx) => holdBroadcast(trx, accountId, broadcastId, reason));
}

async function record(
  { database }: PlacingContext,
  call: BegunCall,
  placed: Placed,
  lookSeconds: number,
): Promise<void> {
  if (placed.outcome === 'placed')
    return recordPlaced(database.system, call, { sid: placed.sid, lookSeconds });
  if (placed.outcome === 'doubt') return recordDoubt(database.system, call);
  await asSystem(database, async (trx) => {
    switch (placed.outcome) {
      case 'later':
        return undoAttempt(trx, call, placed.afterMs);
      case 'refused':
        await endAttempt(trx, call, { end: placed.result, error: placed.error });
        return;
      case 'fault':
        if (call.broadcastId === null) {
          await endAttempt(trx, call, { end: 'call_failed', error: placed.reason, note: placed.reason });
          return;
        }
        // The same for all of its calls: it waits for a person, instead of failing one by one.
        await holdBroadcast(trx, call.accountId, call.broadcastId, placed.reason);
        await undoAttempt(trx, call, 0);
    }
  });
}
