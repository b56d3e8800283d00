/**
 * Places calls. A call in the queue goes
 *
 *   waiting ──claim──▶ placing ──accepted──▶ up ──ended──▶ gone, or waiting again for the next attempt
 *      ▲                  │                   ▲
 *      ├── later, fault ──┤                   │ a webhook with its key, or found at the provider
 *      └──────────────────┴── no answer ──▶ doubt ── nothing for two minutes ──▶ gone: Call Failed, free
 *
 * A claim commits the attempt before the provider is asked. No transaction is open while we wait for the provider.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { holdBroadcast } from '../broadcasts/feed/feed-calls.ts';
import { type ClaimedCall, claimCalls } from '../calls/claim-calls.ts';
import { endAttempt } from '../calls/end-attempt.ts';
import { findFlow } from '../calls/queries.ts';
import { recordDoubt, recordPlaced, undoAttempt } from '../calls/record-placed.ts';
import { graceSeconds, ringSeconds, writeCallKey } from '../calls/rules.ts';
import { asSystem, type Database } from '../db.ts';
import type { Log } from '../log.ts';
import type { CallProvider, Placed } from '../outside/calls.ts';

export interface PlacingContext {
  database: Database;
  publicUrl: string;
  log: Log;
}

/** How often the queue is looked at while lines or starts a second hold calls back. */
const tickMs = 40;
/** After so long without anything due the loop ends; a nudge or the look every second starts it again. */
const idleMs = 200;

/** One provider's loop: places whatever is due, until nothing is left or the provider asks for a pause. */
export function createPlacing(context: PlacingContext, provider: CallProvider) {
  const under = new Set<Promise<void>>();
  let running: Promise<void> | undefined;
  let isStopping = false;
  let restUntilMs = 0;
  let failures = 0;

  async function loop(): Promise<void> {
    let idleSinceMs = performance.now();
    while (!isStopping) {
      const restMs = restUntilMs - performance.now();
      if (restMs > 0) return;
      const { calls, isHeldBack } = await claimCalls(context.database, provider.aggregatorId);
      for (const call of calls) start(call);
      if (calls.length > 0 || isHeldBack) idleSinceMs = performance.now();
      else if (performance.now() - idleSinceMs > idleMs) return;
      await delay(tickMs);
    }
  }

  function start(call: ClaimedCall): void {
    const promise = place(call)
      // What can't be recorded runs out of its lease and is in doubt.
      .catch((error) => context.log.warn({ err: error }, 'a call could not be recorded'))
      .finally(() => under.delete(promise));
    under.add(promise);
  }

  async function place(call: ClaimedCall): Promise<void> {
    const key = writeCallKey(call);
    const found = await asSystem(context.database, (trx) => findFlow(trx, call, context.publicUrl));
    if (found === undefined) return;
    const { flow, row } = found;
    const placed = await provider.place({
      key,
      from: call.callerId,
      to: call.phone,
      ringSeconds,
      detectMachine: row.purpose === 'broadcast' && !flow.isCallback,
      flow,
    });
    if (placed.outcome === 'later') {
      failures += 1;
      restUntilMs = performance.now() + Math.max(placed.afterMs, Math.min(10_000, 500 * 2 ** failures));
      context.log.warn(
        { provider: provider.name, reason: placed.reason },
        'calls are not taken at the moment',
      );
    } else failures = 0;
    const messageSeconds = Math.max(row.live_ms ?? 0, row.voicemail_ms ?? 0) / 1000;
    await record(context, call, placed, ringSeconds + messageSeconds + graceSeconds);
  }

  return {
    /** Begins, and doesn't wait: ten thousand calls take hours. */
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
      await Promise.allSettled(under);
    },
  };
}

async function record(
  { database }: PlacingContext,
  call: ClaimedCall,
  placed: Placed,
  lookSeconds: number,
): Promise<void> {
  await asSystem(database, async (trx) => {
    switch (placed.outcome) {
      case 'placed':
        return recordPlaced(trx, call, { sid: placed.sid, lookSeconds });
      case 'doubt':
        return recordDoubt(trx, call);
      case 'later':
        return undoAttempt(trx, call, placed.afterMs);
      case 'refused':
        await endAttempt(trx, call, {
          end:
            placed.result === 'message_rejected' || placed.result === 'invalid'
              ? placed.result
              : 'call_failed',
          error: placed.error,
        });
        return;
      case 'fault':
        if (call.broadcastId === null) {
          await endAttempt(trx, call, { end: 'call_failed', error: placed.reason, note: placed.reason });
          return;
        }
        // The same for every call of it: it waits for a person, instead of failing one by one.
        await holdBroadcast(trx, call.accountId, call.broadcastId, placed.reason);
        await undoAttempt(trx, call, 0);
    }
  });
}
