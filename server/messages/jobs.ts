import type { Database } from '../db.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Carrier } from '../outside/carrier.ts';
import { runOnce } from '../run-once.ts';
import { applyInbound } from './apply-inbound.ts';
import { applyReceipts } from './apply-receipts.ts';
import { carrierPauseMs } from './rules.ts';
import { sendSlice } from './send-messages.ts';

/** A thousand receipts take about 20 ms: large enough for speed, small enough to stop soon. */
const receiptsAtOnce = 1000;
const inboundAtOnce = 500;

export interface MessageWork {
  /** Hands over whatever is due, until nothing is or the carriers want a pause. */
  send(): Promise<void>;
  applyReceipts(): Promise<void>;
  applyInbound(): Promise<void>;
  /** Takes no further slice; resolves when those under way are recorded. */
  stop(): Promise<void>;
}

/**
 * The loops behind the jobs. A job is only a nudge: every loop goes on until its table has nothing
 * more, and a nudge that comes while it runs makes it look once more.
 */
export function createMessageWork(context: {
  database: Database;
  carriers: Map<number, Carrier>;
  publicUrl: string;
  lanes: number;
  slice: number;
  log: Log;
  metrics: Metrics;
}): MessageWork {
  let isStopping = false;
  const senders = [...context.carriers.values()].map((carrier) => carrierLoop(carrier));
  const receipts = runOnce(async () => {
    const taken = await applyReceipts(context.database, receiptsAtOnce);
    context.metrics.receiptsApplied.inc(taken);
    return taken === receiptsAtOnce;
  });
  const inbound = runOnce(async () => {
    const taken = await applyInbound(context.database, inboundAtOnce);
    context.metrics.inboundApplied.inc(taken);
    return taken === inboundAtOnce;
  });

  /** One carrier: as many lanes as the work fills, none while it rests after a failure. */
  function carrierLoop(carrier: Carrier) {
    const size = Math.min(context.slice, carrier.slice);
    const running = new Set<Promise<void>>();
    let failures = 0;
    let restUntilMs = 0;
    let wasNudged = false;

    async function lane(): Promise<void> {
      while (!isStopping && performance.now() >= restUntilMs) {
        wasNudged = false;
        const { claimed, pauseMs } = await sendSlice(context, carrier, size);
        if (pauseMs !== undefined) {
          failures += 1;
          restUntilMs = performance.now() + Math.max(pauseMs, carrierPauseMs(failures));
          return;
        }
        if (claimed > 0) failures = 0;
        // A full slice means there is more than one lane's work.
        if (claimed === size && running.size < context.lanes) start();
        if (claimed === 0 && !wasNudged) return;
      }
    }

    function start(): void {
      const promise = lane().finally(() => running.delete(promise));
      running.add(promise);
      promise.catch(() => undefined);
    }

    return {
      async run() {
        wasNudged = true;
        if (running.size === 0 && !isStopping) start();
        await Promise.all(running);
      },
      async idle() {
        await Promise.allSettled(running);
      },
    };
  }

  return {
    async send() {
      await Promise.all(senders.map((sender) => sender.run()));
    },
    applyReceipts: receipts.run,
    applyInbound: inbound.run,
    async stop() {
      isStopping = true;
      await Promise.all([...senders.map((sender) => sender.idle()), receipts.stop(), inbound.stop()]);
    },
  };
}
