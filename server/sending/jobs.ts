import { sql } from 'kysely';
import { completeBroadcasts } from '../broadcasts/feed/complete-broadcasts.ts';
import { feedSlice } from '../broadcasts/feed/feed-broadcast.ts';
import type { Database } from '../db.ts';
import type { JobContext, SliceJobs } from '../jobs.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Carrier } from '../outside/carrier.ts';
import { runOnce } from '../run-once.ts';
import { applyReceipts, type OwnReceipt } from '../texts/apply-receipts.ts';
import { matchStrays, sweepCarrierIds } from '../texts/carrier-ids.ts';
import { giveUpSlices } from '../texts/claim-texts.ts';
import { carrierPauseMs } from '../texts/rules.ts';
import { createTrouble } from '../trouble.ts';
import { createFailOver } from './fail-over.ts';
import { createUnservedCheck } from './give-up-unserved.ts';
import { applyOrStore, createEar } from './hear-carrier.ts';
import { type SliceResult, sendSlice } from './send-messages.ts';
import { sendHeldSlice } from './send-slice.ts';
import { createReceiptTaking } from './take-receipts.ts';

declare module '../jobs.ts' {
  interface Tasks {
    /** Texts are in the outbox. */
    send_messages: Record<string, never>;
    /** Receipts have to be applied. */
    apply_receipts: Record<string, never>;
    /** Texts may wait for a carrier that is not set up any more. */
    check_unserved: Record<string, never>;
  }
}

export function createSendingJobs(context: JobContext) {
  const { config } = context;
  const work = createSendingWork({
    ...context,
    publicUrl: config.PUBLIC_URL,
    lanes: config.SEND_LANES,
    slice: config.SEND_SLICE,
    failoverMinutes: config.CARRIER_FAILOVER_MINUTES,
  });
  const unserved = createUnservedCheck(context);
  return {
    work,
    tasks: {
      send_messages: work.send,
      apply_receipts: work.applyReceipts,
      check_unserved: unserved.run,
    },
    cron: ['*/5 * * * * check_unserved'],
    waiting: [
      {
        where: sql`exists (select from outbox) or exists (select from outbox_slices) or exists (
          select from broadcasts where status in ('scheduled', 'broadcasting') and next_feed_at <= now())`,
        run: work.send,
      },
      { where: sql`exists (select from carrier_receipts)`, run: work.applyReceipts },
      { where: sql`exists (select from stray_receipts where try_at <= now())`, run: work.matchStrays },
    ],
    sweep: () => sweepCarrierIds(context.database),
    problems: () => [...work.problems(), ...unserved.problem()],
    stop: work.stop,
  } satisfies SliceJobs & { work: SendingWork };
}

/** Large enough for speed, small enough to stop soon. */
const receiptsAtOnce = 2000;

export interface SendingWork {
  /** Hands over due texts, until nothing is left or the carriers ask for a pause. */
  send(): Promise<void>;
  applyReceipts(): Promise<void>;
  /** Applies these receipts now; false if they have to be stored instead. */
  takeReceipts(receipts: OwnReceipt[]): Promise<boolean>;
  /** Checks again receipts whose text wasn't known when they arrived. */
  matchStrays(): Promise<void>;
  /** Carriers that are not connected, and their contradictory messages. */
  problems(): string[];
  /** Takes no more slices; resolves when active ones are recorded. */
  stop(): Promise<void>;
}

/**
 * The loops behind the jobs. A job only wakes a loop: it runs until its table has nothing left, and a job
 * that comes meanwhile makes it check once more.
 */
export function createSendingWork(context: {
  database: Database;
  carriers: Map<number, Carrier>;
  publicUrl: string;
  lanes: number;
  slice: number;
  failoverMinutes?: number;
  log: Log;
  metrics: Metrics;
}): SendingWork {
  let isStopping = false;
  const failOver = createFailOver(context);
  const sending = { ...context, noteResults: failOver.note };
  const senders = [...context.carriers.values()].map((carrier) => carrierLoop(carrier));
  const claimedTwice = createTrouble(
    context.log,
    'Two carriers say that they have the same text: a person may have got it twice. Check which numbers both of them carry.',
  );
  const receipts = runOnce(async () => {
    const taken = await applyReceipts(context.database, receiptsAtOnce, claimedTwice.tell);
    context.metrics.receiptsApplied.inc(taken);
    return taken === receiptsAtOnce;
  });
  const taking = createReceiptTaking({ ...context, tellOfTwice: claimedTwice.tell }, receiptsAtOnce);
  const strays = runOnce(async () => {
    const take = (own: OwnReceipt[]) => applyOrStore(context.database, own, taking.take);
    return (await matchStrays(context.database, receiptsAtOnce, take)) === receiptsAtOnce;
  });
  for (const carrier of context.carriers.values())
    carrier.listen?.(createEar(context, carrier, (own) => taking.take(own)));

  /** One carrier: as many lanes as the work fills, none during a pause after a failure. */
  function carrierLoop(carrier: Carrier) {
    const size = Math.min(context.slice, carrier.slice);
    const running = new Set<Promise<void>>();
    let failures = 0;
    let restUntilMs = 0;
    let wasNudged = false;

    async function lane(): Promise<void> {
      while (!isStopping && performance.now() >= restUntilMs) {
        wasNudged = false;
        const { claimed, pauseMs } = await sendSlice(sending, carrier, size);
        // Texts from users go first; a broadcast is fed when less than a slice of other texts is waiting.
        const sent =
          pauseMs !== undefined || claimed === size ? { claimed: 0, pauseMs } : await feed(carrier);
        if (sent.pauseMs !== undefined) {
          failures += 1;
          restUntilMs = performance.now() + Math.max(sent.pauseMs, carrierPauseMs(failures));
          return;
        }
        if (claimed + sent.claimed > 0) failures = 0;
        // A full slice means there is more than one lane's work.
        if (claimed === size) startAnother();
        if (claimed + sent.claimed === 0 && !wasNudged) return;
      }
    }

    /**
     * Creates the next slice of a broadcast and hands it over. Another lane may create the one after it in
     * the meantime.
     */
    async function feed(carrier: Carrier): Promise<SliceResult> {
      const fed = await feedSlice(context.database, carrier.aggregatorId, size);
      if (fed === undefined) return { claimed: 0, pauseMs: undefined };
      if (fed.isFull) startAnother();
      if (fed.slice === undefined) return { claimed: 1, pauseMs: undefined };
      const pauseMs = await sendHeldSlice(sending, carrier, fed.slice);
      if (fed.isLast) await completeBroadcasts(context.database);
      return { claimed: fed.slice.texts.length, pauseMs };
    }

    function startAnother(): void {
      if (running.size < context.lanes && !isStopping) start();
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
      await giveUpSlices(context.database);
      await failOver.run();
      await Promise.all(senders.map((sender) => sender.run()));
    },
    applyReceipts: receipts.run,
    takeReceipts: taking.take,
    matchStrays: strays.run,
    problems: () => [
      ...[...context.carriers.values()].flatMap((carrier) => carrier.problem?.() ?? []),
      ...claimedTwice.problem(),
    ],
    async stop() {
      isStopping = true;
      await Promise.all([
        ...senders.map((sender) => sender.idle()),
        receipts.stop(),
        strays.stop(),
        taking.stop(),
      ]);
    },
  };
}
