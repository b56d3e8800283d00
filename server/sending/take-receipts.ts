import type { Database } from '../db.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { applyAtOnce, type OwnReceipt } from '../texts/apply-receipts.ts';

/** Parallel transactions: while one waits for a slice that is being recorded, the other continues. */
const mostRunning = 2;
/**
 * If more are waiting, the rest is stored, so that memory stays bounded and the carrier gets its response
 * soon.
 */
const mostWaiting = 20_000;

export interface ReceiptTaking {
  /** True if they were applied; if not, they have to be stored. Resolves after the commit. */
  take(receipts: OwnReceipt[]): Promise<boolean>;
  stop(): Promise<void>;
}

/**
 * Applies the receipts of webhooks without storing them first. While some are being applied, the next ones gather and
 * share a transaction.
 */
export function createReceiptTaking(
  context: { database: Database; metrics: Metrics; log: Log; tellOfTwice?: (texts: number) => void },
  mostAtOnce: number,
): ReceiptTaking {
  const waiting: { receipts: OwnReceipt[]; answer: (isApplied: boolean) => void }[] = [];
  let many = 0;
  let busy = 0;
  let isStopping = false;
  const running = new Set<Promise<void>>();

  async function run(): Promise<void> {
    for (let first = waiting.shift(); first !== undefined; first = waiting.shift()) {
      const group = [first];
      let size = first.receipts.length;
      for (
        let next = waiting[0];
        next !== undefined && size + next.receipts.length <= mostAtOnce;
        next = waiting[0]
      ) {
        waiting.shift();
        group.push(next);
        size += next.receipts.length;
      }
      many -= size;
      const isApplied = await apply(group.flatMap(({ receipts }) => receipts));
      for (const { answer } of group) answer(isApplied);
    }
    // Here, not when the promise is seen to have ended: receipts that arrived between the two would wait
    // forever.
    busy -= 1;
  }

  function start(): void {
    busy += 1;
    const promise: Promise<void> = run().finally(() => running.delete(promise));
    running.add(promise);
  }

  async function apply(receipts: OwnReceipt[]): Promise<boolean> {
    try {
      await applyAtOnce(context.database, receipts, context.tellOfTwice);
      context.metrics.receiptsApplied.inc(receipts.length);
      return true;
    } catch (error) {
      context.log.debug({ err: error }, 'receipts could not be applied at once; they are stored');
      return false;
    }
  }

  return {
    async take(receipts) {
      if (isStopping || many + receipts.length > mostWaiting) return false;
      many += receipts.length;
      const answer = new Promise<boolean>((resolve) => waiting.push({ receipts, answer: resolve }));
      if (busy < mostRunning) start();
      return answer;
    },
    async stop() {
      isStopping = true;
      await Promise.all(running);
    },
  };
}
